/** The plots that a model or a job asks for: `figures`. */
import { html } from "../vendor/preact.js";
import { Drawing, axes, rangeOf, scales } from "./drawing.js";
import { Panel, cursor } from "./plots.js";
import { placeOf } from "./motion.js";

/** The values of a place of a figure at the rows, and its name. */
function lineOf(place, { series, columns }) {
  if (place?.column)
    return {
      name: columns.find((one) => one.name === place.column).text,
      values: series[place.column],
    };
  return { name: String(place), values: series.t.map(() => place) };
}

/** Curves over another column than t, with a dot at the cursor. */
export function Curves({ title, x, ys, t }) {
  const at = cursor.value === null ? null : placeOf(t, cursor.value);
  const ranges = [rangeOf(x.values), rangeOf(ys.flatMap((y) => [...y.values]))];
  const draw = (pen, width, colors) => {
    const to = scales(width, ranges[0], ranges[1]);
    axes(pen, width, ranges[0], ranges[1], colors, x.name, ys.length === 1 ? ys[0].name : "");
    ys.forEach((y, k) => {
      pen.strokeStyle = pen.fillStyle = colors.columns[k % colors.columns.length];
      pen.lineWidth = 1.75;
      pen.beginPath();
      let drawn = false;
      y.values.forEach((value, row) => {
        const here = Number.isFinite(value) && Number.isFinite(x.values[row]);
        if (here) pen[drawn ? "lineTo" : "moveTo"](to.x(x.values[row]), to.y(value));
        drawn = here;
      });
      pen.stroke();
      if (at !== null && Number.isFinite(y.values[at]))
        pen.fillRect(to.x(x.values[at]) - 4, to.y(y.values[at]) - 4, 8, 8);
    });
  };
  return html`<figure class="panel">
    <figcaption>${title}</figcaption>
    <${Drawing} label=${title} draw=${draw} watched=${[x, ys, at]} /></figure>`;
}

/**
 * The figures as plots: columns over t or over another column.
 * @param {any} moving the answer of readScene()
 * @returns {import("./sheet.js").Plot[]}
 */
export function figuresOf(moving) {
  const { figures, series } = moving;
  return figures.map(({ title, x, y }) => {
    const ys = y.map((one) => lineOf(one, moving));
    const given = lineOf(x ?? "t", moving);
    const overT = given.name === "t";
    const over = overT ? { name: "t", values: series.t } : given;
    const told = overT ? "" : `${ys.map((one) => one.name).join(", ")} over ${over.name}`;
    return { title: title || told, x: over, ys };
  });
}

/**
 * @param {{moving: any, marks: any[], onRange: (from: any, to: any) => void}} properties moving: the
 *   answer of readScene()
 */
export function Figures({ moving, marks, onRange }) {
  const { t } = moving.series;
  const figures = figuresOf(moving);
  if (!figures.length) return null;
  return html`<section aria-label="Figures"><h2>Figures</h2><div class="panels">${figures.map(
    ({ title, x, ys }, k) => {
      if (x.values !== t)
        return html`<${Curves} key=${k} title=${title} x=${x} ys=${ys} t=${t} />`;
      const named = { t, ...Object.fromEntries(ys.map((one) => [one.name, one.values])) };
      return html`<${Panel} key=${k} unit=${title} names=${ys.map((one) => one.name)}
        series=${named} marks=${marks} onRange=${onRange} />`;
    },
  )}</div></section>`;
}
