/** The page: its frame, and the view that the address behind # names. */
import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { JobsPage } from "./jobs.js";
import { Keys } from "./keys.js";
import { address, client, connection, follow, locked, unlock } from "./service.js";

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
    <p>Paste a key with the scope <code>read</code>. It stays in this tab, and is forgotten
      ${" "}with it.</p>
    <form class="bar" onSubmit=${submit}>
      <label>Key <input name="key" type="password" autocomplete="off" required /></label>
      <button class="main">Open</button></form></main>`;
}

const LINKS = [
  ["jobs", "Jobs"], ["new", "New"], ["catalog", "Catalog"], ["service", "Service"], ["docs", "API"],
];

/**
 * Pages by the first part of their address, but that of the jobs: the module, the name of the
 * component in it, and its properties.
 */
const PAGES = {
  job: { load: () => import("./job.js"), name: "JobPage", take: ({ path }) => ({ id: path[1] }) },
  new: {
    load: () => import("./new.js"), name: "NewPage",
    take: ({ path, query }) => ({
      system: path[1],
      job: query.get("job"),
      parameters: query.get("parameters"),
      vary: query.get("vary"),
    }),
  },
  start: { load: () => import("./catalog.js"), name: "StartPage", take: () => ({}) },
  catalog: { load: () => import("./catalog.js"), name: "CatalogPage", take: () => ({}) },
  compare: {
    load: () => import("./compare.js"), name: "ComparePage",
    take: ({ query }) => ({ ids: (query.get("ids") ?? "").split(",").filter(Boolean) }),
  },
  service: { load: () => import("./operate.js"), name: "ServicePage", take: () => ({}) },
  docs: { load: () => import("./interface.js"), name: "InterfacePage", take: () => ({}) },
};

/**
 * A page whose files are loaded when it is first shown.
 * @param {{page: {load: () => Promise<any>, name: string}, [property: string]: any}} properties
 */
function Loaded({ page, ...properties }) {
  const [view, setView] = useState(/** @type {any} */ (null));
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    page.load().then((found) => setView(() => found[page.name]), () => setMissing(true));
  }, []);
  useEffect(() => {
    // the focus was in the main that has gone
    if (view && document.activeElement === document.body) toContent();
  }, [view]);
  if (view) return html`<${view} ...${properties} />`;
  return html`<main id="main" tabindex="-1" aria-busy=${!missing}>${missing ? html`
    <h1>This part did not load</h1>
    <p>The service does not answer, or is of another version now.</p>
    <button onClick=${() => location.reload()}>Load the page again</button>` : html`
    <p class="quiet">Loading.</p>`}</main>`;
}

/** The jobs; without any, the start. */
function Home() {
  const [empty, setEmpty] = useState(null);
  useEffect(() => follow(async (stop) => {
    const one = { query: { limit: 1 }, signal: stop };
    const { jobs } = await client.transport.json("GET", "/v1/jobs", one);
    setEmpty(jobs.length === 0);
    return false;
  }), []);
  if (empty === null) return html`<main id="main" tabindex="-1" aria-busy="true">
    <p class="quiet">Loading.</p></main>`;
  return empty ? html`<${Loaded} page=${PAGES.start} />` : html`<${JobsPage} />`;
}

/** The first part of the address; /docs without one is the description of the interface. */
const placeNow = () => address.value.path[0] ?? (location.pathname === "/docs" ? "docs" : "");

function View() {
  if (locked.value) return html`<${Login} />`;
  const page = PAGES[placeNow()];
  if (page) {
    const properties = page.take(address.value);
    const { id, system, job, parameters } = properties;
    const key = [placeNow(), id, system, job, parameters].join();
    return html`<${Loaded} key=${key} page=${page} ...${properties} />`;
  }
  return placeNow() === "" ? html`<${Home} />` : html`<${JobsPage} />`;
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
      <a class="brand" href="/#start"><span aria-hidden="true">◒</span> dalembert</a>
      <nav aria-label="Pages">${LINKS.map(([name, text]) => html`
        <a href=${"/#" + name}
          aria-current=${placeNow() === name ? "page" : undefined}>${text}</a>`)}
      </nav>
      <${Connection} /><${Keys} />
    </header>
    <${View} />`;
}

render(html`<${Page} />`, document.body);
