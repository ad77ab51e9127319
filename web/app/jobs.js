/** The list of jobs: counts as filters, search, live changes, and what is done to many at once. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { STATES, Progress, State, brief, title, verdictsText, when } from "./format.js";
import { useKey } from "./keys.js";
import { address, client, connectionIs, failed, follow, setQuery } from "./service.js";

const PAGE = 50; // jobs of a page of the list
const WAIT = 30; // seconds of a request that waits for changes
const RUNNING_WAIT = 1; // the same while a listed job runs: its progress changes nothing in the store

/** What the address asks for: `label` is K=V. */
function wish() {
  const { query } = address.value;
  const [label, ...value] = (query.get("label") ?? "").split("=");
  const found = { state: query.get("state"), name: query.get("name") };
  const others = label && value.length ? { ["label." + label]: value.join("=") } : {};
  return { state: found.state, query: { name: found.name, ...others } };
}

/** @param {Record<string, any>} query @param {AbortSignal} [signal] @param {number} [patience] */
const read = (query, signal, patience = 0) =>
  client.transport.json("GET", "/v1/jobs", { query: { limit: PAGE, include: "counts", ...query }, signal, patience });

const EMPTY = { jobs: [], held: [], counts: null, next: null, searchedTo: null, ready: false };

/**
 * Puts a page of changes into the list: changed jobs stay in their places, new ones come first, or
 * wait while a job is selected.
 * @param {typeof EMPTY} list @param {any} page @param {string | null} state @param {boolean} hold
 */
export function withChanges(list, page, state, hold) {
  const fits = (job) => !state || job.state === state;
  const changed = new Map(page.jobs.map((job) => [job.id, job]));
  const gone = new Set(page.deleted ?? []);
  const kept = (jobs) =>
    jobs.map((job) => changed.get(job.id) ?? job).filter((job) => fits(job) && !gone.has(job.id));
  const known = new Set([...list.jobs, ...list.held].map((job) => job.id));
  const oldest = list.next && list.jobs.length ? list.jobs[list.jobs.length - 1].id : "";
  const added = page.jobs.filter((job) => !known.has(job.id) && fits(job) && !gone.has(job.id) && job.id > oldest);
  const newest = [...added, ...kept(list.held)].sort((a, b) => (a.id < b.id ? 1 : -1));
  return {
    ...list,
    jobs: hold ? kept(list.jobs) : [...newest, ...kept(list.jobs)].sort((a, b) => (a.id < b.id ? 1 : -1)),
    held: hold ? newest : [],
    counts: page.counts ?? list.counts,
  };
}

/** The list as it is now; `hold` keeps new jobs back, `paused` everything. */
function useList(key, hold, paused) {
  const [list, setList] = useState(EMPTY);
  const holding = useRef(hold);
  holding.current = hold;
  useEffect(() => {
    setList(EMPTY);
  }, [key]);
  useEffect(() => {
    if (paused) {
      connectionIs("paused");
      return;
    }
    const { state, query } = wish();
    let since = null;
    let running = false;
    return follow(async (stop) => {
      if (since === null) {
        const page = await read({ ...query, state }, stop);
        since = page.revision;
        running = page.jobs.some((job) => job.state === "running");
        setList({ jobs: page.jobs, held: [], counts: page.counts, next: page.next,
                  searchedTo: page.searched_to ?? null, ready: true });
        return true;
      }
      // the answer of jobs that have left the state is needed, too
      const wait = running ? RUNNING_WAIT : WAIT;
      const page = await read({ ...query, since, wait }, stop, wait);
      since = page.reset ? null : page.revision;
      if (page.reset) return true;
      if (running) {
        const now = await read({ ...query, state: "running" }, stop);
        page.jobs = [...now.jobs, ...page.jobs.filter((job) => !now.jobs.some((other) => other.id === job.id))];
      }
      setList((old) => {
        const found = withChanges(old, page, state, holding.current);
        running = found.jobs.some((job) => job.state === "running");
        return found;
      });
      return true;
    });
  }, [key, paused]);
  return [list, setList];
}

