/** Numbers, times and states for people. */
import { html } from "../vendor/preact.js";

/** Few digits. @param {any} value @param {number} [digits] */
export function brief(value, digits = 4) {
  if (value === null || value === undefined || value === "") return "–";
  const number = Number(value);
  if (!Number.isFinite(number)) return String(value);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return exponential(number, digits);
  return String(Number(number.toPrecision(digits)));
}

const exponential = (number, digits) => number.toExponential(digits - 3).replace("e+", "e");

/** Numbers of an axis, with as many digits as tell them apart. @param {number[]} values */
export function labelsOf(values) {
  for (let digits = 4; ; digits++) {
    const texts = values.map((value) => brief(value, digits));
    if (digits === 15 || new Set(texts).size === values.length) return texts;
  }
}

/** @param {string | null} text */
export function when(text) {
  if (!text) return "–";
  const date = new Date(text);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleString();
}

/** @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 1) return `${Math.max(1, Math.round(1000 * seconds))} ms`;
  if (seconds < 120) return `${Number(seconds.toPrecision(3))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export const STATES = ["queued", "running", "succeeded", "failed", "cancelled"];
const ICONS = { queued: "○", running: "▶", succeeded: "✓", failed: "✕", cancelled: "⊘" };

/** A state as an icon and a word. @param {{state: keyof typeof ICONS}} properties */
export const State = ({ state }) =>
  html`<span class=${"state " + state}>
    <span aria-hidden="true">${ICONS[state]}</span> ${state}</span>`;

/** @param {Record<string, any>} data */
export const title = (data) => data.model?.name || `Job ${data.id.slice(-8)}`;

/** @param {Record<string, any>} data of a job */
export function Progress({ data }) {
  if (data.state === "queued")
    return html`<span>${data.queue ? `place ${data.queue.position + 1}` : "waiting"}</span>`;
  if (data.state !== "running") return html`<span>${duration(data.digest?.wall_s)}</span>`;
  const { fraction, eta_s } = data.progress ?? {};
  const percent = Math.floor(100 * (fraction ?? 0));
  return html`<progress max="1" value=${fraction ?? 0} aria-label="progress"></progress>${" "}
    <span class="number">${percent} %${eta_s ? `, ${duration(eta_s)} left` : ""}</span>`;
}

/** Counts of verdicts in words. @param {Record<string, number> | undefined} verdicts */
export function verdictsText(verdicts) {
  if (!verdicts) return "–";
  const words = {
    yes: "conserved", no: "not conserved", undecided: "undecided", disagree: "disagree",
  };
  const told = Object.keys(words).filter((name) => verdicts[name]);
  return told.map((name) => `${verdicts[name]} ${words[name]}`).join(", ") || "–";
}

/** A number with its name and what it means; the parent is a dl. */
export const Fact = ({ name, value, hint, bad = false }) =>
  html`<div class=${bad ? "fact bad" : "fact"}>
    <dt>${name}</dt><dd>${value}</dd><dd class="hint">${hint}</dd></div>`;

/** What words of the reasons mean, if one uses them. @param {{verdicts: any[]}} properties */
export const Meaning = ({ verdicts }) =>
  verdicts.some((one) => one.reason?.includes("random admissible state"))
    ? html`<p class="quiet">An admissible state fulfils the constraints. If a quantity changes at
        one of them, this proves that it is not conserved; so it is enough to draw some at
        random.</p>`
    : null;
