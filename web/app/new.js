/** The editor of a job: its text, its mistakes while one types, its equations, its sliders. */
import {
  batch,
  computed,
  html,
  signal,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "../vendor/preact.js";
import { brief } from "./format.js";
import { Plots } from "./job.js";
import { Sliders, isLive, parametersOf, varyOf } from "./live.js";
import { Equations } from "./maths.js";
import { Scene } from "./scene.js";
import { client, failed, follow } from "./service.js";

const WIDTH = 88; // characters of a line of a document that is laid out

const FIRST = {
  model: {
    name: "Pendulum",
    coordinates: ["th"],
    parameters: { g: 9.81, l: 1 },
    lagrangian: "l^2/2*dot(th)^2 + g*l*cos(th)",
  },
  initial: { q: { th: 1 } },
  time: { end: 10 },
};

/** JSON whose inner objects and lists stand in one line if they fit. @param {any} value */
function layOut(value, indent = "") {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent + "  ";
  const parts = Array.isArray(value)
    ? value.map((one) => layOut(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${layOut(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const flat = open + parts.join(", ") + close;
  if (indent && indent.length + flat.length <= WIDTH && !flat.includes("\n")) return flat;
  return `${open}\n${inner}${parts.join(",\n" + inner)}\n${indent}${close}`;
}

let draft = ""; // the text that was edited last: another view leaves it as it is

/**
 * The text to begin with: a system of the catalog, a job, the draft, or a small example.
 * @param {{system?: string, job?: string, parameters?: string, vary?: string}} source parameters:
 *   as JSON, those that differ from the values of the system; vary: the parameter that the job is
 *   to vary
 */
async function firstText({ system, job, parameters, vary }) {
  if (system) {
    const document = (await client.catalogSystem(system)).job;
    return layOut(parameters ? { ...document, parameters: JSON.parse(parameters) } : document);
  }
  if (job) {
    const path = `/v1/jobs/${encodeURIComponent(job)}/request`;
    const found = await client.transport.json("GET", path);
    const parameter = vary && parametersOf(found).find((one) => one.name === vary);
    return layOut(parameter ? { ...found, vary: varyOf(parameter) } : found);
  }
  return draft || layOut(FIRST);
}

const NOTHING = { text: "", report: null, mistakes: [], whole: false, refused: "" };

/** Asks the service about a text. @param {string} text @param {AbortSignal} stop */
async function check(text, stop) {
  try {
    const report = await client.validate(text, { equations: true, format: "latex", signal: stop });
    return { ...NOTHING, text, report };
  } catch (why) {
    if (stop.aborted || why?.status === undefined || failed(why)) throw why;
    if (why.status === 403) return { ...NOTHING, text, refused: why.detail };
    const mistakes = why.mistakes.length
      ? why.mistakes
      : [{ pointer: "", offset: null, message: why.detail || why.title, hint: null }];
    return { ...NOTHING, text, mistakes, whole: why.code === "not_json" };
  }
}

/**
 * Until a signal has another value.
 * @param {any} source
 * @param {any} old
 * @param {AbortSignal} stop
 */
async function change(source, old, stop) {
  let end = () => {};
  let wake = () => {};
  await new Promise((resolve) => {
    wake = () => resolve(undefined);
    end = source.subscribe((value) => value !== old && wake());
    stop.addEventListener("abort", wake);
  });
  end();
  stop.removeEventListener("abort", wake);
}

/** The text and the answer about it: one request at a time, always for the newest text. */
function useChecks() {
  const state = useMemo(() => {
    const text = signal("");
    let parsed = null;
    const document = computed(() => {
      try {
        parsed = JSON.parse(text.value);
      } catch {
        // the one before stays
      }
      return parsed;
    });
    return { text, document, outcome: signal(NOTHING), report: signal(null) };
  }, []);
  useEffect(
    () =>
      follow(async (stop) => {
        const { text, outcome, report } = state;
        await change(text, outcome.value.text, stop);
        if (stop.aborted) return false;
        outcome.value = await check(text.value, stop);
        if (outcome.value.report) report.value = outcome.value.report;
        return true;
      }),
    [],
  );
  return state;
}

/** The choice of another text: a system of the catalog, or a file. */
function Sources({ read }) {
  const [systems, setSystems] = useState([]);
  useEffect(() => {
    client.transport.json("GET", "/v1/catalog").then((found) => setSystems(found.systems), failed);
  }, []);
  const open = async (event) => {
    const [file] = event.target.files;
    if (file) read(await file.text());
    event.target.value = "";
  };
  const option = (one) => html`<option value=${one.name}>${one.title}</option>`;
  return html`<div class="bar">
    <label class="field">From the catalog${" "}
      <select onChange=${(event) => (location.hash = "new/" + event.target.value)}>
        <option value="">choose a system</option>${systems.map(option)}</select></label>
    <label class="field">From a file${" "}
      <input type="file" accept=".json,application/json" onChange=${open} /></label></div>`;
}

const count = (mistakes) => (mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`);

function Mistakes({ mistakes, lines, jump }) {
  const place = ({ pointer }, k) =>
    (lines[k] ? `line ${lines[k]}: ` : "") + (pointer || "document");
  const item = (one, k) => html`<li><button onClick=${() => jump(k)}>
    <code>${place(one, k)}</code><span>${one.message}</span>
    ${one.hint && html`<small>${one.hint}</small>`}</button></li>`;
  return html`<section aria-label="Mistakes"><h2>${count(mistakes)}</h2>
    <ul class="mistakes">${mistakes.map(item)}</ul></section>`;
}

const INTEGRABLE = {
  true: "integrable",
  false: "not integrable (nonholonomic)",
  null: "integrability is open",
};

/** Facts about all motions of the model. */
function Structure({ structure }) {
  const { constraints, cyclic, formulations } = structure;
  const facts = [
    `Degrees of freedom: ${brief(structure.degrees_of_freedom)}`,
    constraints.length > 0 && `constraints ${INTEGRABLE[structure.integrable]}`,
    structure.time_dependent && "depends on time",
  ];
  const constraint = (one) => html`<span class="label">
    ${one.name}: ${one.kind}${one.redundant && ", redundant"}</span>`;
  const formulation = ([name, { applies, reason }]) => html`<li>
    <span class=${applies ? "tag yes" : "tag no"}>${applies ? "applies" : "does not apply"}</span>
    ${" "}${name}${reason && html`<small>: ${reason}</small>`}</li>`;
  return html`<section aria-label="Structure"><h2>Structure</h2>
    <p>${facts.filter(Boolean).join("; ")}.</p>
    ${structure.objection && html`<p class="warn">${structure.objection}</p>`}
    ${constraints.length > 0 && html`<p>${constraints.map(constraint)}</p>`}
    ${cyclic.length > 0 && html`<p>The Lagrangian does not contain ${cyclic.join(", ")}.</p>`}
    <h3>Formulations</h3>
    <ul class="formulations">${Object.entries(formulations).map(formulation)}</ul></section>`;
}

/** The report about a valid document. @param {{report: any}} properties */
function Report({ report }) {
  const { equations, no_equations: none, structure, warnings } = report;
  return html`${warnings.length > 0 && html`<div class="note warning"><strong>Warnings</strong>
      <ul>${warnings.map((one) => html`<li>${one}</li>`)}</ul></div>`}
    <section aria-label="Equations"><h2>Equations</h2>
      ${equations ? html`<${Equations} equations=${equations} />` : html`<p>${none}</p>`}</section>
    <${Structure} structure=${structure} />`;
}

/** The outcome of the last check in a few words. */
function statusOf({ refused, mistakes, report }) {
  if (refused) return refused;
  if (mistakes.length) return count(mistakes);
  if (!report) return "";
  if (report.members) return "No mistakes; this is an ensemble";
  return isLive(report.estimate)
    ? "No mistakes; the motion follows the sliders"
    : "No mistakes; a run is long or of unknown length";
}

/** The schemas and the language, for completion; without an answer nothing is completed. */
async function wordsOfService() {
  const get = (path) =>
    client.transport.json("GET", path).catch((why) => {
      failed(why);
      return {};
    });
  const [openapi, language] = await Promise.all(["/openapi.json", "/v1/language"].map(get));
  return { schemas: openapi.components?.schemas ?? {}, language };
}

/** The names that a document gives. @param {any} document */
function namesOf(document) {
  const model = document?.model ?? {};
  const named = (list) =>
    (Array.isArray(list) ? list : [])
      .map((one) => one?.name ?? one)
      .filter((one) => typeof one === "string");
  const keys = (object) => (object && typeof object === "object" ? Object.keys(object) : []);
  return {
    coordinates: [...named(model.coordinates), ...named(model.chart?.coordinates)],
    parameters: keys(model.parameters),
    definitions: keys(model.definitions),
    constraints: named(model.constraints).filter((one) => /^\w+$/.test(one)),
  };
}

/** The editor itself, loaded when it is first needed. */
function useEditor(first, state, run, tell) {
  const host = useRef(null);
  const [editor, setEditor] = useState(null);
  useEffect(() => {
    if (first === null) return undefined;
    let made = null;
    let gone = false;
    batch(() => {
      state.text.value = first;
      state.report.value = null;
    });
    const service = wordsOfService();
    const words = async () => ({ ...(await service), names: namesOf(state.document.value) });
    import("./editor.js").then(({ openEditor }) => {
      if (gone) return;
      const onChange = (text) => (state.text.value = draft = text);
      made = openEditor(host.current, { text: first, onRun: run, onChange, words });
      setEditor(made);
    }, tell);
    return () => {
      gone = true;
      made?.close();
    };
  }, [first]);
  return [host, editor];
}

/**
 * @param {{system?: string, job?: string, parameters?: string, vary?: string}} source of the text, as for
 *   firstText()
 */
export function NewPage(source) {
  const state = useChecks();
  const { text, document } = state;
  const [outcome, report] = [state.outcome.value, state.report.value];
  const [first, setFirst] = useState(null);
  const [told, setTold] = useState("");
  const [motion, setMotion] = useState(null);
  const [lines, setLines] = useState([]);
  const tell = (why) => {
    failed(why);
    setTold(why?.detail || String(why?.message ?? why));
  };
  useEffect(() => {
    globalThis.document.title = "New job – dalembert";
    firstText(source).then(setFirst, tell);
  }, []);
  const run = () => {
    setTold("");
    client.submit(text.value).then((made) => (location.hash = "job/" + made.id), tell);
  };
  useEffect(() => setMotion(null), [first]);
  useEffect(() => setTold(""), [text.value]);
  const [host, editor] = useEditor(first, state, run, tell);
  const shown = useRef(null);

  // marks of the present text; those of a text that was just opened are brought into view
  useEffect(() => {
    if (!editor || outcome.text !== text.value) return;
    setLines(editor.mark(outcome.mistakes, outcome.whole));
    if (shown.current !== first && outcome.mistakes.length) editor.reveal(0);
    shown.current = first;
  }, [editor, outcome]);

  const current = outcome.text === text.value;
  const { refused, mistakes } = outcome;
  const old = mistakes.length > 0 && Boolean(report || motion);
  const vary = (parameter) => editor?.addMember("vary", layOut(varyOf(parameter), "  "));
  const release = (parameter, value) => editor?.setNumber(parameter.pointer, value);
  return html`<main id="main" tabindex="-1">
    <div class="head"><h1>New job</h1>
      <span class="quiet" role="status">${current ? statusOf(outcome) : "checking"}</span>
      <div class="bar"><button class="main" disabled=${Boolean(refused)} onClick=${run}
        aria-keyshortcuts="Control+Enter" title="Ctrl-Enter">Run</button></div></div>
    <${Sources} read=${setFirst} />
    ${told && html`<p class="warn" role="alert">${told}</p>`}
    <div class="desk"><div class="sheet" ref=${host}></div><div>
      ${mistakes.length > 0 &&
      html`<${Mistakes} mistakes=${mistakes} lines=${lines} jump=${(k) => editor?.jump(k)} />`}
      ${document.value &&
      html`<section aria-label="Parameters"><h2>Parameters</h2>
        <${Sliders} key=${first} document=${document.value} estimate=${report?.estimate}
          refused=${refused} show=${setMotion} onRelease=${release} onVary=${vary} /></section>`}
      <div class=${old ? "old" : ""}>
        ${old && html`<p class="note">Of the last text without mistakes.</p>`}
        ${motion && html`<${Plots} rows=${motion.rows} title="Motion" />`}
        ${report && html`<${Report} report=${report} />`}</div>
    </div></div></main>`;
}