/** The counts, as links to the lists of their jobs. */
function Counts({ counts, state }) {
  const total = counts ? STATES.reduce((sum, name) => sum + counts[name], 0) : null;
  const text = (n) => (n === null ? "" : n.toLocaleString() + (counts?.more ? "+" : ""));
  const one = (name, n) => html`<button class=${"count " + (name ?? "all")} aria-pressed=${state === name}
    onClick=${() => setQuery({ state: name })}>${name ?? "all"} <span class="number">${text(n)}</span></button>`;
  return html`<div class="counts" role="group" aria-label="Jobs by state">${one(null, total)}
    ${STATES.map((name) => one(name, counts ? counts[name] : null))}</div>`;
}

/** A text field that is taken when it rests or at Enter. */
function Field({ name, label, hint, type = "text" }) {
  const timer = useRef(0);
  const take = (event) => {
    clearTimeout(timer.current);
    const value = event.target.value.trim();
    timer.current = setTimeout(() => setQuery({ [name]: value }), 250);
  };
  return html`<label class="field">${label} <input type=${type} placeholder=${hint}
    value=${address.value.query.get(name) ?? ""} onInput=${take} /></label>`;
}

function Row({ job, chosen, choose }) {
  const digest = job.digest ?? {};
  const name = title(job);
  return html`<tr class=${chosen ? "chosen" : ""}>
    <td><input type="checkbox" checked=${chosen} onChange=${() => choose(job.id)} aria-label=${"Select " + name} /></td>
    <td><${State} state=${job.state} /></td>
    <td><a href=${"#job/" + job.id}>${name}</a>
      ${Object.entries(job.labels ?? {}).map(([key, value]) => html`<button class="label" title="Only jobs with this label"
        onClick=${() => setQuery({ label: `${key}=${value}` })}>${key}=${value}</button>`)}</td>
    <td><${Progress} data=${job} /></td>
    <td class="number">${brief(digest.worst_residual)}</td>
    <td class="number">${brief(digest.energy_balance)}</td>
    <td class=${digest.verdicts?.disagree ? "warn" : ""}>${verdictsText(digest.verdicts)}</td>
    <td class=${job.warnings?.length ? "number warn" : "number"}>${job.warnings?.length || "–"}</td>
    <td class="number">${when(job.created)}</td></tr>`;
}

/** Asks before anything is done to many jobs: how many, of which filter, and their names. */
function Confirm({ verb, jobs, close }) {
  const dialog = useRef(null);
  const [told, setTold] = useState("");
  const { query } = address.value;
  const filter = ["state", "name", "label"].filter((name) => query.get(name)).map((name) => query.get(name)).join(", ");
  useEffect(() => dialog.current?.showModal(), []);
  const act = async () => {
    const ids = jobs.map((job) => job.id);
    try {
      const outcome = await (verb === "Delete" ? client.deleteJobs({ ids }) : client.cancelJobs({ ids }));
      const refused = outcome.refused ?? [];
      if (refused.length === 0) return close(true);
      setTold(`${refused.length} of ${ids.length} stay: ${refused[0].detail ?? refused[0].code}`);
    } catch (why) {
      failed(why);
      setTold(String(why?.message ?? why));
    }
  };
  const n = `${jobs.length} ${jobs.length === 1 ? "job" : "jobs"}`;
  return html`<dialog ref=${dialog} aria-labelledby="ask" onClose=${() => close(false)}>
    <h2 id="ask">${verb} ${n}${filter ? ` of filter ${filter}` : ""}?</h2>
    <ul class="names">${jobs.slice(0, 12).map((job) => html`<li>${title(job)} <small>${job.id.slice(-8)}</small></li>`)}
      ${jobs.length > 12 && html`<li>and ${jobs.length - 12} more</li>`}</ul>
    ${verb === "Delete" && html`<p>Their results are gone for good.</p>`}
    ${told && html`<p class="warn" role="alert">${told}</p>`}
    <div class="bar"><button class=${verb === "Delete" ? "danger" : "main"} onClick=${act}>${verb} ${n}</button>
      <button onClick=${() => dialog.current.close()}>Keep</button></div></dialog>`;
}

