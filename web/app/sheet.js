/** Plots below each other on one sheet of SVG. */
import { labelsOf } from "./format.js";
import { dash, room } from "./plots.js";
import { SvgPen } from "./svg.js";

const WIDTH = 720; // pixels of the sheet
const HEIGHT = 200; // of a plot without its texts
const LEFT = 72;
const RIGHT = 24;
const HEAD = 44; // the title of the sheet
const ROW = 18; // a row of names
const FOOT = 52; // the numbers and the name below a plot
const LETTER = 7.5; // the width of a letter, at most but for the widest ones
const SWATCH = 30;
const FONT = "px system-ui, sans-serif";

/**
 * A plot of one or more columns over another one.
 * @typedef {{name: string, values: ArrayLike<number | null>}} Column
 * @typedef {{title: string, x: Column, ys: Column[]}} Plot
 */

/**
 * A panel as a plot over t.
 * @param {{unit: string, names: string[], series: Record<string, any>}} panel
 * @param {string} t the name of the time
 * @returns {Plot}
 */
export const overTime = ({ unit, names, series }, t = "t") => ({
  title: unit,
  x: { name: t, values: series.t },
  ys: names.map((name) => ({ name, values: series[name] })),
});

/** Round numbers in a range: at most `most` or one more. */
export function ticks([low, high], most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
}

/**
 * Least and greatest of finite numbers.
 * @param {ArrayLike<number | null>[]} lists
 * @returns {[number, number]}
 */
function extremes(lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists)
    for (const value of Array.from(list))
      if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

/** The names of the columns with their places: rows that are wide enough for the title, too. */
function legend({ title, ys }) {
  const edge = WIDTH - RIGHT - LETTER * title.length;
  let [x, row] = [LEFT, 0];
  return ys.map(({ name }) => {
    const width = SWATCH + LETTER * name.length + 12;
    if (x > LEFT && x + width > edge) [x, row] = [LEFT, row + 1];
    x += width;
    return { name, x: x - width, row };
  });
}

/**
 * A line with gaps at null; a value without neighbors is a dot. An undefined value is no row of the
 * column: the line goes across.
 */
function curve(pen, xs, ys, to) {
  const rows = Array.from(ys, (_, k) => k).filter((k) => ys[k] !== undefined);
  const finite = (k) => Number.isFinite(xs[k]) && Number.isFinite(ys[k]);
  const points = rows.map((k) => (finite(k) ? [to.x(xs[k]), to.y(ys[k])] : null));
  pen.beginPath();
  points.forEach((point, k) => {
    if (point) pen[points[k - 1] ? "lineTo" : "moveTo"](point[0], point[1]);
  });
  pen.stroke();
  points.forEach((point, k) => {
    if (!point || points[k - 1] || points[k + 1]) return;
    pen.beginPath();
    pen.arc(point[0], point[1], 3);
    pen.fill();
  });
}

/** Grid lines with their numbers, the frame, and the name of x. */
function axes(pen, { x, y }, to, top, name, { ink, grid }) {
  const bottom = top + HEIGHT;
  const line = (...ends) => {
    pen.beginPath();
    pen.moveTo(ends[0], ends[1]);
    pen.lineTo(ends[2], ends[3]);
    pen.stroke();
  };
  Object.assign(pen, { lineWidth: 1, strokeStyle: grid, fillStyle: ink, textAlign: "center" });
  const [xs, ys] = [ticks(x, 10), ticks(y, 6)];
  labelsOf(xs).forEach((label, k) => {
    line(to.x(xs[k]), top, to.x(xs[k]), bottom);
    pen.fillText(label, to.x(xs[k]), bottom + 14);
  });
  pen.fillText(name, (LEFT + WIDTH - RIGHT) / 2, bottom + 32);
  pen.textAlign = "right";
  labelsOf(ys).forEach((label, k) => {
    line(LEFT, to.y(ys[k]), WIDTH - RIGHT, to.y(ys[k]));
    pen.fillText(label, LEFT - 8, to.y(ys[k]));
  });
  pen.strokeRect(LEFT, top, WIDTH - RIGHT - LEFT, HEIGHT);
}

/** Draws a plot below `start`; gives its lower end. @param {Plot} plot */
function draw(pen, plot, start, colors) {
  const names = legend(plot);
  const top = start + ROW * (1 + names.at(-1).row) + 6;
  const [low, high] = extremes([plot.x.values]);
  const x = low < high ? [low, high] : room(low, high);
  const y = room(...extremes(plot.ys.map((one) => one.values)));
  const to = {
    x: (value) => LEFT + ((WIDTH - RIGHT - LEFT) * (value - x[0])) / (x[1] - x[0]),
    y: (value) => top + (HEIGHT * (y[1] - value)) / (y[1] - y[0]),
  };
  pen.setLineDash([]);
  axes(pen, { x, y }, to, top, plot.x.name, colors);
  pen.fillText(plot.title, WIDTH - RIGHT, start + ROW / 2);
  pen.textAlign = "left";
  names.forEach(({ name, x: left, row }, k) => {
    const height = start + ROW * (row + 0.5);
    pen.fillStyle = colors.ink;
    pen.fillText(name, left + SWATCH, height);
    pen.lineWidth = 1.75;
    pen.strokeStyle = pen.fillStyle = colors.columns[k % colors.columns.length];
    pen.setLineDash(dash(k));
    pen.beginPath();
    pen.moveTo(left, height);
    pen.lineTo(left + SWATCH - 8, height);
    pen.stroke();
    curve(pen, plot.x.values, plot.ys[k].values, to);
  });
  return top + HEIGHT + FOOT;
}

/**
 * The plots as a file of SVG.
 * @param {Plot[]} plots
 * @param {string} title
 * @param {ReturnType<typeof import("./colors.js").theme>} colors
 */
export function sheetOf(plots, title, colors) {
  const pen = new SvgPen();
  Object.assign(pen, { lineJoin: "round", textBaseline: "middle", fillStyle: colors.ink });
  pen.font = 15 + FONT;
  pen.fillText(title, 16, HEAD / 2);
  pen.font = 12 + FONT;
  const end = plots.reduce((start, plot) => draw(pen, plot, start, colors), HEAD);
  return pen.file(WIDTH, end, title, colors.paper);
}
