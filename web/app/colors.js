/**
 * The colours of columns and items: at least 4.5 to 1 against the page, and distinct to the colour-
 * blind.
 */
const LIGHT = ["#0072B2", "#C14E00", "#00785A", "#A84F82", "#1B1F24", "#BF0040"];
const DARK = ["#56B4E9", "#E69F00", "#2FC49A", "#E3A3C8", "#E6E9EE", "#F0E442"];

/** The colours of a theme; a canvas knows no light-dark(). @param {boolean} dark */
export const theme = (dark) =>
  dark
    ? { columns: DARK, ink: "#9aa4b2", grid: "#2b313a", paper: "#14171c" }
    : { columns: LIGHT, ink: "#59636e", grid: "#e6e9ee", paper: "#ffffff" };

/**
 * The same for a scene, whose items name colours by 1 to 6 or give their own.
 * @param {ReturnType<typeof theme>} colors
 */
export const inks = ({ columns, ink, grid, paper }) => ({
  ink,
  grid,
  paper,
  of: (/** @type {any} */ color) =>
    typeof color === "number"
      ? columns[(color - 1) % columns.length]
      : /^#/.test(color)
        ? color
        : columns[1],
});
