/**
 * The editor of a JSON document: CodeMirror in a shadow root, because the policy of the page allows
 * its style only there.
 */
import {
  EditorState,
  EditorView,
  HighlightStyle,
  autocompletion,
  bracketMatching,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  defaultKeymap,
  highlightActiveLine,
  history,
  historyKeymap,
  json,
  keymap,
  lineNumbers,
  setDiagnostics,
  syntaxHighlighting,
  tags,
} from "../vendor/codemirror.js";
import { complete } from "./complete.js";
import { behindMembers, numberAt, placeOf } from "./places.js";

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--blue)" },
    { tag: tags.string, color: "var(--green)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--orange)" },
  ]),
);

const STYLE = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)" },
  "&.cm-focused": { outline: "2px solid var(--blue)" },
  ".cm-scroller": {
    font: ".9rem/1.55 ui-monospace, 'DejaVu Sans Mono', monospace",
    overflow: "auto",
  },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  ".cm-content ::selection": { backgroundColor: "light-dark(#b9d8ef, #2d4d66)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--line)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--red)",
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    maxWidth: "min(34rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "#fff",
    backgroundColor: "light-dark(#0067a3, #2b6f9c)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--red)" },
});

/**
 * Makes an editor in an element.
 * @param {HTMLElement} host
 * @param {{text: string, onChange: (text: string) => void, onRun: () => void,
 *   words: () => Promise<any>}} options
 *   words: names that complete.js offers
 */
export function openEditor(host, { text, onChange, onRun, words }) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  // keys of the page, such as /, are letters here
  host.onkeydown = (event) => event.stopPropagation();
  const run = () => {
    onRun();
    return true;
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Ctrl-Enter", mac: "Cmd-Enter", run },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        lineNumbers(),
        history(),
        json(),
        COLOURS,
        STYLE,
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        // within names and texts, Enter has no other meaning
        autocompletion({
          override: [async (context) => complete(context, await words())],
          icons: false,
          interactionDelay: 0,
        }),
        EditorView.contentAttributes.of({ "aria-label": "Job as JSON" }),
        EditorView.updateListener.of(
          (update) => update.docChanged && onChange(update.state.doc.toString()),
        ),
      ],
    }),
  });
  view.scrollDOM.tabIndex = 0; // so that the keyboard scrolls it
  let places = [];

  return {
    /**
     * Underlines the mistakes of the present text.
     * @param {any[]} mistakes
     * @param {boolean} whole see placeOf()
     * @returns {number[]} the line of each mistake
     */
    mark(mistakes, whole) {
      const now = view.state.doc.toString();
      places = mistakes.map((one) => placeOf(now, one, whole));
      const diagnostics = mistakes.map((one, k) => ({
        ...places[k],
        severity: "error",
        message: one.hint ? `${one.message} (${one.hint})` : one.message,
      }));
      diagnostics.sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, diagnostics));
      return places.map(({ from }) => view.state.doc.lineAt(from).number);
    },
    /** Puts the cursor at a mistake. @param {number} k */
    jump(k) {
      const { length } = view.state.doc; // the text may have changed since
      const anchor = Math.min(places[k].from, length);
      view.dispatch({
        selection: { anchor, head: Math.min(places[k].to, length) },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    },
    /** Shows a mistake without moving the cursor. @param {number} k */
    reveal: (k) =>
      view.dispatch({ effects: EditorView.scrollIntoView(places[k].from, { y: "center" }) }),
    /**
     * Replaces a number in the text; false: there is none.
     * @param {string} pointer
     * @param {number} value
     */
    setNumber(pointer, value) {
      const place = numberAt(view.state.doc.toString(), pointer);
      if (place) view.dispatch({ changes: { ...place, insert: String(value) } });
      return place !== null;
    },
    /**
     * Adds a last member to the document, and shows it.
     * @param {string} name
     * @param {string} value JSON
     */
    addMember(name, value) {
      const from = behindMembers(view.state.doc.toString());
      if (from === null) return;
      const insert = `,\n  ${JSON.stringify(name)}: ${value}`;
      view.dispatch({
        changes: { from, insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
