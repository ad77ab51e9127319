/** Sliders of parameters: while one moves, the job runs with its value, and the rows are shown. */
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { brief } from "./format.js";
import { readScene } from "./scene.js";
import { abandon, client, failed, patient } from "./service.js";

const LIVE_OPERATIONS = 2e6; // of a run that may follow a slider: about 50 ms
const LABELS = { preview: "page" };
const SECONDS = 20; // limit of a preview
const ROWS = 1000; // of its plots
const NOTCHES = 1000; // of a slider
const NAMES = 3; // conserved quantities that are named
const VALUES = 11; // of a parameter in an ensemble
const SPAN = 10; // a slider goes from a tenth of its value to ten times that

/** The document of a preview. While a slider moves, analyses and second opinions are left out. */
function previewOf(document, parameters, moving) {
  const { notify: _, ...job } = document;
  const quick = moving ? { analyses: [], compare: undefined, accuracy: undefined } : {};
  return {
    ...job,
    ...quick,
    parameters: { ...document.parameters, ...parameters },
    labels: LABELS,
    timeout: SECONDS,
  };
}

let cleaned = false;

/** Deletes previews that an earlier page has left. */
function cleanOnce() {
  if (cleaned) return;
  cleaned = true;
  patient.deleteJobs({ labels: LABELS }).catch(failed);
}

/** Runs previews, one at a time: a wish that has not begun gives way to the next. */
class Previews {
  #wish = null;
  #working = false;
  #closed = false;
  #made = []; // paths of jobs, the newest last
  #leave = () => this.#made.forEach(abandon);

