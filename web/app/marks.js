/** Marks of instants on an axis of time: events, and the end of a failed run. */
import { html } from "../vendor/preact.js";
import { brief } from "./format.js";

export const MOST = 100; // marks of events in all
const WIDTH = 1000; // of the axis in the units of the drawing

/** @typedef {{t: number, text: string, failed?: boolean}} Mark */

/**
 * The marks of events. @param {{name: string, t: number[]}[]} events
 * @returns {Mark[]}
 */
export function marksOf(events) {
  const all = events.flatMap(({ name, t }) =>
    t.map((at) => ({ t: at, text: `${name} at t = ${brief(at, 6)}` })));
  const step = Math.max(1, all.length / MOST);
  return Array.from({ length: Math.min(all.length, MOST) }, (_, k) => all[Math.floor(k * step)]);
}

/** The mark of the end of a failed run. @param {any} data of the job @param {number} t @returns {Mark} */
export const failureAt = ({ error, reason }, t) =>
  ({ t, text: `failed at t = ${brief(t, 6)}: ${error?.title ?? reason}`, failed: true });

/**
 * Lines at the instants of an axis from `start` to `end`, with the texts as titles.
 * @param {{marks: Mark[], start: number, end: number}} properties
 */
export function Marks({ marks, start, end }) {
  const shown = marks.filter(({ t }) => t >= start && t <= end);
  if (!shown.length || start === end) return null;
  const x = (t) => (WIDTH * (t - start)) / (end - start);
  return html`<svg class="marks" viewBox=${`0 0 ${WIDTH} 1`} preserveAspectRatio="none" role="img"
    aria-label=${shown.map(({ text }) => text).join("; ")}>${shown.map(({ t, text, failed }) =>
    html`<line class=${failed ? "failed" : ""} x1=${x(t)} x2=${x(t)} y1="0" y2="1"
      vector-effect="non-scaling-stroke"><title>${text}</title></line>`)}</svg>`;
}
