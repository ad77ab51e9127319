/** One job: its state, its motion, the evidence that it is right, its documents. */
import { NotFound } from "../client/dalembert.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { Copies, curl, submit } from "./copy.js";
import { Choice, Ensemble } from "./ensemble.js";
import { Curves, Figures, figuresOf } from "./figures.js";
import {
  Fact, Meaning, Progress, State, brief, duration, title, verdictsText, when,
} from "./format.js";
import { useKey } from "./keys.js";
import { Sliders, slidersOf } from "./live.js";
import { failureAt } from "./marks.js";
import { Equations } from "./maths.js";
import { Instant, Panel, ascending, cursor, panels, within } from "./plots.js";
import { download } from "./save.js";
import { Scene, readScene } from "./scene.js";
import { address, client, failed, follow, reason, refused, setQuery } from "./service.js";
import { overTime } from "./sheet.js";
import { Table } from "./table.js";

const POINTS = 2000; // rows of a plot; the service keeps the extremes between them
const WAIT = 30; // seconds of a request that waits for a change
const RUNNING_WAIT = 1;
const ROWS = 200; // of a table

/** @param {string} id of a job */
const pathOf = (id) => "/v1/jobs/" + encodeURIComponent(id);

/** @param {string} id @param {string} route @param {any} [call] */
const get = (id, route = "", call = {}) => client.transport.json("GET", pathOf(id) + route, call);

/** What a route answers, or null if the job has no such document. */
const maybe = (promise) => promise.catch((why) => {
  if (failed(why)) throw why;
  return null;
});

/** The range of time that the address names. */
function range() {
  const { query } = address.value;
  return { from: query.get("from"), to: query.get("to") };
}

/** The job, its rows and its evidence, followed until it is done. */
function useJob(id) {
  const [all, setAll] = useState({ data: null, rows: null, moving: null, missing: "" });
  const { from, to } = range();
  useEffect(() => {
    let data = null;
    return follow(async (stop) => {
      try {
        const running = data?.state === "running";
        const wait = running ? RUNNING_WAIT : WAIT;
        const change = data && { query: { wait, since: data.revision }, patience: wait };
        data = await get(id, "", { ...change, signal: stop });
        const read = (route, query = {}) => maybe(get(id, route, { signal: stop, query }));
        const moves = data.rows && !data.members;
        const rows = moves ? await read("/result", { points: POINTS, from, to }) : null;
        setAll((old) => ({ ...old, data, rows, missing: "" }));
        const moving = rows && await maybe(readScene(id, { signal: stop }));
        setAll((old) => ({ ...old, moving }));
        if (!data.done) return true;
        // the evidence; a job that was cancelled in the queue has none
        const [diagnostics, invariants, evidence] = await Promise.all([
          data.links.diagnostics && read("/diagnostics"),
          data.links.invariants && read("/invariants"),
          rows && read("/result", { table: "@evidence", points: 500 }),
        ]);
        setAll((old) => ({ ...old, diagnostics, invariants, evidence }));
        return false;
      } catch (why) {
        if (why instanceof NotFound)
          setAll({ data: null, rows: null, moving: null, missing: why.message });
        throw why;
      }
    });
  }, [id, from, to]);
  return all;
}

/** Zooms all panels; null: everything. */
function zoom(from, to) {
  const digits = (t) => (t === null ? null : Number(t.toPrecision(6)));
  setQuery({ from: digits(from), to: digits(to) });
}

/** The rows of the visible range, and the panels of their columns. */
function visible(rows) {
  const { from, to } = range();
  const columns = rows.columns.filter((column) => column !== "t");
  return {
    series: within(ascending(rows.series), from, to),
    list: panels(columns, rows.units ?? {}),
  };
}

/** @param {{rows: any, title: string, marks?: any[]}} properties */
export function Plots({ rows, title: name, marks }) {
  const { from, to } = range();
  const { series, list } = useMemo(() => visible(rows), [rows, from, to]);
  const units = rows.units ?? {};
  useKey("0", () => zoom(null, null));
  useKey("Escape", () => (cursor.value = null));
  if (!series.t?.length) return html`<p class="quiet">No rows in this range of time.</p>`;
  return html`<section aria-label=${name}>
    <div class="bar"><h2>${name}</h2><${Instant} series=${series} units=${units} />
      ${(from || to) && html`<span class="quiet">t from ${brief(from)} to ${brief(to)}</span>
        <button onClick=${() => zoom(null, null)}>Show all</button>`}</div>
    <div class="panels">${list.map((panel) => html`
      <${Panel} key=${panel.unit} ...${panel} series=${series} marks=${marks}
        onRange=${zoom} />`)}
    </div></section>`;
}

