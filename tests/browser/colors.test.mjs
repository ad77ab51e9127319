/**
 * The palette: one in the pages and in the drawings of the service, with enough contrast, and
 * distinct to the color-blind.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { theme } from "../../web/app/colors.js";

const CONTRAST = 3; // WCAG 2.2, 1.4.11: graphics against what is beside them
const DISTANCE = 10; // CIE 1976; 2.3 is just noticeable

// Of linear red, green and blue: Machado, Oliveira and Fernandes, A physiologically-based model for
// simulation of color vision deficiency, IEEE TVCG 15 (2009), severity 1.
const SIGHTS = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};
// From linear red, green and blue of sRGB to X, Y and Z (IEC 61966-2-1), and its white.
const XYZ = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];
const WHITE = [0.9505, 1, 1.089];

const times = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, value, k) => sum + value * vector[k], 0));

/** The linear red, green and blue of "#rrggbb", 0 to 1. */
const linear = (color) =>
  [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });

/** The ratio of WCAG 2.2. */
function contrast(a, b) {
  const [dark, light] = [a, b].map((one) => times(XYZ, linear(one))[1]).sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** L*, a* and b* of linear red, green and blue. */
function lab(rgb) {
  const [x, y, z] = times(XYZ, rgb).map((value, k) => {
    const part = value / WHITE[k];
    return part > (6 / 29) ** 3 ? Math.cbrt(part) : part / (3 * (6 / 29) ** 2) + 4 / 29;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The distance of two colors as one with this sight sees them. */
function distance(a, b, sight) {
  const [p, q] = [a, b].map((color) =>
    lab(times(SIGHTS[sight], linear(color)).map((part) => Math.min(1, Math.max(0, part)))),
  );
  return Math.hypot(...p.map((value, k) => value - q[k]));
}

// Of each theme: the colors of the page, and the background and the curves of a drawing.
const drawings = await readFile(new URL("../../api/plot/plot.c", import.meta.url), "utf8");
const PALETTES = ["LIGHT", "DARK"].map((name) => {
  const [, members] = new RegExp(`Theme ${name} = \\{([^;]*)\\};`).exec(drawings);
  const [ground, , , ...curves] = members.match(/#[0-9a-f]{6}/g);
  return { name, page: theme(name === "DARK"), ground, curves };
});

for (const { name, page, ground, curves } of PALETTES) {
  test(`${name}: drawings have the colors of the page, and more`, () => {
    const columns = page.columns.map((color) => color.toLowerCase());
    assert.deepEqual(curves.slice(0, columns.length), columns);
    assert.equal(ground, page.paper);
  });

  test(`${name}: every color stands out from the background and from the gray of scenes`, () => {
    for (const color of [...page.columns, ...curves])
      for (const under of [page.paper, page.grid])
        assert.ok(contrast(color, under) >= CONTRAST, `${color} on ${under}`);
  });

  for (const sight of Object.keys(SIGHTS))
    test(`${name}: colors are distinct with ${sight}`, () => {
      const far = (a, b) => assert.ok(distance(a, b, sight) >= DISTANCE, `${a} and ${b}`);
      page.columns.forEach((a, k) => page.columns.slice(k + 1).forEach((b) => far(a, b)));
      curves.slice(1).forEach((color, k) => far(curves[k], color));
    });
}

test("the measures tell colors apart as their sources do", () => {
  assert.equal(contrast("#000000", "#ffffff").toFixed(3), "21.000");
  const whites = Object.values(SIGHTS).flatMap((matrix) => times(matrix, [1, 1, 1]));
  for (const part of whites) assert.ok(Math.abs(part - 1) < 2e-6); // white stays white
  // to the color-blind, this violet is the blue
  assert.ok(distance("#0072b2", "#6b4fa0", "deuteranopia") < DISTANCE);
});
