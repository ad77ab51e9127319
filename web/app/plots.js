/** Plots of columns over t: a panel a unit, one cursor and one range of time in all of them. */
import { html, signal, useEffect, useRef } from "../vendor/preact.js";
import uPlot from "../vendor/uplot.js";
import { brief } from "./format.js";

const LIGHT = ["#0072B2", "#C14E00", "#00785A", "#A84F82", "#1B1F24", "#BF0040"];
const DARK = ["#56B4E9", "#E69F00", "#2FC49A", "#E3A3C8", "#E6E9EE", "#F0E442"];
const DASHES = [[], [8, 4], [2, 3]]; // after every six columns

const HEIGHT = 220; // pixels of a panel

const dark = matchMedia("(prefers-color-scheme: dark)");
/** The colours of columns and lines: a canvas knows no light-dark(). */
const palette = signal(paletteNow());
dark.addEventListener("change", () => (palette.value = paletteNow()));

function paletteNow() {
  return dark.matches
    ? { columns: DARK, ink: "#9aa4b2", grid: "#2b313a" }
    : { columns: LIGHT, ink: "#59636e", grid: "#e6e9ee" };
}

/** The row under the cursor, in all panels. */
export const cursor = signal(/** @type {number | null} */ (null));

/**
 * Columns by their unit; without units by kind, and by coordinate: one growing angle would hide all else.
 * @param {string[]} columns without t
 * @param {Record<string, string>} units
 */
export function panels(columns, units) {
  const found = new Map();
  for (const name of columns) {
    const kind = /^dot\(/.test(name) ? "rates" : /^(multiplier|reaction)\(/.test(name) ? "reactions" : "coordinates and observables";
    const key = units[name] ? `[${units[name]}]` : kind;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(name);
  }
  return [...found].map(([unit, names]) => ({ unit, names }));
}

/** Rows in the order of growing time, for runs that go backwards. @param {Record<string, any[]>} series */
export function ascending(series) {
  const t = series.t ?? [];
  if (t.length < 2 || t[0] <= t[t.length - 1]) return series;
  return Object.fromEntries(Object.entries(series).map(([name, values]) => [name, [...values].reverse()]));
}

/** Rows of a range of time. @param {Record<string, any[]>} series @param {string | null} from @param {string | null} to */
export function within(series, from, to) {
  if (from === null && to === null) return series;
  const kept = series.t.map((t) => t >= Number(from ?? -Infinity) && t <= Number(to ?? Infinity));
  return Object.fromEntries(Object.entries(series).map(([name, values]) => [name, values.filter((_, k) => kept[k])]));
}

/** A range that is never empty. @param {number} low @param {number} high @returns {[number, number]} */
function room(low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const more = low === high ? Math.abs(low) || 1 : 0.05 * (high - low);
  return [low - more, high + more];
}

/** One panel. The canvas is drawn anew when the theme, the width or the rows change. */
export function Panel({ unit, names, series, onRange }) {
  const place = useRef(null);
  const plot = useRef(null);
  const t = series.t ?? [];
  const { columns: colors, ink, grid } = palette.value;
  useEffect(() => {
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
    const box = place.current;
    const lonely = t.length === 1;
    const made = new uPlot(
      {
        width: Math.max(200, box.clientWidth),
        height: HEIGHT,
        pxAlign: 0,
        legend: { show: false },
        scales: {
          x: { time: false, range: (_, low, high) => (low === high ? room(low, high) : [low, high]) },
          y: { range: (_, low, high) => room(low, high) },
        },
        axes: [{ ...axis, size: 34 }, { ...axis, size: 64, values: (_, ticks) => ticks.map(brief) }],
        cursor: { sync: { key: "t" }, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
        series: [{}, ...names.map((name, k) => ({
          label: name, stroke: colors[k % colors.length], width: 1.75, spanGaps: false,
          dash: DASHES[Math.floor(k / colors.length) % DASHES.length], points: { show: lonely },
        }))],
        hooks: {
          setCursor: [(self) => (cursor.value = self.cursor.idx ?? null)],
          setSelect: [(self) => {
            if (self.select.width < 4) return;
            onRange(self.posToVal(self.select.left, "x"), self.posToVal(self.select.left + self.select.width, "x"));
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          }],
        },
      },
      [t, ...names.map((name) => series[name])],
      box,
    );
    plot.current = made;
    const size = new ResizeObserver(() => made.setSize({ width: Math.max(200, box.clientWidth), height: HEIGHT }));
    size.observe(box);
    return () => {
      size.disconnect();
      made.destroy();
    };
  }, [series, names.join(), ink]);

  /** Arrows move the cursor by a row, with shift by ten. @param {KeyboardEvent} event */
  const onKey = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const edge = { Home: 0, End: t.length - 1 }[event.key];
    if ((step === undefined && edge === undefined) || !t.length) return;
    event.preventDefault();
    const old = cursor.value ?? (step === 1 ? -1 : t.length);
    const row = edge ?? Math.min(t.length - 1, Math.max(0, old + step * (event.shiftKey ? 10 : 1)));
    plot.current.setCursor({ left: plot.current.valToPos(t[row], "x"), top: 20 });
    cursor.value = row;
  };
  const row = cursor.value;
  return html`<figure class="panel" data-unit=${unit}>
    <figcaption>${names.map((name, k) => html`<span class="key"><svg width="22" height="8" aria-hidden="true"><line x1="0" y1="4" x2="22" y2="4"
        stroke=${colors[k % colors.length]} stroke-width="2.5" stroke-dasharray=${DASHES[Math.floor(k / colors.length) % 3].join(" ")} /></svg>
        ${name}${row !== null && series[name]?.[row] !== undefined ? html` <span class="number">${brief(series[name][row])}</span>` : ""}</span>`)}
      <span class="unit">${unit}</span></figcaption>
    <div class="plot" ref=${place} tabindex="0" role="img" onKeyDown=${onKey} onDblClick=${() => onRange(null, null)}
      aria-label=${`${names.join(", ")} ${unit} over t from ${brief(t[0])} to ${brief(t[t.length - 1])}; arrow keys move the cursor`}></div>
  </figure>`;
}

/** The instant under the cursor; spoken when the keys move it. */
export function Instant({ series, units }) {
  const row = cursor.value;
  const t = row === null ? undefined : series.t?.[row];
  return html`<output class="instant number" aria-live="polite">t = ${t === undefined ? "–" : brief(t)} ${units.t ?? ""}</output>`;
}