/** No job at all: three systems of the catalog, each one click from a job. */
function Empty() {
  const [told, setTold] = useState("");
  const start = async (name) => {
    try {
      const system = await client.catalogSystem(name);
      const job = await client.submit(system.job);
      location.hash = "job/" + job.id;
    } catch (why) {
      failed(why);
      setTold(String(why?.message ?? why));
    }
  };
  const systems = [["snakeboard", "Snakeboard"], ["vertical-rolling-disk", "Rolling disk"], ["pendulum", "Pendulum"]];
  return html`<div class="empty"><h2>No jobs yet</h2>
    <p>A job is a model and a time interval; its result is the motion, with evidence of its accuracy. Run a built-in system:</p>
    <div class="bar center">${systems.map(([name, text]) => html`<button class="main" onClick=${() => start(name)}>${text}</button>`)}</div>
    ${told && html`<p class="warn" role="alert">${told}</p>`}</div>`;
}

const NoMatch = () => html`<div class="empty"><h2>No job fits</h2>
  <p>Filter: ${["state", "name", "label"].filter((name) => address.value.query.get(name))
    .map((name) => `${name} ${address.value.query.get(name)}`).join(", ")}</p>
  <button onClick=${() => setQuery({ state: null, name: null, label: null })}>Clear the filter</button></div>`;

const COLUMNS = ["state", "model", "progress", "worst residual", "energy", "verdicts", "warnings", "created"];

export function JobsPage() {
  const { state, query } = wish();
  const key = JSON.stringify([state, query]);
  const [chosen, setChosen] = useState(new Set());
  const [paused, setPaused] = useState(false);
  const [verb, setVerb] = useState("");
  const [list, setList] = useList(key, chosen.size > 0, paused);
  useEffect(() => setChosen(new Set()), [key]);
  useKey("Escape", () => setChosen(new Set()));
  useEffect(() => {
    document.title = "Jobs – dalembert";
  }, []);
  const jobs = list.jobs.filter((job) => chosen.has(job.id));
  const choose = (id) => {
    const now = new Set(jobs.map((job) => job.id));
    if (!now.delete(id)) now.add(id);
    setChosen(now);
  };
  const all = jobs.length > 0 && jobs.length === list.jobs.length;
  const older = async () => {
    const page = await read({ ...query, state, cursor: list.next ?? list.searchedTo });
    setList({ ...list, jobs: [...list.jobs, ...page.jobs], next: page.next, searchedTo: page.searched_to ?? null });
  };
  const show = () => setList({ ...list, jobs: [...list.held, ...list.jobs], held: [] });
  const filtered = state || Object.values(query).some(Boolean);
  return html`<main id="main" tabindex="-1"><h1>Jobs</h1>
    <${Counts} counts=${list.counts} state=${state} />
    <div class="bar"><${Field} name="name" label="Name" hint="part of the model's name" type="search" />
      <${Field} name="label" label="Label" hint="key=value" />
      <button aria-pressed=${paused} onClick=${() => setPaused(!paused)}>${paused ? "Go on" : "Pause"}</button></div>
    <div class="bar chosen-bar" hidden=${jobs.length === 0}><strong>${jobs.length} selected</strong>
      ${jobs.length > 1 && html`<a class="button" href=${"#compare?ids=" + jobs.map((job) => job.id).join()}>Compare</a>`}
      <button onClick=${() => setVerb("Cancel")}>Cancel</button>
      <button class="danger" onClick=${() => setVerb("Delete")}>Delete</button>
      <button onClick=${() => setChosen(new Set())}>Clear</button></div>
    ${list.held.length > 0 && html`<button class="held" onClick=${show}>${list.held.length} new</button>`}
    ${list.jobs.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="List of jobs"><table class="jobs">
      <thead><tr><th><input type="checkbox" aria-label="Select all" checked=${all}
        onChange=${() => setChosen(new Set(all ? [] : list.jobs.map((job) => job.id)))} /></th>
        ${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${list.jobs.map((job) => html`<${Row} key=${job.id} job=${job} chosen=${chosen.has(job.id)} choose=${choose} />`)}</tbody>
      </table></div>`}
    ${list.ready && list.jobs.length === 0 && (filtered ? html`<${NoMatch} />` : html`<${Empty} />`)}
    ${(list.next || list.searchedTo) && html`<button onClick=${older}>${list.next ? "Older jobs" : "Search older jobs"}</button>`}
    ${verb && html`<${Confirm} verb=${verb} jobs=${jobs} close=${(did) => {
      setVerb("");
      if (did) setChosen(new Set());
    }} />`}</main>`;
}
