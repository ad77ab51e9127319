/** The editor of a job: its text, its mistakes as one types, its equations, its motion while sliders move. */
import { batch, computed, html, signal, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { brief } from "./format.js";
import { Plots } from "./job.js";
import { Sliders, isLive, operationsText } from "./live.js";
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

/** JSON whose objects and lists stand in one line if they fit, but the outermost. @param {any} value */
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

/** The text to begin with: a system of the catalog, a job, the draft, or a small example. */
async function firstText(system, job) {
  if (system) return layOut((await client.catalogSystem(system)).job);
  if (job) return layOut(await client.transport.json("GET", `/v1/jobs/${encodeURIComponent(job)}/request`));
  return draft || layOut(FIRST);
}

const NOTHING = { text: "", report: null, mistakes: [], whole: false, refused: "" };

/** What the service says about a text. @param {string} text @param {AbortSignal} stop */
async function check(text, stop) {
  const query = { validate_only: true, include: "equations", format: "latex" };
  try {
    return { ...NOTHING, text, report: await client.transport.json("POST", "/v1/jobs", { query, document: text, signal: stop }) };
  } catch (why) {
    if (stop.aborted || why?.status === undefined || failed(why)) throw why;
    if (why.status === 403) return { ...NOTHING, text, refused: why.detail };
    const mistakes = why.mistakes.length ? why.mistakes : [{ pointer: "", offset: null, message: why.detail || why.title, hint: null }];
    return { ...NOTHING, text, mistakes, whole: why.code === "not_json" };
  }
}

/** Until a signal has another value. @param {any} source @param {any} old @param {AbortSignal} stop */
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
  useEffect(() => follow(async (stop) => {
    const { text, outcome, report } = state;
    await change(text, outcome.value.text, stop);
    if (stop.aborted) return false;
    outcome.value = await check(text.value, stop);
    if (outcome.value.report) report.value = outcome.value.report;
    return true;
  }), []);
  return state;
}

/** Where the text comes from. */
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
  return html`<div class="bar"><label class="field">From the catalog <select onChange=${(event) => (location.hash = "new/" + event.target.value)}>
      <option value="">choose a system</option>${systems.map((one) => html`<option value=${one.name}>${one.title}</option>`)}</select></label>
    <label class="field">From a file <input type="file" accept=".json,application/json" onChange=${open} /></label></div>`;
}