/** The plot of a column over another one, which the address names, or null. */
function crossPlot({ columns, units = {} }, series) {
  const { query } = address.value;
  const [x, y] = [query.get("x"), query.get("y")];
  if (!columns.includes(x) || !columns.includes(y)) return null;
  const named = (name) =>
    ({ name: units[name] ? `${name} [${units[name]}]` : name, values: series[name] });
  return { title: `${y} over ${x}`, x: named(x), ys: [named(y)] };
}

/** A column over another one, by two choices. */
function Cross({ rows }) {
  const { query } = address.value;
  const { series } = visible(rows);
  const plot = crossPlot(rows, series);
  const choice = (name) => html`<${Choice} name=${name} value=${query.get(name)}
    names=${rows.columns} none=${true} />`;
  return html`<section aria-label="A column over another"><h3>A column over another</h3>
    <div class="bar">${choice("x")}${choice("y")}</div>
    ${plot && html`<div class="panels"><${Curves} ...${plot} t=${series.t} /></div>`}</section>`;
}

/** @param {Record<string, number> | undefined} counts */
function agreement(counts) {
  if (counts?.disagree) return "a prediction disagrees with the motion";
  const some = Object.values(counts ?? {}).some(Boolean);
  return some ? "no prediction disagrees with the motion" : "none were asked for";
}

/** The numbers that tell how right the motion is. */
function Facts({ data, diagnostics }) {
  const digest = data.digest ?? {};
  const constraints = diagnostics?.constraints ?? [];
  const worst = [...constraints].sort((a, b) => b.max - a.max)[0];
  const none = diagnostics?.constraints?.length === 0;
  const { rcond_min } = diagnostics?.condition ?? {};
  const steps = diagnostics?.steps;
  const disagree = digest.verdicts?.disagree ?? 0;
  return html`<dl class="facts">
    <${Fact} name="Constraints" value=${none ? "none" : brief(digest.worst_residual)}
      hint=${"largest residual, relative" + (worst ? `; worst: ${worst.name}` : "")} />
    <${Fact} name="Energy balance" value=${brief(digest.energy_balance)}
      hint="largest difference of energy and work, relative" />
    <${Fact} name="Condition" value=${brief(rcond_min)}
      hint="least reciprocal condition number; 0 is singular" />
    <${Fact} name="Steps" value=${brief(steps?.accepted ?? digest.steps)}
      hint=${steps?.rejected === undefined
        ? "" : `${steps.rejected} rejected; ${diagnostics.method}`} />
    <${Fact} name="Verdicts" value=${verdictsText(digest.verdicts)} bad=${disagree > 0}
      hint=${data.members ? "not examined in ensembles" : agreement(digest.verdicts)} /></dl>`;
}

const PREDICTED = { yes: "conserved", no: "not conserved", undecided: "undecided" };

/** Whether prediction and observation of a verdict disagree. */
const disagrees = ({ predicted, observed }) =>
  typeof observed?.conserved === "boolean" && predicted !== "undecided"
  && (predicted === "yes") !== observed.conserved;

/** What was observed of a verdict, in words. */
function observation(verdict) {
  const { conserved, max_drift, initial, final } = verdict.observed;
  const values = `${brief(initial)} at first, ${brief(final)} at last`;
  const drift = `varies by up to ${brief(max_drift)}; ${values}`;
  const word = conserved ? "conserved" : "not conserved";
  const end = disagrees(verdict) ? ": this disagrees with the prediction" : "";
  return `Observed: ${word}; it ${drift}${end}`;
}

/** A verdict: the quantity, what was predicted and observed, and why. */
function Verdict({ verdict }) {
  const { name, expression, predicted, observed, reason } = verdict;
  const drifts = typeof observed?.conserved === "boolean";
  return html`<article class=${"verdict" + (disagrees(verdict) ? " bad" : "")}>
    <h3>${name} <span class=${"tag " + predicted}>${PREDICTED[predicted] ?? predicted}</span></h3>
    ${expression && html`<code>${expression}</code>`}
    ${reason && html`<p>${reason}</p>`}
    ${drifts && html`<p class="quiet">${observation(verdict)}</p>`}</article>`;
}

