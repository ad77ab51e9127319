/** Plots of columns over t: a panel a unit, one cursor and one range of time in all of them. */
import { html, render, signal, useEffect, useRef, useState } from "../vendor/preact.js";
import uPlot from "../vendor/uplot.js";
import { theme } from "./colors.js";
import { brief, labelsOf } from "./format.js";
import { STEPS, nameOf } from "./keys.js";
import { Marks } from "./marks.js";
import { placeOf } from "./motion.js";
import { Table } from "./table.js";

const DASHES = [[], [8, 4], [2, 3]]; // after every six columns

/** @param {number} k number of a column in its panel */
export const dash = (k) => DASHES[Math.floor(k / palette.value.columns.length) % DASHES.length];

const HEIGHT = 220; // pixels of a panel
const LEAST_SPAN = 1e-6; // of an axis, as a part of its values
const LETTER = 7; // pixels of a letter of a label, and more

const dark = matchMedia("(prefers-color-scheme: dark)");
/** The colours of columns and lines: a canvas knows no light-dark(). */
export const palette = signal(theme(dark.matches));
dark.addEventListener("change", () => (palette.value = theme(dark.matches)));

/** The instant of the cursor, in all panels. */
export const cursor = signal(/** @type {number | null} */ (null));

/** Whether the scene plays: then it moves the cursor, and the mouse does not. */
export const playing = signal(false);

/** The row next to the cursor, or null if it is outside of the rows. @param {number[]} t rising */
function rowAtCursor(t) {
  const at = cursor.value;
  if (at === null || !t.length || at < t[0] || at > t[t.length - 1]) return null;
  const k = placeOf(t, at);
  return k + 1 < t.length && t[k + 1] - at < at - t[k] ? k + 1 : k;
}

/**
 * Holds the motion and moves the cursor by rows.
 * @param {number[]} t rising @param {number} by
 */
export function moveCursor(t, by) {
  const old = rowAtCursor(t) ?? (by > 0 ? -1 : t.length);
  playing.value = false;
  cursor.value = t[Math.min(t.length - 1, Math.max(0, old + by))];
}

