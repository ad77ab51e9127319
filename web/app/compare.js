/** Several jobs beside each other: differing inputs, common columns in one plot, ghosts in one scene. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { State, brief, title } from "./format.js";
import { Panel, Instant, ascending } from "./plots.js";
import { client, failed, follow } from "./service.js";

export const MOST = 10; // jobs of a comparison
const POINTS = 2000; // rows of each
const LONG = 60; // characters of an input that is shown

/** Every value of a document by its pointer. @param {any} value @param {string} at @returns {[string, string][]} */
function leaves(value, at = "") {
  if (typeof value !== "object" || value === null) return [[at, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, one]) => leaves(one, `${at}/${key}`));
}

/** The inputs in which requests differ: pointer and the value of each. @param {any[]} requests */
export function differences(requests) {
  const maps = requests.map((request) => new Map(leaves(request)));
  const pointers = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  return pointers.map((pointer) => ({ pointer, values: maps.map((map) => map.get(pointer) ?? "–") }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

/**
 * Columns of several jobs over all instants of them; null where a job has no row.
 * @param {{t: number[]}[]} all series of the jobs, with growing t @param {string} name of a column
 */
export function together(all, name) {
  const t = [...new Set(all.flatMap((series) => [...series.t]))].sort((a, b) => a - b);
  const place = new Map(t.map((instant, k) => [instant, k]));
  const columns = all.map((series) => {
    const values = new Array(t.length).fill(undefined); // uPlot draws a line across undefined, a gap at null
    series.t.forEach((instant, k) => (values[place.get(instant)] = series[name]?.[k] ?? null));
    return values;
  });
  return { t, columns };
}

/** Whether all jobs have rows at the same instants. @param {{t: number[]}[]} all */
const agree = (all) => all.every(({ t }) => t.length === all[0].t.length && t.every((instant, k) => instant === all[0].t[k]));

async function read(id, stop) {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const get = (route, query) => client.transport.json("GET", path + route, { query, signal: stop });
  const data = await get("");
  const [request, rows] = await Promise.all([get("/request"), data.rows ? get("/result", { points: POINTS }) : null]);
  return { data, request, series: rows ? ascending(rows.series) : { t: [] }, columns: rows?.columns ?? [], units: rows?.units ?? {} };
}

/** The letters by which plots name the jobs. @param {number} k */
const letter = (k) => String.fromCharCode(65 + k);

function Overlay({ name, jobs, mode }) {
  const { t, columns } = together(jobs.map((one) => one.series), name);
  const names = jobs.map((_, k) => letter(k)).slice(mode);
  const shown = columns.slice(mode);
  const base = columns[0];
  const values = mode ? shown.map((column) => column.map((value, k) => (value === null ? null : value - base[k]))) : shown;
  const series = { t, ...Object.fromEntries(names.map((one, k) => [one, values[k]])) };
  const unit = `${name}${mode ? " minus that of A" : ""}${jobs[0].units[name] ? ` [${jobs[0].units[name]}]` : ""}`;
  return html`<${Panel} unit=${unit} names=${names} series=${series} onRange=${() => {}} />`;
}

/** @param {{ids: string[]}} properties */
export function ComparePage({ ids }) {
  const [jobs, setJobs] = useState([]);
  const [told, setTold] = useState("");
  const [subtract, setSubtract] = useState(false);
  const some = ids.slice(0, MOST);
  useEffect(() => {
    document.title = "Compare – dalembert";
    return follow(async (stop) => {
      try {
        setJobs(await Promise.all(some.map((id) => read(id, stop))));
      } catch (why) {
        if (failed(why)) throw why;
        setTold(why?.detail || String(why?.message ?? why));
      }
      return false;
    });
  }, [ids.join()]);
  if (told) return html`<main id="main" tabindex="-1"><h1>Compare</h1><p class="warn" role="alert">${told}</p></main>`;
  if (!jobs.length) return html`<main id="main" tabindex="-1" aria-busy="true"><h1>Compare</h1></main>`;
  const [first, ...others] = jobs;
  const common = first.columns.filter((name) => name !== "t" && others.every((one) => one.columns.includes(name)));
  const same = agree(jobs.map((one) => one.series));
  const inputs = differences(jobs.map((one) => one.request));
  return html`<main id="main" tabindex="-1"><h1>Compare ${jobs.length} jobs</h1>
    ${ids.length > MOST && html`<p class="warn">The first ${MOST} of ${ids.length} are shown.</p>`}
    <div class="bar"><${Instant} series=${{ t: together(jobs.map((one) => one.series), "t").t }} units=${first.units} />
      <button aria-pressed=${subtract} disabled=${!same} onClick=${() => setSubtract(!subtract)}>Differences from A</button>
      ${!same && html`<span class="quiet">For differences run all jobs at the same instants (<code>time</code>).</span>`}</div>
    ${common.length === 0 && html`<p>These jobs have no column in common.</p>`}
    <div class="panels">${common.map((name) => html`<${Overlay} key=${name} name=${name} jobs=${jobs} mode=${subtract && same ? 1 : 0} />`)}</div>
    <h2>Jobs</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Differing inputs"><table>
      <thead><tr><th scope="col"></th>${jobs.map(({ data }, k) => html`<th scope="col">${letter(k)}: <a href=${"#job/" + data.id}>${title(data)}</a></th>`)}</tr></thead>
      <tbody><tr><td>state</td>${jobs.map(({ data }) => html`<td><${State} state=${data.state} /></td>`)}</tr>
        <tr><td>worst residual</td>${jobs.map(({ data }) => html`<td class="number">${brief(data.digest?.worst_residual)}</td>`)}</tr>
        <tr><td>energy balance</td>${jobs.map(({ data }) => html`<td class="number">${brief(data.digest?.energy_balance)}</td>`)}</tr>
        <tr><td>steps</td>${jobs.map(({ data }) => html`<td class="number">${brief(data.digest?.steps)}</td>`)}</tr>
        ${inputs.map(({ pointer, values }) => html`<tr><td><code>${pointer}</code></td>${values.map((value) =>
          html`<td class="words" title=${value}>${value.length > LONG ? value.slice(0, LONG) + " .." : value}</td>`)}</tr>`)}</tbody></table></div>
    ${inputs.length === 0 && html`<p class="quiet">The requests are equal.</p>`}</main>`;
}
