/** The list of jobs: counts as filters, search, live changes, and what is done to many at once. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { STATES, Progress, State, brief, title, verdictsText, when } from "./format.js";
import { useKey } from "./keys.js";
import {
  address, client, connectionIs, follow, reason, refused, setQuery,
} from "./service.js";

const PAGE = 50; // jobs of a page of the list
const WAIT = 30; // seconds of a request that waits for changes
const NAMES = 12; // jobs that a question names
const RUNNING_WAIT = 1; // the same while a listed job runs: progress changes nothing in the store

/** The parameters of the address that narrow the list. */
const FILTERS = ["state", "name", "label"];
const LABEL = "[^=]+=.*"; // of `label`: key=value

/** The filters of the address as pairs of name and value; a label that is none is left out. */
const filters = () => FILTERS.map((name) => [name, address.value.query.get(name) ?? ""])
  .filter(([name, value]) => value && (name !== "label" || RegExp(`^${LABEL}$`).test(value)));

/** The filter of the address in words. */
const filterText = () => filters().map((pair) => pair.join(" ")).join(", ");

/**
 * What the address asks for. `filter` finds the same jobs for an action on all of them; null: no
 * filter, or a name, which such an action does not know.
 */
function wish() {
  const { state, name, label } = Object.fromEntries(filters());
  const [key, ...value] = (label ?? "").split("=");
  const labels = label ? { [key]: value.join("=") } : undefined;
  const filter = !name && (state || labels) ? { state, labels } : null;
  return { state, filter, query: { name, ...(labels && { ["label." + key]: labels[key] }) } };
}

/** What can be done to many jobs at once, and in which states. */
const VERBS = {
  Cancel: { done: "cancelled", look: "main", states: ["queued", "running"],
            call: (wish) => client.cancelJobs(wish) },
  Delete: { done: "deleted", look: "danger", states: ["succeeded", "failed", "cancelled"],
            call: (wish) => client.deleteJobs(wish) },
};

/** @param {number} n */
const jobsText = (n) => `${n.toLocaleString()} ${n === 1 ? "job" : "jobs"}`;

/** @param {Record<string, any>} query @param {AbortSignal} [signal] @param {number} [patience] */
function read(query, signal, patience = 0) {
  const whole = { limit: PAGE, include: "counts", ...query };
  return client.transport.json("GET", "/v1/jobs", { query: whole, signal, patience });
}

/**
 * @typedef {{jobs: any[], held: any[], counts: any, next: string | null, searchedTo: string | null,
 *            ready: boolean}} List `held`: new jobs that wait
 */

/** @type {List} */
const EMPTY = { jobs: [], held: [], counts: null, next: null, searchedTo: null, ready: false };

/**
 * Puts a page of changes into the list: changed jobs stay in their places, new ones come first, or
 * wait while a job is selected.
 * @param {List} list @param {any} page @param {string | undefined} state @param {boolean} hold
 */
export function withChanges(list, page, state, hold) {
  const fits = (job) => !state || job.state === state;
  const changed = new Map(page.jobs.map((job) => [job.id, job]));
  const gone = new Set(page.deleted ?? []);
  const stays = (job) => fits(job) && !gone.has(job.id);
  const kept = (jobs) => jobs.map((job) => changed.get(job.id) ?? job).filter(stays);
  const newestFirst = (jobs) => jobs.sort((a, b) => (a.id < b.id ? 1 : -1));
  const known = new Set([...list.jobs, ...list.held].map((job) => job.id));
  const oldest = list.next && list.jobs.length ? list.jobs[list.jobs.length - 1].id : "";
  const added = page.jobs.filter((job) => !known.has(job.id) && stays(job) && job.id > oldest);
  const newest = newestFirst([...added, ...kept(list.held)]);
  return {
    ...list,
    jobs: hold ? kept(list.jobs) : newestFirst([...newest, ...kept(list.jobs)]),
    held: hold ? newest : [],
    counts: page.counts ?? list.counts,
  };
}

/**
 * The list as it is now; `holding` keeps new jobs back, `paused` everything.
 * @param {string} key @param {{current: boolean}} holding @param {boolean} paused
 * @returns {[List, (list: List) => void]}
 */
function useList(key, holding, paused) {
  const [list, setList] = useState(EMPTY);
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
        const known = new Set(now.jobs.map((job) => job.id));
        page.jobs = [...now.jobs, ...page.jobs.filter((job) => !known.has(job.id))];
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
  const one = (name, n) => html`<button class=${"count " + (name ?? "all")}
    aria-pressed=${state === name} onClick=${() => setQuery({ state: name ?? null })}>
    ${name ?? "all"} <span class="number">${text(n)}</span></button>`;
  return html`<div class="counts" role="group" aria-label="Jobs by state">${one(undefined, total)}
    ${STATES.map((name) => one(name, counts ? counts[name] : null))}</div>`;
}