/** The kind of a column, by its name. @param {string} name */
function kind(name) {
  if (/^dot\(/.test(name)) return "rates";
  return /^(multiplier|reaction)\(/.test(name) ? "reactions" : "coordinates and observables";
}

/**
 * Columns by their unit; without units by kind: one growing angle would hide all else.
 * @param {string[]} columns without t
 * @param {Record<string, string>} units
 */
export function panels(columns, units) {
  const found = new Map();
  for (const name of columns) {
    const key = units[name] ? `[${units[name]}]` : kind(name);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(name);
  }
  return [...found].map(([unit, names]) => ({ unit, names }));
}

/**
 * Rows in the order of growing time, for runs that go backwards.
 * @param {Record<string, any[]>} series
 */
export function ascending(series) {
  const t = series.t ?? [];
  if (t.length < 2 || t[0] <= t[t.length - 1]) return series;
  const reversed = Object.entries(series).map(([name, values]) => [name, [...values].reverse()]);
  return Object.fromEntries(reversed);
}

/**
 * Rows of a range of time.
 * @param {Record<string, any[]>} series
 * @param {string | null} from
 * @param {string | null} to
 */
export function within(series, from, to) {
  if (from === null && to === null) return series;
  const kept = series.t.map((t) => t >= Number(from ?? -Infinity) && t <= Number(to ?? Infinity));
  const chosen = ([name, values]) => [name, values.filter((_, k) => kept[k])];
  return Object.fromEntries(Object.entries(series).map(chosen));
}

/**
 * A range that is never empty: it spans a part of the value, so that a constant with rounding
 * errors is a straight line.
 * @param {number} low @param {number} high @returns {[number, number]}
 */
export function room(low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const least = (LEAST_SPAN * size - (high - low)) / 2;
  const more = low === high ? size || 1 : Math.max(0.05 * (high - low), least);
  return [low - more, high + more];
}

/** Pixels beside an axis for its labels. @param {any} _ @param {string[] | null} labels */
const widthOf = (_, labels) =>
  Math.max(64, 16 + LETTER * Math.max(0, ...(labels ?? []).map((label) => label.length)));

const NO_MARKS = [];

/**
 * One panel. The canvas is drawn anew when the theme, the width or the rows change.
 * @param {{unit: string, names: string[], series: any, onRange: (from: any, to: any) => void,
 *   marks?: any[]}} properties
 */
export function Panel({ unit, names, series, onRange, marks = NO_MARKS }) {
  const place = useRef(null);
  const plot = useRef(null);
  const held = useRef(false); // the button of the mouse: uPlot selects from there to its cursor
  const t = series.t ?? [];
  const row = rowAtCursor(t);
  const { columns: colors, ink, grid } = palette.value;
  useEffect(() => {
    const axis = {
      stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false },
      values: (_, ticks) => labelsOf(ticks),
    };
    const box = place.current;
    const lonely = t.length === 1;
    const width = () => Math.max(200, box.clientWidth);
    const made = new uPlot(
      {
        width: width(),
        height: HEIGHT,
        pxAlign: 0,
        padding: [null, 28, null, null], // half of the last label of t stands to the right
        legend: { show: false },
        scales: {
          x: {
            time: false,
            range: (_, low, high) => (low === high ? room(low, high) : [low, high]),
          },
          y: { range: (_, low, high) => room(low, high) },
        },
        axes: [{ ...axis, size: 34 }, { ...axis, size: widthOf }],
        cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
        series: [{}, ...names.map((name, k) => ({
          label: name, stroke: colors[k % colors.length], width: 1.75, spanGaps: false,
          dash: dash(k), points: { show: lonely },
        }))],
        hooks: {
          // only the mouse has an event: the effect below moves the cursor of each panel
          setCursor: [(self) => {
            const { event, idx } = self.cursor;
            if (event && idx !== null && !playing.value) cursor.value = t[idx];
          }],
          setSelect: [(self) => {
            if (self.select.width < 4) return;
            const { left } = self.select;
            const right = left + self.select.width;
            onRange(self.posToVal(left, "x"), self.posToVal(right, "x"));
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          }],
        },
      },
      [t, ...names.map((name) => series[name])],
      box,
    );
    plot.current = made;
    const size = new ResizeObserver(() => made.setSize({ width: width(), height: HEIGHT }));
    size.observe(box);
    return () => {
      size.disconnect();
      made.destroy();
    };
  }, [series, names.join(), ink]);
  useEffect(() => {
    if (held.current || plot.current.cursor.idx === row) return; // the mouse is in this panel
    const left = row === null ? -10 : plot.current.valToPos(t[row], "x");
    plot.current.setCursor({ left, top: 0 }, false);
  }, [row, series, names.join(), ink]);

  useEffect(() => {
    const layer = document.createElement("div");
    plot.current.over.append(layer);
    render(html`<${Marks} marks=${marks} start=${t[0]} end=${t.at(-1)} />`, layer);
    return () => layer.remove();
  }, [marks, series, names.join(), ink]);

  const hold = () => {
    held.current = true;
    addEventListener("mouseup", () => (held.current = false), { once: true });
  };
  /** A click moves the cursor, also while the scene plays. */
  const seek = (event) => {
    const { over } = plot.current;
    const left = event.clientX - over.getBoundingClientRect().left;
    if (over.contains(event.target)) cursor.value = t[plot.current.posToIdx(left)];
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const by = STEPS[nameOf(event)];
    if (by === undefined) return;
    event.preventDefault();
    moveCursor(t, by);
  };
  const value = (name) => (row === null ? "" : brief(series[name]?.[row]));
  const shown = `t from ${brief(t[0])} to ${brief(t[t.length - 1])}`;
  const spoken = [`t ${brief(t[row ?? 0])}`, ...names.map((name) => `${name} ${value(name)}`)];
  return html`<figure class="panel" data-unit=${unit}>
    <figcaption>${names.map((name, k) => html`<span class="key">
        <svg width="22" height="8" aria-hidden="true"><line x1="0" y1="4" x2="22" y2="4"
          stroke=${colors[k % colors.length]} stroke-width="2.5"
          stroke-dasharray=${dash(k).join(" ")} /></svg>
        ${name}${row !== null ? html` <span class="number">${value(name)}</span>` : ""}</span>`)}
      <span class="unit">${unit}</span></figcaption>
    <div class="plot" ref=${place} tabindex="0" role="slider"
      onKeyDown=${onKey} onMouseDown=${hold} onClick=${seek}
      onDblClick=${() => onRange(null, null)}
      aria-label=${`${names.join(", ")} ${unit} over ${shown}`}
      aria-valuemin="0" aria-valuemax=${t.length - 1} aria-valuenow=${row ?? 0}
      aria-valuetext=${row === null ? "arrow keys move the cursor" : spoken.join(", ")}></div>
    <${AsTable} names=${names} series=${series} unit=${unit} />
  </figure>`;
}

/** The rows of a plot as a table, made when it is opened. */
function AsTable({ names, series, unit }) {
  const [open, setOpen] = useState(false);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>As table</summary>
    ${open && html`<${Table} name=${"Plotted rows, " + unit} series=${series}
      columns=${["t", ...names]} />`}</details>`;
}

/** The instant under the cursor. */
export function Instant({ series, units }) {
  const row = rowAtCursor(series.t);
  const text = row === null ? "" : `t = ${brief(series.t[row])} ${units.t ?? ""}`;
  return html`<span class="instant number">${text}</span>`;
}
