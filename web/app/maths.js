/** Equations of motion, typeset by KaTeX, which is loaded with the first of them. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";

const LONG = 2000; // characters of LaTeX that are typeset unasked: 67,000 take 1 s
const EXPANSIONS = 1e6; // of KaTeX's macros in a formula: each space between factors takes two
const HEADINGS = {
  lagrangian: "Lagrangian",
  force: "Generalised forces",
  constraint: "Constraints",
  motion: "Equations of motion",
  constraint_acceleration: "Constraints, differentiated",
  momentum: "Momenta",
  energy: "Energy",
};

let loaded = null;

/** KaTeX with its style and fonts. */
function load() {
  loaded ??= Promise.all([
    import("../vendor/katex.js"),
    new Promise((resolve) => {
      const href = new URL("../vendor/katex.css", import.meta.url).href;
      const style = Object.assign(document.createElement("link"), {
        rel: "stylesheet",
        href,
        onload: resolve,
        onerror: resolve,
      });
      document.head.append(style);
    }),
  ]).then(([katex]) => katex);
  loaded.catch(() => (loaded = null));
  return loaded;
}

/**
 * KaTeX breaks lines behind an operator; this moves it to the start of the next part, so that a
 * line begins with its sign.
 * @param {HTMLElement} formula
 */
function breakBeforeOperators(formula) {
  for (const part of formula.querySelectorAll(".katex-html > .katex-base")) {
    const end = [...part.children].slice(-3); // space, operator, space
    const isOperator = end[1]?.matches(".mbin, .mrel");
    if (isOperator) part.nextElementSibling?.firstElementChild?.after(...end);
  }
}

/**
 * A formula, with its LaTeX as its key: text until it is typeset.
 * @param {{tex: string}} properties
 */
function Formula({ tex }) {
  const place = useRef(null);
  const [wanted, setWanted] = useState(tex.length <= LONG);
  const [typeset, setTypeset] = useState(false);
  useEffect(() => {
    let stale = false;
    if (wanted)
      load()
        .then((katex) => {
          if (stale) return;
          katex.render("\\displaystyle " + tex, place.current, { maxExpand: EXPANSIONS });
          breakBeforeOperators(place.current);
          setTypeset(true);
        })
        .catch(() => place.current?.classList.add("no-maths"));
    return () => {
      stale = true;
    };
  }, [wanted]);
  const characters = tex.length.toLocaleString();
  return html`<div class="formula"><span ref=${place} hidden=${!typeset}></span>
    ${!typeset && html`<code>${tex}</code>`}
    ${!wanted &&
    html`<button onClick=${() => setWanted(true)}>Typeset ${characters} characters</button>`}
  </div>`;
}

const Equation = ({ name, text }) => html`<div class="equation">
  <span class="name">${name}</span><${Formula} key=${text} tex=${text} /></div>`;

/** The parts of an answer in LaTeX, by their role. @param {{equations: any}} properties */
export function Equations({ equations: { equations } }) {
  const roles = [...new Set(equations.map((one) => one.role))];
  const section = (role) => html`<h3>${HEADINGS[role] ?? role.replaceAll("_", " ")}</h3>
    ${equations.filter((one) => one.role === role).map((one) => html`<${Equation} ...${one} />`)}`;
  return html`<div class="equations" tabindex="0" role="group" aria-label="Formulas">
    ${roles.map(section)}</div>`;
}
