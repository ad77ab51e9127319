/** Texts to take along, such as commands for a shell. */
import { html, useState } from "../vendor/preact.js";
import { keyed } from "./service.js";

/** A text as one word of a shell. @param {string} text */
export const word = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const KEY = ' -H "Authorization: Bearer $DALEMBERT_KEY"'; // as the clients: never the key itself

/** A command that asks for a path. @param {string} path */
export const curl = (path) => `curl -fsS ${word(location.origin + path)}${keyed() ? KEY : ""}`;

/** A command that runs a job; its text is in `data`, a word. @param {string} data */
export const submit = (data) =>
  `${curl("/v1/jobs?wait=60")} -H 'Content-Type: application/json' --data-binary ${data}`;

/** A command that runs this job. @param {any} job */
export const submitting = (job) => submit(word(JSON.stringify(job)));

/** A text to take along, with a button that copies it. */
function Copy({ name, text }) {
  const [copied, setCopied] = useState("");
  const copy = () =>
    navigator.clipboard?.writeText(text).then(() => setCopied(text), () => setCopied(""));
  return html`<div class="copy"><h3>${name}</h3><pre tabindex="0" data-copy=${name}>${text}</pre>
    <button onClick=${copy}>${copied === text ? "Copied" : "Copy"}</button></div>`;
}

/** @param {{texts: Record<string, string>}} properties texts by their names */
export const Copies = ({ texts }) =>
  html`<details class="copies"><summary>Copy as ${Object.keys(texts).join(", ")}</summary>
    ${keyed() && html`<p class="quiet">Set the variable <code>DALEMBERT_KEY</code> of the shell to
      ${" "}your key first.</p>`}
    ${Object.entries(texts).map(([name, text]) => html`
      <${Copy} key=${name} name=${name} text=${text} />`)}</details>`;