/** A parameter of the address as a text field; it is taken when nobody types any more. */
function Field({ name, label, hint, type = "text", pattern = ".*" }) {
  const timer = useRef(0);
  const take = (event) => {
    clearTimeout(timer.current);
    if (!event.target.checkValidity()) return;
    const value = event.target.value.trim();
    timer.current = setTimeout(() => setQuery({ [name]: value }), 250);
  };
  return html`<label class="field">${label} <input
    type=${type} pattern=${pattern} placeholder=${hint}
    value=${address.value.query.get(name) ?? ""} onInput=${take} /></label>`;
}

/** The members of an ensemble and the inputs that they vary. @param {any} job */
function membersText({ members, design }) {
  const names = (design?.axes ?? []).map(({ path }) => path.split(".").at(-1));
  const over = names.length ? " over " + names.join(", ") : "";
  return `${members.total.toLocaleString()} members${over}`;
}

function Row({ job, chosen, choose }) {
  const digest = job.digest ?? {};
  const name = title(job);
  const warnings = job.warnings?.length;
  return html`<tr class=${chosen ? "chosen" : ""}>
    <td><input type="checkbox" checked=${chosen} onChange=${() => choose(job.id)}
      aria-label=${"Select " + name} /></td>
    <td><${State} state=${job.state} /></td>
    <td><a href=${"#job/" + job.id}>${name}</a>
      ${job.members && html` <span class="quiet">${membersText(job)}</span>`}
      ${Object.entries(job.labels ?? {}).map(([key, value]) => html`
        <button class="label" title="Only jobs with this label"
        onClick=${() => setQuery({ label: `${key}=${value}` })}>${key}=${value}</button>`)}</td>
    <td><${Progress} data=${job} /></td>
    <td class="number">${brief(digest.worst_residual)}</td>
    <td class="number">${brief(digest.energy_balance)}</td>
    <td class=${digest.verdicts?.disagree ? "warn" : ""}>${verdictsText(digest.verdicts)}</td>
    <td class=${warnings ? "number warn" : "number"}>${warnings || "–"}</td>
    <td class="number">${when(job.created)}</td></tr>`;
}

/**
 * Asks before anything is done to many jobs: how many, of which filter, and their names.
 * `jobs` are those that are listed; with a filter the action goes to all that it finds.
 */
function Confirm({ verb, n, bound, jobs, filter, close }) {
  const dialog = useRef(null);
  const [told, setTold] = useState("");
  const { look, done, call } = VERBS[verb];
  useLayoutEffect(() => dialog.current.showModal(), []); // it is never there and closed
  const act = async () => {
    try {
      let changed = 0;
      for (let more = true; more; ) {
        const outcome = await call(filter ?? { ids: jobs.map((job) => job.id) });
        changed += outcome.changed;
        const [refused] = outcome.refused;
        const rest = jobsText(outcome.refused.length);
        if (refused) return setTold(`${jobsText(changed)} ${done}, ${rest} not: ${refused.detail}`);
        more = outcome.more;
      }
      close(`${jobsText(changed)} ${done}.`);
    } catch (why) {
      setTold(reason(why));
    }
  };
  const shown = jobs.slice(0, NAMES);
  return html`<dialog ref=${dialog} aria-labelledby="ask" onClose=${() => close("")}>
    <h2 id="ask">${verb} ${bound}${jobsText(n)}${filter ? " of filter " + filterText() : ""}?</h2>
    <ul class="names">${shown.map((job) => html`
        <li>${title(job)} <small>${job.id.slice(-8)}</small></li>`)}
      ${n > shown.length && html`
        <li>and ${bound}${(n - shown.length).toLocaleString()} more</li>`}</ul>
    ${verb === "Delete" && html`<p>Their results are gone for good.</p>`}
    ${told && html`<p class="warn" role="alert">${told}</p>`}
    <div class="bar"><button onClick=${() => dialog.current.close()}>Keep</button>
      <button class=${look} onClick=${act}>${verb} ${bound}${jobsText(n)}</button></div></dialog>`;
}

const SYSTEMS = [
  ["snakeboard", "Snakeboard"], ["vertical-rolling-disk", "Rolling disk"], ["pendulum", "Pendulum"],
];

/** No job at all: three systems of the catalog, each one click from a job. */
function Empty() {
  const [told, setTold] = useState("");
  const start = async (name) => {
    try {
      const system = await client.catalogSystem(name);
      const job = await client.submit(system.job);
      location.hash = "job/" + job.id;
    } catch (why) {
      setTold(reason(why));
    }
  };
  return html`<div class="empty"><h2>No jobs yet</h2>
    <p>A job is a model and a time interval; its result is the motion, with evidence of its
      accuracy. Run a built-in system:</p>
    <div class="bar center">${SYSTEMS.map(([name, text]) => html`
      <button class="main" disabled=${Boolean(refused.value)}
        onClick=${() => start(name)}>${text}</button>`)}</div>
    ${refused.value && html`<p class="warn">${refused.value}</p>`}
    ${told && html`<p class="warn" role="alert">${told}</p>`}</div>`;
}

const NoMatch = () => html`<div class="empty"><h2>No job fits</h2><p>Filter: ${filterText()}</p>
  <button onClick=${() => setQuery({ state: null, name: null, label: null })}>
    Clear the filter</button></div>`;

