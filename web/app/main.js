/** The page: its frame, and the view that the address behind # names. */
import { html, render, useEffect, useState } from "../vendor/preact.js";
import { JobsPage } from "./jobs.js";
import { address, client, connection, failed, locked, unlock } from "./service.js";

function Connection() {
  const { state, since } = connection.value;
  const texts = {
    live: "live",
    paused: "paused",
    lost: `no answer since ${since.toLocaleTimeString()}, trying`,
  };
  return html`<span class=${"connection " + state} role="status">${texts[state]}</span>`;
}

/** Asks for a key; it stays in this tab. */
function Login() {
  const submit = (event) => {
    event.preventDefault();
    unlock(new FormData(event.target).get("key"));
  };
  return html`<main class="narrow"><h1>This service needs a key</h1>
    <p>Paste a key with the scope <code>read</code>. It stays in this tab, and is forgotten with it.</p>
    <form class="bar" onSubmit=${submit}>
      <label>Key <input name="key" type="password" autocomplete="off" required /></label>
      <button class="main">Open</button></form></main>`;
}

/** A view whose module is loaded when it is first needed. */
function Later({ load, ...properties }) {
  const [view, setView] = useState(null);
  useEffect(() => {
    load().then((found) => setView(() => found), failed);
  }, []);
  if (!view) return html`<main tabindex="-1" aria-busy="true"></main>`;
  return html`<${view} ...${properties} />`;
}

const loadJob = () => import("./job.js").then((found) => found.JobPage);
const loadNew = () => import("./new.js").then((found) => found.NewPage);

function View() {
  const { path, query } = address.value;
  if (locked.value) return html`<${Login} />`;
  if (path[0] === "job" && path[1])
    return html`<${Later} key=${path.join()} load=${loadJob} id=${path[1]} />`;
  if (path[0] === "new") {
    const from = { system: path[1], job: query.get("job") };
    return html`<${Later} key=${[from.system, from.job].join()} load=${loadNew} ...${from} />`;
  }
  return html`<${JobsPage} />`;
}

/** Keys that every view has: / searches, g j goes to the jobs. @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    const search = /** @type {HTMLElement | null} */ (document.querySelector("input[type=search]"));
    if (!search) return;
    event.preventDefault();
    search.focus();
  } else if (event.key === "j" && onKey.last === "g") location.hash = "jobs";
  else if (event.key === "0") document.dispatchEvent(new Event("reset-zoom"));
  onKey.last = event.key;
}
onKey.last = "";

function Page() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return html`<a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      /** @type {HTMLElement | null} */ (document.querySelector("main"))?.focus();
    }}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#jobs"><span aria-hidden="true">◒</span> dalembert</a>
      <nav aria-label="Pages"><a href="#jobs" aria-current=${!["job", "new"].includes(address.value.path[0]) ? "page" : undefined}>Jobs</a>
        <a href="#new" aria-current=${address.value.path[0] === "new" ? "page" : undefined}>New</a>
        <a href="/openapi.json">REST interface</a></nav>
      <${Connection} />
    </header>
    <${View} />`;
}

render(html`<${Page} />`, document.body);
