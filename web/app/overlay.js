/** What several jobs have in common, and in what they differ. */
import { brief } from "./format.js";

/**
 * Every value of a document by its pointer.
 * @param {any} value
 * @param {string} at
 * @returns {[string, string][]}
 */
function leaves(value, at = "") {
  if (typeof value !== "object" || value === null) return [[at, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, one]) => leaves(one, `${at}/${key}`));
}

/**
 * A request whose model has the values that its `parameters` replace.
 * @param {any} request
 */
function resolved(request) {
  const own = request.model?.parameters;
  if (!own || !request.parameters) return request;
  const { parameters, ...rest } = request;
  const values = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof own[name] === "object" ? { ...own[name], value } : value,
  ]);
  return {
    ...rest,
    model: { ...request.model, parameters: { ...own, ...Object.fromEntries(values) } },
  };
}

/** The inputs in which requests differ: pointer and the value of each. @param {any[]} requests */
export function differences(requests) {
  const maps = requests.map((request) => new Map(leaves(resolved(request))));
  const pointers = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  return pointers
    .map((pointer) => ({ pointer, values: maps.map((map) => map.get(pointer) ?? "–") }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

const INPUTS = 2; // of a name

/**
 * Names that tell jobs apart: their titles, or if these are equal the first inputs that differ.
 * @param {string[]} titles
 * @param {{pointer: string, values: string[]}[]} inputs
 */
export function namesOf(titles, inputs) {
  if (!inputs.length || titles.some((title) => title !== titles[0])) return titles;
  const shown = inputs.slice(0, INPUTS).map(({ pointer, values }) => ({
    name: pointer.replace(/[/]value$/, "").split("/").at(-1),
    values,
  }));
  return titles.map((_, k) => shown.map(({ name, values }) => `${name} = ${values[k]}`).join(", "));
}

/**
 * Columns of several jobs over all instants of them; null where a job has no row.
 * @param {{t: number[]}[]} all series of the jobs, with growing t @param {string} name of a column
 */
export function together(all, name) {
  const t = [...new Set(all.flatMap((series) => [...series.t]))].sort((a, b) => a - b);
  const place = new Map(t.map((instant, k) => [instant, k]));
  const columns = all.map((series) => {
    // uPlot draws a line across undefined, and a gap at null
    const values = new Array(t.length).fill(undefined);
    series.t.forEach((instant, k) => (values[place.get(instant)] = series[name]?.[k] ?? null));
    return values;
  });
  return { t, columns };
}

/** Whether all jobs have rows at the same instants. @param {{t: number[]}[]} all */
export const agree = (all) =>
  all.every(
    ({ t }) => t.length === all[0].t.length && t.every((instant, k) => instant === all[0].t[k]),
  );

/**
 * A sentence about a motion that rests while others move, or "".
 * @param {string} state of its job
 * @param {[number, number]} ends its first and its last instant
 * @param {{start: number, end: number}} all the range of all motions
 */
export function restsAt(state, [first, last], { start, end }) {
  const [from, to] = first <= last ? [start, end] : [end, start];
  const told = [];
  if (state !== "succeeded") told.push(state);
  if (first !== from) told.push(`starts at its first row, t = ${brief(first)}`);
  if (state !== "succeeded" || last !== to) told.push(`stops at its last row, t = ${brief(last)}`);
  return told.join("; ");
}