const COLUMNS = [
  "state", "model", "time taken", "worst residual", "energy error", "verdicts", "warnings",
  "created",
];

/**
 * What can be done to the selected jobs: each verb with its number of jobs, those that are listed,
 * and the filter if the selection is all that it finds. `bound`: words before the number if the
 * service has not counted all.
 * @param {any[]} jobs that are selected @param {any} counts @param {any} filter
 */
export function possible(jobs, counts, filter) {
  return Object.entries(VERBS).map(([verb, { states }]) => {
    const fitting = jobs.filter((job) => states.includes(job.state));
    const found = states.filter((state) => (filter?.state ?? state) === state);
    const n = filter ? found.reduce((sum, state) => sum + counts[state], 0) : fitting.length;
    return { verb, n, bound: filter && counts.more ? "at least " : "", jobs: fitting, filter };
  }).filter(({ n }) => n > 0);
}

const NOTHING = { ids: new Set(), whole: false };

export function JobsPage() {
  const { state, query, filter } = wish();
  const key = JSON.stringify([state, query]);
  // the ids of selected jobs; `whole`: all that the filter finds
  const [{ ids, whole }, select] = useState(NOTHING);
  const [paused, setPaused] = useState(false);
  const [asked, setAsked] = useState(null);
  const [told, setTold] = useState("");
  const holding = useRef(false);
  const [list, setList] = useList(key, holding, paused);
  const clear = () => select(NOTHING);
  useEffect(clear, [key]);
  useKey("Escape", clear);
  useEffect(() => {
    document.title = "Jobs – dalembert";
  }, []);
  const jobs = list.jobs.filter((job) => ids.has(job.id));
  holding.current = jobs.length > 0;
  const choose = (id) => select((old) => {
    const now = new Set(old.ids);
    if (!now.delete(id)) now.add(id);
    return { ids: now, whole: false };
  });
  const all = jobs.length > 0 && jobs.length === list.jobs.length;
  const chooseAll = () => {
    if (all) return clear();
    select({ ids: new Set(list.jobs.map((job) => job.id)), whole: filter !== null });
  };
  const older = async () => {
    const page = await read({ ...query, state, cursor: list.next ?? list.searchedTo });
    const jobs = [...list.jobs, ...page.jobs];
    setList({ ...list, jobs, next: page.next, searchedTo: page.searched_to ?? null });
  };
  const show = () => setList({ ...list, jobs: [...list.held, ...list.jobs], held: [] });
  return html`<main id="main" tabindex="-1">
    <div class="head"><h1>Jobs</h1><div class="bar"><a class="button" href="#new">New job</a>
      <a class="button" href="#catalog">Catalog</a></div></div>
    <${Counts} counts=${list.counts} state=${state} />
    <div class="bar">
      <${Field} name="name" label="Name" hint="part of the model's name" type="search" />
      <${Field} name="label" label="Label" hint="key=value" pattern=${LABEL} />
      <button aria-pressed=${paused} onClick=${() => setPaused(!paused)}>
        ${paused ? "Go on" : "Pause"}</button>
      <span class="quiet" role="status">${told}</span></div>
    <div class="bar chosen-bar" hidden=${jobs.length === 0}>
      <strong>${whole ? "All of filter " + filterText() : `${jobs.length} selected`}</strong>
      ${possible(jobs, list.counts, whole ? filter : null).map((target) => html`
        <button class=${VERBS[target.verb].look} disabled=${Boolean(refused.value)}
          onClick=${() => setAsked(target)}>
          ${target.verb} ${target.bound}${jobsText(target.n)}</button>`)}
      ${!whole && jobs.length > 1 && html`
        <a class="button" href=${"#compare?ids=" + jobs.map((job) => job.id).join()}>Compare</a>`}
      <button onClick=${clear}>Clear</button>
      ${refused.value && html`<span class="warn">${refused.value}</span>`}</div>
    ${list.held.length > 0 && html`
      <button class="held" onClick=${show}>${list.held.length} new</button>`}
    ${list.jobs.length > 0 && html`
      <div class="scroll" tabindex="0" role="region" aria-label="List of jobs"><table class="jobs">
      <thead><tr>
        <th><input type="checkbox" aria-label="Select all" checked=${all}
          onChange=${chooseAll} /></th>
        ${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${list.jobs.map((job) => html`
        <${Row} key=${job.id} job=${job} chosen=${ids.has(job.id)} choose=${choose} />`)}</tbody>
      </table></div>`}
    ${list.ready && list.jobs.length === 0 && html`<${filterText() ? NoMatch : Empty} />`}
    ${(list.next || list.searchedTo) && html`
      <button onClick=${older}>${list.next ? "Older jobs" : "Search older jobs"}</button>`}
    ${asked && html`<${Confirm} ...${asked} close=${(outcome) => {
      setAsked(null);
      if (outcome) {
        setTold(outcome);
        clear();
      }
    }} />`}</main>`;
}
