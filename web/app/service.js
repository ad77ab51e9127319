/** The service: its client, the state of the connection, and the address of the page. */
import { Client, Problem, Unreachable } from "../client/dalembert.js";
import { signal } from "../vendor/preact.js";

const KEY = "dalembert-key"; // of sessionStorage: a key is forgotten with its tab

/** @param {string | undefined} key @param {number} retries */
const connect = (key, retries) => new Client(location.origin, { key, retries });

const stored = sessionStorage.getItem(KEY) ?? undefined;
export let client = connect(stored, 0);

/** The same for requests that come quickly: one that the service refuses for now is sent again. */
export let patient = connect(stored, 5);

/** Whether requests carry a key. */
export const keyed = () => sessionStorage.getItem(KEY) !== null;

/** Whether the service asks for a key; the views are made anew when it has one. */
export const locked = signal(false);

/** Why the key may run and delete nothing; empty if it may, and until the service has answered. */
export const refused = signal("");

/** A job for a check, which needs the same scope as a run. */
const CHECKED = {
  model: { coordinates: ["x"], lagrangian: "dot(x)^2" },
  initial: { q: { x: 0 } },
  time: { end: 1 },
};

/** Asks the service whether the key may run jobs. */
function askScope() {
  refused.value = "";
  if (!keyed()) return;
  follow(async (stop) => {
    await client.validate(CHECKED, { signal: stop }).catch((why) => {
      if (why?.status !== 403) throw why;
      refused.value = why.detail;
    });
    return false;
  });
}

/** @param {string} key */
export function unlock(key) {
  sessionStorage.setItem(KEY, key);
  client = connect(key, 0);
  patient = connect(key, 5);
  locked.value = false;
  askScope();
}

/**
 * Deletes a resource while the page goes away; nobody waits for the answer.
 * @param {string} path
 */
export function abandon(path) {
  const key = sessionStorage.getItem(KEY);
  const headers = key ? { Authorization: "Bearer " + key } : {};
  fetch(path, { method: "DELETE", keepalive: true, headers }).catch(() => {});
}

/** @typedef {{state: "live" | "paused" | "lost", since: Date}} Connection */
/** @type {import("../vendor/preact.js").Signal<Connection>} */
export const connection = signal({ state: "live", since: new Date() });

/** @param {"live" | "paused" | "lost"} state */
export function connectionIs(state) {
  if (connection.value.state !== state) connection.value = { state, since: new Date() };
}

/** Tells the frame about a failure. True: the request may be sent again later. @param {any} why */
export function failed(why) {
  if (why instanceof Problem && why.status === 401) locked.value = true;
  const lost = why instanceof Unreachable || (why instanceof Problem && why.status >= 500);
  if (lost) connectionIs("lost");
  return lost || (why instanceof Problem && why.status === 429);
}

/** Why a request has failed, in words; the frame is told. @param {any} why */
export function reason(why) {
  failed(why);
  return String(why?.message ?? why);
}

/** @param {number} seconds @param {AbortSignal} stop */
const sleep = (seconds, stop) =>
  new Promise((resolve) => {
    setTimeout(resolve, 1000 * seconds);
    stop.addEventListener("abort", resolve, { once: true });
  });

/** Until somebody looks at this tab: a hidden tab asks for nothing. @param {AbortSignal} stop */
const visible = (stop) =>
  new Promise((resolve) => {
    if (!document.hidden || stop.aborted) return resolve(undefined);
    document.addEventListener("visibilitychange", resolve, { once: true });
    stop.addEventListener("abort", resolve, { once: true });
  });

/** Aborted when this tab is hidden: a browser has six connections to a host for all tabs. */
let hiding = new AbortController();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  hiding.abort();
  hiding = new AbortController();
});

/**
 * Repeats a request until the function returned is called: while there is no answer every second.
 * `step` returns false when there is nothing more to follow.
 * @param {(stop: AbortSignal) => Promise<boolean>} step
 */
export function follow(step) {
  const control = new AbortController();
  const stop = control.signal;
  (async () => {
    for (let more = true; more && !stop.aborted; ) {
      await visible(stop);
      const signal = AbortSignal.any([stop, hiding.signal]);
      try {
        // a step may wait for a change: an answer is known sooner
        if (connection.value.state !== "live") await client.ready({ signal });
        connectionIs("live");
        more = await step(signal);
      } catch (why) {
        if (stop.aborted) return;
        if (signal.aborted) continue;
        if (!failed(why)) return;
        await sleep(1, stop);
      }
    }
  })();
  return () => control.abort();
}

/** The address behind #: a path and its parameters, `jobs?state=failed`. */
export const address = signal(readAddress());
addEventListener("hashchange", () => (address.value = readAddress()));

function readAddress() {
  const [path, query] = location.hash.slice(1).split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  return { path: parts, query: new URLSearchParams(query ?? "") };
}

/**
 * Changes parameters of the address; those that are empty go.
 * @param {Record<string, any>} changes
 */
export function setQuery(changes) {
  const { path, query } = readAddress();
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === "") query.delete(name);
    else query.set(name, String(value));
  const text = query.toString();
  const place = path.map(encodeURIComponent).join("/");
  history.replaceState(null, "", "#" + place + (text ? "?" + text : ""));
  address.value = readAddress();
}

askScope();