function Right({ data, preview, diagnostics, invariants, evidence }) {
  const verdicts = [...(invariants?.invariants ?? [])];
  verdicts.sort((a, b) => Number(disagrees(b)) - Number(disagrees(a)));
  return html`<section aria-label="Is it right?"><h2>Is it right?</h2>
    ${preview && html`<p class="note">Of the stored job, not of the changed parameters.</p>`}
    <${Facts} data=${data} diagnostics=${diagnostics} />
    ${verdicts.length > 0 && html`<h3>Invariants</h3>
      <div class="verdicts">${verdicts.map((one) => html`
        <${Verdict} key=${one.name} verdict=${one} />`)}</div>`}
    <${Meaning} verdicts=${verdicts} />
    ${evidence && html`<details><summary>Evidence over time</summary>
      <${Table} name="Evidence over time" ...${evidence} /></details>`}</section>`;
}

/** A part that is read when it is opened. */
function Later({ name, read, show }) {
  const [found, setFound] = useState(null);
  const open = async (event) => {
    if (event.target.open && found === null)
      setFound(await read().catch((why) => ({ failure: reason(why) })));
  };
  return html`<details onToggle=${open}><summary>${name}</summary>
    ${found === null && html`<p class="quiet">Reading ...</p>`}
    ${found?.failure && html`<p class="warn">${found.failure}</p>`}
    ${found && !found.failure && show(found)}</details>`;
}

const FORMATS = [
  ["CSV", "text/csv", "csv"], ["NPY", "application/x-npy", "npy"],
  ["NDJSON", "application/x-ndjson", "ndjson"], ["JSON", "application/json", "json"],
];

/** Saves the rows of the visible range: by fetch, because a link would send no key. */
async function save(id, accept, ending) {
  const call = { query: range(), accept };
  const bytes = await client.transport.bytes("GET", pathOf(id) + "/result", call);
  download(new Blob([bytes], { type: accept }), `${id}.${ending}`);
}

/** The equations of motion as LaTeX: from the request, because the model may not be stored. */
async function equationsOf(data) {
  const document = await get(data.id, "/request");
  const report = await client.validate(document, { equations: true, format: "latex" });
  if (!report.equations) throw new Error(report.no_equations);
  return report.equations;
}

/** All plots that are shown, for a file. */
function plotsOf(moving, rows) {
  const { series, list } = visible(rows);
  const t = rows.units?.t ? `t [${rows.units.t}]` : "t";
  const own = series.t.length ? list.map((panel) => overTime({ ...panel, series }, t)) : [];
  const cross = series.t.length ? crossPlot(rows, series) : null;
  return [...figuresOf(moving), ...own, ...(cross ? [cross] : [])];
}

/**
 * The scene and the plots, which follow the sliders between them. `live`, a preview, is shown in
 * place of the job's own motion.
 */
function Motion({ data, rows, moving, live, setLive }) {
  const keep = async () => {
    const document = { ...(await get(data.id, "/request")), parameters: live.document.parameters };
    location.hash = "job/" + (await client.submit(document)).id;
  };
  const vary = ({ name }) => {
    location.hash = `new?job=${data.id}&vary=${encodeURIComponent(name)}`;
  };
  const scene = live?.moving ?? moving;
  const now = live?.rows ?? rows;
  const marks = useMemo(() => {
    const failed = scene && !live && data.state === "failed";
    return failed ? [...scene.marks, failureAt(data, scene.ends[1])] : scene?.marks;
  }, [scene, live, data]);
  return html`${scene && html`<${Scene} moving=${scene} label=${"Motion of " + title(data)}
      marks=${marks} plots=${() => plotsOf(scene, now)} />`}
    ${data.done && html`<${Later} name="Parameters"
      read=${async () => slidersOf(await get(data.id, "/request"))} show=${(found) =>
      html`<${Sliders} ...${found} show=${setLive} onVary=${vary} />`} />`}
    ${live && html`<div class="bar"><button
      onClick=${() => keep().catch(failed)}>Run with these values</button><button
      onClick=${() => setLive(null)}>Show the job again</button></div>`}
    ${scene && html`<${Figures} moving=${scene} marks=${marks} onRange=${zoom} />`}
    <${Plots} rows=${now} marks=${marks}
      title=${live ? "Motion with changed parameters" : "Motion"} />
    <${Cross} rows=${now} />`;
}

