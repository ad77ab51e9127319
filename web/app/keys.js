/** Keys that every page has, and the dialog that lists all keys. */
import { html, signal, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";

/** Keys and their meanings, for the dialog. */
const KEYS = [
  ["Tab", "go to the next link, button, field or plot; with Shift to the one before"],
  ["/", "search the jobs by name"],
  ["g j", "go to the jobs; g n: write a job; g c: the catalog; g s: the service"],
  ["← →", "one row back or forth; with Shift ten rows"],
  ["Home End", "the first or the last row"],
  ["Space", "play the scene, or hold it"],
  ["< >", "play slower or faster"],
  ["l", "repeat the motion, or end after it"],
  ["f", "let the camera follow a body, or rest"],
  ["A B", "in a comparison: draw motion A, B, .. solid, the others as ghosts"],
  ["0", "show the whole range of time"],
  ["Esc", "close a dialog, leave a field, clear the selection and the cursor"],
  ["?", "list the keys"],
];

/** The second key after g, and the path that it opens. */
const PLACES = { j: "jobs", n: "new", c: "catalog", s: "service" };

const helpIsOpen = signal(false);

/** Keys that move a cursor, by rows. */
export const STEPS = {
  ArrowLeft: -1, ArrowRight: 1, "Shift+ArrowLeft": -10, "Shift+ArrowRight": 10,
  Home: -Infinity, End: Infinity,
};

/** The name of a key; Shift is a part of the name if the key is no character. */
export const nameOf = ({ key, shiftKey }) => (shiftKey && key.length > 1 ? "Shift+" : "") + key;

/**
 * Runs `act` when a key that belongs to no element is pressed. A layout effect, so that `act` is
 * that of the page as it is now, also right after a change.
 * @param {string} key as nameOf() tells it @param {() => void} act
 */
export function useKey(key, act) {
  useLayoutEffect(() => {
    const take = (event) => {
      event.preventDefault();
      act();
    };
    document.addEventListener("key " + key, take);
    return () => document.removeEventListener("key " + key, take);
  });
}

/** Whether an element acts at a key itself: a button at space, a list that scrolls at arrows. */
const isOwnKey = (target, event) =>
  (event.key === " " && target.matches("button, input, summary, a"))
  || (nameOf(event) in STEPS && target.matches("[tabindex='0']"));

let last = "";

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (target.matches("input:not([type=checkbox]), textarea, select")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const search = /** @type {HTMLElement | null} */ (document.querySelector("input[type=search]"));
  if (event.key === "/" && search) {
    event.preventDefault();
    search.focus();
  } else if (last === "g" && PLACES[event.key]) location.hash = PLACES[event.key];
  else if (event.key === "?") helpIsOpen.value = true;
  else if (!isOwnKey(target, event)) {
    const wanted = new Event("key " + nameOf(event), { cancelable: true });
    if (!document.dispatchEvent(wanted)) event.preventDefault();
  }
  last = event.key;
}

/** The button that lists the keys; while it is there, the keys work. */
export function Keys() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return html`<button class="round" aria-label="Keys" title="Keys (?)"
      onClick=${() => (helpIsOpen.value = true)}>?</button>
    ${helpIsOpen.value && html`<${Help} />`}`;
}

function Help() {
  const dialog = useRef(null);
  useLayoutEffect(() => dialog.current.showModal(), []); // it is never there and closed
  return html`<dialog ref=${dialog} aria-labelledby="keys"
      onClose=${() => (helpIsOpen.value = false)}>
    <h2 id="keys">Keys</h2>
    <dl class="keys">${KEYS.map(([keys, meaning]) => html`
      <dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${meaning}</dd>`)}</dl>
    <button onClick=${() => dialog.current.close()}>Close</button></dialog>`;
}
