/** The page: its frame, and the view that the address behind # names. */
import { html, render, useEffect, useRef } from "../vendor/preact.js";
import { JobPage } from "./job.js";
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

function View() {
  const { path } = address.value;
  if (locked.value) return html`<${Login} />`;
  if (path[0] === "job" && path[1]) return html`<${JobPage} key=${path[1]} id=${path[1]} />`;
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
