/**
 * Several jobs beside each other: differing inputs, common columns in one plot, ghosts in one
 * scene.
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { State, brief, title } from "./format.js";
import { agree, differences, together } from "./overlay.js";
import { Instant, Panel, ascending } from "./plots.js";
import { client, failed, follow } from "./service.js";

export const MOST = 10; // jobs of a comparison
const POINTS = 2000; // rows of each
const LONG = 60; // characters of an input that is shown

async function read(id, stop) {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const get = (route, query) => client.transport.json("GET", path + route, { query, signal: stop });
  const data = await get("");
  const [request, rows] = await Promise.all([
    get("/request"),
    data.rows ? get("/result", { points: POINTS }) : null,
  ]);
  return {
    data,
    request,
    series: rows ? ascending(rows.series) : { t: [] },
    columns: rows?.columns ?? [],
    units: rows?.units ?? {},
  };
}

/** The letters by which plots name the jobs. @param {number} k */
const letter = (k) => String.fromCharCode(65 + k);

function Overlay({ name, jobs, mode }) {
  const { t, columns } = together(
    jobs.map((one) => one.series),
    name,
  );
  const names = jobs.map((_, k) => letter(k)).slice(mode);
  const shown = columns.slice(mode);
  const base = columns[0];
  const values = mode
    ? shown.map((column) => column.map((value, k) => (value === null ? null : value - base[k])))
    : shown;
  const series = { t, ...Object.fromEntries(names.map((one, k) => [one, values[k]])) };
  const measured = jobs[0].units[name] ? ` [${jobs[0].units[name]}]` : "";
  const unit = `${name}${mode ? " minus that of A" : ""}${measured}`;
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
  if (told)
    return html`<main id="main" tabindex="-1"><h1>Compare</h1><p class="warn"
      role="alert">${told}</p></main>`;
  if (!jobs.length)
    return html`<main id="main" tabindex="-1" aria-busy="true"><h1>Compare</h1></main>`;
  const [first, ...others] = jobs;
  const common = first.columns.filter(
    (name) => name !== "t" && others.every((one) => one.columns.includes(name)),
  );
  const all = jobs.map((one) => one.series);
  const same = agree(all);
  const instants = { t: together(all, "t").t };
  const inputs = differences(jobs.map((one) => one.request));
  return html`<main id="main" tabindex="-1"><h1>Compare ${jobs.length} jobs</h1>
    ${ids.length > MOST && html`<p class="warn">The first ${MOST} of ${ids.length} are shown.</p>`}
    <div class="bar"><${Instant} series=${instants} units=${first.units} />
      <button aria-pressed=${subtract} disabled=${!same}
        onClick=${() => setSubtract(!subtract)}>Differences from A</button>
      ${!same && html`<span class="quiet">
        For differences run all jobs at the same instants (<code>time</code>).</span>`}</div>
    ${common.length === 0 && html`<p>These jobs have no column in common.</p>`}
    <div class="panels">${common.map((name) => html`<${Overlay} key=${name} name=${name}
      jobs=${jobs} mode=${subtract && same ? 1 : 0} />`)}</div>
    <h2>Jobs</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Differing inputs"><table>
      <thead><tr><th scope="col">input or result</th>${jobs.map(({ data }, k) => html`<th
        scope="col">${letter(k)}: <a href=${"#job/" + data.id}>${title(data)}</a></th>`)}</tr>
        </thead>
      <tbody><tr><td>state</td>${jobs.map(({ data }) => html`<td><${State} state=${data.state} />
        </td>`)}</tr>
        <tr><td>worst residual</td>${jobs.map(({ data }) => html`<td
          class="number">${brief(data.digest?.worst_residual)}</td>`)}</tr>
        <tr><td>energy balance</td>${jobs.map(({ data }) => html`<td
          class="number">${brief(data.digest?.energy_balance)}</td>`)}</tr>
        <tr><td>steps</td>${jobs.map(({ data }) => html`<td
          class="number">${brief(data.digest?.steps)}</td>`)}</tr>
        ${inputs.map(
          ({ pointer, values }) =>
            html`<tr><td><code>${pointer}</code></td>${values.map(
              (value) =>
                html`<td class="words" title=${value}>
                  ${value.length > LONG ? value.slice(0, LONG) + " .." : value}</td>`,
            )}</tr>`,
        )}</tbody></table></div>
    ${inputs.length === 0 && html`<p class="quiet">The requests are equal.</p>`}</main>`;
}
