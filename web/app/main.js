/** The page: its frame, and the view that the address behind # names. */
import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { JobsPage } from "./jobs.js";
import { Keys } from "./keys.js";
import { address, client, connection, locked, unlock } from "./service.js";

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
    unlock(String(new FormData(event.target).get("key")));
  };
  return html`<main id="main" class="narrow" tabindex="-1"><h1>This service needs a key</h1>
    <p>Paste a key with the scope <code>read</code>. It stays in this tab, and is forgotten with it.</p>
    <form class="bar" onSubmit=${submit}>
      <label>Key <input name="key" type="password" autocomplete="off" required /></label>
      <button class="main">Open</button></form></main>`;
}

/** A view whose files are loaded when it is first shown. @param {{load: () => Promise<any>}} properties */
function OnDemand({ load, ...properties }) {
  const [view, setView] = useState(/** @type {any} */ (null));
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    load().then((found) => setView(() => found), () => setMissing(true));
  }, []);
  useEffect(() => {
    if (view && document.activeElement === document.body) toContent(); // it was in the main that has gone
  }, [view]);
  if (view) return html`<${view} ...${properties} />`;
  return html`<main id="main" tabindex="-1" aria-busy=${!missing}>${missing && html`<h1>This part did not load</h1>
    <p>The service does not answer, or is of another version now.</p>
    <button onClick=${() => location.reload()}>Load the page again</button>`}</main>`;
}

const jobPage = () => import("./job.js").then((found) => found.JobPage);

function View() {
  const { path } = address.value;
  if (locked.value) return html`<${Login} />`;
  if (path[0] === "job" && path[1]) return html`<${OnDemand} load=${jobPage} key=${path[1]} id=${path[1]} />`;
  return html`<${JobsPage} />`;
}

/** The focus goes to the content, which is read from its beginning. */
function toContent() {
  /** @type {HTMLElement | null} */ (document.querySelector("main"))?.focus();
  scrollTo(0, 0);
}

function Page() {
  const place = address.value.path.join("/");
  const first = useRef(place);
  useEffect(() => {
    if (place !== first.current) toContent();
    first.current = "";
  }, [place]);
  return html`<a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      toContent();
    }}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#jobs"><span aria-hidden="true">◒</span> dalembert</a>
      <nav aria-label="Pages"><a href="#jobs" aria-current=${address.value.path[0] !== "job" ? "page" : undefined}>Jobs</a>
        <a href="/openapi.json">REST interface</a></nav>
      <${Connection} /><${Keys} />
    </header>
    <${View} />`;
}

render(html`<${Page} />`, document.body);