function Documents({ data }) {
  const request = curl(pathOf(data.id) + "/request");
  const rows = (query) => () => get(data.id, "/result", { query: { limit: ROWS, ...query } });
  return html`<section aria-label="Data"><h2>Data</h2>
    <div class="bar">${data.rows > 0 && FORMATS.map(([name, accept, ending]) => html`
      <button onClick=${() => save(data.id, accept, ending)}>${name}</button>`)}</div>
    ${data.rows > 0 && html`<${Later} name=${data.members ? "Members" : "Rows"} read=${rows({})}
      show=${(found) => html`<${Table} name="First rows" ...${found} />`} />`}
    ${(data.tables ?? []).map((table) => html`
      <${Later} key=${table} name=${"Table " + table} read=${rows({ table })}
        show=${(found) => html`<${Table} name=${"Rows of " + table} ...${found} />`} />`)}
    ${data.model?.id && html`<${Later} name="Equations" read=${() => equationsOf(data)}
      show=${(found) => html`<${Equations} equations=${found} />`} />`}
    <${Later} name="Request" read=${() => get(data.id, "/request")} show=${(found) => html`
      <pre tabindex="0" class="request">${JSON.stringify(found, null, 2)}</pre>`} />
    <${Copies} texts=${{
      curl: `${request} |\n  ${submit("@-")}`,
      "command line": `${request} | dalembert simulate -`,
      link: location.href,
    }} /></section>`;
}

/** Why a run has ended early, or what it warns of. */
function Notes({ data }) {
  const { error } = data;
  return html`${error && html`<div class="note bad" role="alert">
      <strong>Failed: ${error.title ?? data.reason}</strong> <p>${error.detail ?? error.message}</p>
      ${(error.errors ?? []).map((one) => html`<p><code>${one.pointer}</code> ${one.message}</p>`)}
      ${error.code && html`<p><a href=${"/problems/" + error.code}>What to do</a></p>`}</div>`}
    ${data.state === "cancelled" && html`<div class="note">
      Cancelled${data.rows ? `: the ${data.rows} rows so far are kept` : ""}.</div>`}
    ${(data.warnings ?? []).length > 0 && html`<div class="note warning"><strong>Warnings</strong>
      <ul>${data.warnings.map((one) => html`<li>${one}</li>`)}</ul></div>`}`;
}

function Actions({ data }) {
  const [told, setTold] = useState("");
  const act = (promise, after) => promise.then(after, (why) => setTold(reason(why)));
  const path = pathOf(data.id);
  const post = (route) => client.transport.json("POST", path + route);
  const again = () => act(post("/rerun"), (job) => (location.hash = "job/" + job.id));
  const cancel = () => act(post("/cancel"), () => {});
  const remove = () => confirm(`Delete "${title(data)}" and its result?`)
    && act(client.transport.bytes("DELETE", path), () => (location.hash = "jobs"));
  const off = Boolean(refused.value);
  return html`<div class="bar">${data.done
      ? html`<a class="button" href=${"#new?job=" + data.id}>Edit and run again</a>
        <button disabled=${off} onClick=${again}>Run again</button>
        <button class="danger" disabled=${off} onClick=${remove}>Delete</button>`
      : html`<button disabled=${off} onClick=${cancel}>Cancel</button>`}
    ${off && html`<span class="warn">${refused.value}</span>`}
    ${told && html`<span class="warn" role="alert">${told}</span>`}</div>`;
}

/** @param {{id: string}} properties */
export function JobPage({ id }) {
  const { data, rows, moving, missing, ...evidence } = useJob(id);
  const [live, setLive] = useState(null);
  useEffect(() => {
    cursor.value = null;
  }, [id]);
  useEffect(() => {
    document.title = (data ? title(data) : "Job") + " – dalembert";
  }, [data]);
  if (missing) return html`<main id="main" tabindex="-1"><h1>No such job</h1>
    <p>It was deleted, or the link is wrong.</p><a href="#jobs">All jobs</a></main>`;
  if (!data) return html`<main id="main" tabindex="-1" aria-busy="true"><h1>Job</h1>
    <p class="quiet">Loading.</p></main>`;
  const { provenance = {}, members } = data;
  const how = [provenance.formulation, provenance.method].filter(Boolean).join(", ");
  const size = members
    ? `${members.done ?? 0} of ${members.total} members` : `${data.rows ?? 0} rows`;
  return html`<main id="main" tabindex="-1"><p class="crumb"><a href="#jobs">Jobs</a></p>
    <div class="head"><h1>${title(data)}</h1>
      <${State} state=${data.state} /><${Progress} data=${data} /><${Actions} data=${data} /></div>
    <p class="quiet">${[how, `created ${when(data.created)}`, size].join("; ")}
      ${Object.entries(data.labels ?? {}).map(([key, value]) => html`
        <span class="label">${key}=${value}</span>`)}</p>
    <${Notes} data=${data} />
    ${data.members && html`<${Ensemble} data=${data} />`}
    ${rows && html`<${Motion} data=${data} rows=${rows} moving=${moving} live=${live}
      setLive=${setLive} />`}
    ${data.done && "diagnostics" in evidence && html`<${Right} data=${data}
      preview=${live !== null} ...${evidence} />`}
    <${Documents} data=${data} /></main>`;
}