  /**
   * @param {(found: any) => void} show gets {job, document, rows, moving, verdicts,
   *   diagnostics} or {failure}
   */
  constructor(show) {
    this.show = show;
    cleanOnce();
    addEventListener("pagehide", this.#leave);
  }

  want(document) {
    this.#wish = document;
    if (!this.#working) this.#work();
  }

  close() {
    this.#wish = null;
    this.#closed = true;
    removeEventListener("pagehide", this.#leave);
    if (!this.#working) this.#clear(0);
  }

  async #work() {
    this.#working = true;
    while (this.#wish) {
      const document = this.#wish;
      this.#wish = null;
      const found = await this.#run(document).catch((why) => {
        failed(why);
        return { failure: why?.detail || String(why?.message ?? why) };
      });
      if (!this.#closed) this.show(found);
      await this.#clear(1);
    }
    this.#working = false;
    if (this.#closed) await this.#clear(0);
  }

  /** Deletes all jobs but the newest `keep`; those that resist are tried again next time. */
  async #clear(keep) {
    while (this.#made.length > keep) {
      try {
        await patient.transport.bytes("DELETE", this.#made[0]);
      } catch (why) {
        failed(why);
        if (why?.status !== 404) return;
      }
      this.#made.shift();
    }
  }

  async #run(document) {
    const job = await patient.run(document, { check: false });
    const path = `/v1/jobs/${job.id}`;
    this.#made.push(path);
    if (job.state !== "succeeded")
      return { failure: job.data.error?.detail ?? `The run was ${job.state}.` };
    const get = (route, query) => patient.transport.json("GET", path + route, { query });
    const quick = document.analyses?.length === 0;
    const [rows, moving, found, diagnostics] = await Promise.all([
      get("/result", { points: ROWS }),
      readScene(job.id, { from: patient, document }),
      quick ? null : get("/invariants"),
      quick ? null : get("/diagnostics"),
    ]);
    const verdicts = found?.invariants ?? null;
    return { job: job.data, document, rows, moving, verdicts, diagnostics };
  }
}

/** Parameters whose values are numbers: name, value, unit, and the pointer of the number. */
export function parametersOf(document) {
  const own = Object.entries(document?.model?.parameters ?? {});
  return own
    .map(([name, given]) => {
      const pointer = "/model/parameters/" + name + (typeof given === "object" ? "/value" : "");
      const replaced = document.parameters?.[name];
      return {
        name,
        unit: given?.unit ?? "",
        pointer: replaced === undefined ? pointer : "/parameters/" + name,
        value: replaced ?? given?.value ?? given,
      };
    })
    .filter((one) => typeof one.value === "number");
}

/** The member `vary` of an ensemble: values of a parameter about its own. */
export function varyOf({ name, value }) {
  const [from, to] = value === 0 ? [-1, 1] : [0.5 * value, 1.5 * value];
  return { ["parameters." + name]: { from: round(from), to: round(to), count: VALUES } };
}

/** The ends of a slider at first. @param {number} value @returns {[number, number]} */
function endsOf(value) {
  if (value > 0) return [value / SPAN, value * SPAN];
  return value < 0 ? [2 * value, -2 * value] : [-1, 1];
}

const round = (value) => Number(value.toPrecision(4));

/** A slider with its ends; logarithmic if both are positive. */
function Slider({ name, unit, value, disabled, onMove, onRelease }) {
  const [ends, setEnds] = useState(endsOf(value));
  const [low, high] = value < ends[0] || value > ends[1] ? endsOf(value) : ends;
  const logarithmic = low > 0;
  const valueOf = (notch) => {
    const part = notch / NOTCHES;
    return round(logarithmic ? low * (high / low) ** part : low + (high - low) * part);
  };
  const share = logarithmic
    ? Math.log(value / low) / Math.log(high / low)
    : (value - low) / (high - low);
  const setEnd = (which, text) => {
    const next = /** @type {[number, number]} */ ([low, high]);
    next[which] = Number(text);
    if (Number.isFinite(next[which]) && next[0] < next[1]) setEnds(next);
  };
  const end = (which, word) => html`<label class="end">${word} <input type="number" step="any"
    disabled=${disabled} value=${round([low, high][which])} aria-label=${`${name}, ${word}`}
    onChange=${(event) => setEnd(which, event.target.value)} /></label>`;
  const shown = `${brief(value)} ${unit}`;
  return html`<div class="slider">
    <label>${name} <output class="number">${shown}</output></label>
    ${end(0, "from")}
    <input type="range" min="0" max=${NOTCHES} step="1" disabled=${disabled}
      value=${Math.round(NOTCHES * share)} aria-label=${name} aria-valuetext=${shown}
      onInput=${(event) => onMove(valueOf(event.target.value))}
      onChange=${(event) => onRelease(valueOf(event.target.value))} />
    ${end(1, "to")}</div>`;
}

/** Why a run waits for the release of a slider. */
const workText = (operations) =>
  operations === null
    ? "The length of a run is not known before it"
    : `A run is long: ${operations.toLocaleString()} operations`;

/** Whether a run may follow a slider. */
export const isLive = (estimate) =>
  estimate?.operations !== null && estimate?.operations <= LIVE_OPERATIONS;

/** The conserved quantities by their names. @param {any[]} verdicts */
function conservedText(verdicts) {
  const names = verdicts.filter((one) => one.predicted === "yes").map((one) => one.name);
  if (!names.length) return `none of ${verdicts.length} quantities is conserved`;
  const shown = names.slice(0, NAMES).join(", ") + (names.length > NAMES ? ", .." : "");
  const are = names.length === 1 ? "1 is" : `${names.length} are`;
  return `of ${verdicts.length} quantities ${are} conserved: ${shown}`;
}

/** The way to an ensemble: the choice of the parameter with several values. */
function Vary({ parameters, onVary }) {
  const [chosen, setChosen] = useState(0);
  return html`<div class="bar vary"><select aria-label="Parameter to vary"
      onChange=${(event) => setChosen(event.target.selectedIndex)}>
      ${parameters.map(({ name }, k) => html`<option selected=${k === chosen}>${name}</option>`)}
    </select><button onClick=${() => onVary(parameters[chosen])}>Vary a parameter</button>
    <span class="quiet">${VALUES} values of it in one job, an ensemble</span></div>`;
}

/** The evidence of the last run; `old` while a newer run computes. */
function Evidence({ digest, constraints, verdicts, old }) {
  const disagree = digest.verdicts?.disagree;
  const residual = constraints.length
    ? `Constraints hold to ${brief(digest.worst_residual)}` : "No constraints";
  return html`<p class="evidence" aria-busy=${old}>${residual}, the energy balance
    holds to ${brief(digest.energy_balance)}${
    verdicts?.length > 0 && "; " + conservedText(verdicts)}${
    disagree > 0 && html`; <span class="warn">the motion disagrees with ${disagree}</span>`}.
    <small>computing</small></p>`;
}

/**
 * The properties of the sliders of a document; a key that may not run jobs gets them with the
 * reason.
 */
export async function slidersOf(document) {
  try {
    const { estimate } = await client.validate(document);
    return { document, estimate, refused: "" };
  } catch (why) {
    if (why?.status !== 403) throw why;
    return { document, estimate: null, refused: why.detail };
  }
}

/**
 * Sliders of a document.
 * @param {{document: any, estimate: any, refused: string, show: (found: any) => void,
 *   begin?: boolean, onRelease?: (parameter: any, value: number) => boolean,
 *   onVary?: (parameter: any) => void}} properties
 *   refused: the reason why this page may run nothing
 *   begin: whether the document runs as it is at first
 *   show: gets {job, rows, moving, verdicts, document} of each run
 *   onRelease: a slider rests at a value; true: the document has it now
 *   onVary: asks for an ensemble with values of a parameter
 */
export function Sliders({ document, estimate, refused, begin = false, show, onRelease, onVary }) {
  const [values, setValues] = useState({});
  const [failure, setFailure] = useState("");
  const [evidence, setEvidence] = useState(null);
  const take = (found) => {
    setFailure(found.failure ?? "");
    if (!found.rows) return setEvidence(null);
    const { job, diagnostics, verdicts } = found;
    if (diagnostics)
      setEvidence({ digest: job.digest, constraints: diagnostics.constraints, verdicts, old: false });
    show(found);
  };
  const previews = useMemo(() => (refused ? null : new Previews(take)), [refused]);
  useEffect(() => {
    if (begin) previews?.want(previewOf(document, {}, false));
    return () => previews?.close();
  }, [previews]);

  // documents without sliders
  const parameters = parametersOf(document);
  if (document?.ensemble || document?.vary)
    return html`<p class="quiet">An ensemble has no sliders: its members vary the parameters.</p>`;
  if (!parameters.length)
    return html`<p class="quiet">This document has no parameters with numbers.</p>`;

  // a long run waits for the release
  const live = isLive(estimate);
  const move = (parameter, value, moving) => {
    const now = { ...values, [parameter.name]: value };
    if (live || !moving) {
      previews.want(previewOf(document, now, moving));
      setEvidence((last) => last && { ...last, old: true });
    }
    const written = !moving && onRelease?.(parameter, value);
    setValues(written ? {} : now);
  };
  const slider = (one) => html`<${Slider} key=${one.name} ...${one}
    value=${values[one.name] ?? one.value} disabled=${Boolean(refused)}
    onMove=${(value) => move(one, value, true)} onRelease=${(value) => move(one, value, false)} />`;
  return html`<div class="sliders">
    ${refused && html`<p class="warn">${refused}</p>`}
    ${!refused && !live && html`<p class="quiet">
      ${workText(estimate?.operations ?? null)}; it starts when a slider is released.</p>`}
    ${parameters.map(slider)}
    ${onVary && html`<${Vary} parameters=${parameters} onVary=${onVary} />`}
    ${evidence && html`<${Evidence} ...${evidence} />`}
    ${failure && html`<p class="warn" role="alert">${failure}</p>`}</div>`;
}