const count = (mistakes) => (mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`);

function Mistakes({ mistakes, jump }) {
  return html`<section aria-label="Mistakes"><h2>${count(mistakes)}</h2>
    <ul class="mistakes">${mistakes.map((one, k) => html`<li><button onClick=${() => jump(k)}><code>${one.pointer || "document"}</code>
      <span>${one.message}</span>${one.hint && html`<small>${one.hint}</small>`}</button></li>`)}</ul></section>`;
}

const INTEGRABLE = { true: "integrable", false: "not integrable (nonholonomic)", null: "integrability is open" };

/** What holds for all motions of the model. */
function Structure({ structure }) {
  const { constraints, cyclic, formulations } = structure;
  return html`<section aria-label="Structure"><h2>Structure</h2>
    <p>Degrees of freedom: ${brief(structure.degrees_of_freedom)}${constraints.length > 0 && `; constraints ${INTEGRABLE[structure.integrable]}`}${structure.time_dependent && "; depends on time"}.
      ${structure.objection && html` <span class="warn">${structure.objection}</span>`}</p>
    ${constraints.length > 0 && html`<p>${constraints.map((one) => html`<span class="label">${one.name}: ${one.kind}${one.redundant ? ", redundant" : ""}</span> `)}</p>`}
    ${cyclic.length > 0 && html`<p>The Lagrangian does not contain ${cyclic.join(", ")}.</p>`}
    <h3>Formulations</h3>
    <ul class="formulations">${Object.entries(formulations).map(([name, one]) =>
      html`<li><span class=${"tag " + (one.applies ? "yes" : "no")}>${one.applies ? "applies" : "does not apply"}</span> ${name}${one.reason && html`<small>: ${one.reason}</small>`}</li>`)}</ul></section>`;
}

/** The editor itself, loaded when it is first needed. */
function useEditor(first, state, run) {
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
    Promise.all([import("./editor.js"), import("./complete.js")]).then(([{ openEditor }, { namesOf }]) => {
      if (gone) return;
      let words = null;
      Promise.all([client.transport.json("GET", "/openapi.json"), client.transport.json("GET", "/v1/language")]).then(([openapi, language]) => {
        words = { schemas: openapi.components.schemas, language };
      }, failed);
      made = openEditor(host.current, {
        text: first, onRun: run, onChange: (text) => (state.text.value = draft = text),
        words: () => words && { ...words, names: namesOf(state.document.value) },
      });
      setEditor(made);
    }, (why) => failed(why));
    return () => {
      gone = true;
      made?.close();
    };
  }, [first]);
  return [host, editor];
}

/** @param {{system?: string, job?: string}} properties where the text comes from */
export function NewPage({ system, job }) {
  const state = useChecks();
  const { outcome: { value: outcome }, report: { value: report }, text, document } = state;
  const [first, setFirst] = useState(null);
  const [told, setTold] = useState("");
  const [motion, setMotion] = useState(null);
  const tell = (why) => {
    failed(why);
    setTold(why?.detail || String(why?.message ?? why));
  };
  useEffect(() => {
    globalThis.document.title = "New job – dalembert";
    firstText(system, job).then(setFirst, tell);
  }, []);
  const run = () => {
    setTold("");
    client.submit(text.value).then((made) => (location.hash = "job/" + made.id), tell);
  };
  useEffect(() => setMotion(null), [first]);
  const [host, editor] = useEditor(first, state, run);
  const shown = useRef(null);

  // marks of the present text; those of a text that was just opened are brought into view
  useEffect(() => {
    if (!editor || outcome.text !== text.value) return;
    editor.mark(outcome.mistakes, outcome.whole);
    if (shown.current !== first && outcome.mistakes.length) editor.reveal(0);
    shown.current = first;
  }, [editor, outcome]);

  const current = outcome.text === text.value;
  const wrong = outcome.mistakes.length > 0;
  const status = !current ? "checking" : outcome.refused || (wrong ? count(outcome.mistakes)
    : report ? `${operationsText(report.estimate.operations)}${isLive(report.estimate) && !report.members ? ": live" : ""}` : "");
  return html`<main tabindex="-1"><div class="head"><h1>New job</h1><span class="quiet" role="status">${status}</span>
      <div class="bar"><button class="main" disabled=${Boolean(outcome.refused)} onClick=${run} aria-keyshortcuts="Control+Enter" title="Ctrl-Enter">Run</button></div></div>
    <${Sources} read=${setFirst} />
    ${told && html`<p class="warn" role="alert">${told}</p>`}
    <div class="desk"><div class="sheet" ref=${host}></div>
      <div>${wrong && html`<${Mistakes} mistakes=${outcome.mistakes} jump=${(k) => editor?.jump(k)} />`}
        ${outcome.refused && html`<p class="warn">${outcome.refused}</p>`}
        ${document.value && html`<section aria-label="Parameters"><h2>Parameters</h2>
          <${Sliders} key=${first} document=${document.value} estimate=${report?.estimate} refused=${outcome.refused} show=${setMotion}
            onRelease=${(one, value) => editor?.setNumber(one.pointer, value)} /></section>`}
        ${motion && html`${motion.moving && html`<${Scene} moving=${motion.moving} label="Motion" />`}<${Plots} rows=${motion.rows} title="Motion" />`}
        ${report && html`<div>${wrong && html`<p class="note">Below: of the last text without mistakes.</p>`}
          <section aria-label="Equations"><h2>Equations</h2>${report.equations ? html`<${Equations} equations=${report.equations} />` : html`<p>${report.no_equations}</p>`}</section>
          <${Structure} structure=${report.structure} />
          ${report.warnings.length > 0 && html`<div class="note warning"><strong>Warnings</strong><ul>${report.warnings.map((one) => html`<li>${one}</li>`)}</ul></div>`}</div>`}
      </div></div></main>`;
}
