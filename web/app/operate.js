/** The service page: what waits and runs, the limits in force, the version. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { Fact, brief, duration } from "./format.js";
import { client, failed, follow } from "./service.js";

const AGAIN = 2; // seconds between looks at the queue

const LICENSES = new URL("../vendor/LICENSES", import.meta.url);

const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];

/** @param {number} value */
function bytes(value) {
  const k = value > 0 ? Math.min(BYTES.length - 1, Math.floor(Math.log2(value) / 10)) : 0;
  return `${brief(value / 1024 ** k)} ${BYTES[k]}`;
}

/** A limit with its unit. */
function told({ value, unit }) {
  if (value === 0) return "0";
  if (unit === "bytes") return bytes(value);
  if (unit === "seconds") return duration(value);
  return Number(value).toLocaleString();
}

export function ServicePage() {
  const [about, setAbout] = useState(null);
  const [limits, setLimits] = useState({});
  const [queue, setQueue] = useState(null);
  useEffect(() => {
    document.title = "Service – dalembert";
    client.about().then(setAbout, failed);
    client.limits().then(setLimits, failed);
    return follow(async (stop) => {
      setQueue(await client.queue({ signal: stop }));
      await new Promise((resolve) => setTimeout(resolve, 1000 * AGAIN));
      return true;
    });
  }, []);
  return html`<main id="main" tabindex="-1"><h1>Service</h1>
    ${
      queue &&
      html`<dl class="facts">
      <${Fact} name="Waiting" value=${queue.queued}
        hint=${queue.queued ? `oldest: ${duration(queue.oldest_seconds)}` : "no job waits"} />
      <${Fact} name="Running" value=${queue.running}
        hint=${`${queue.busy ?? "–"} of ${queue.workers ?? "–"} workers are busy`} />
      <${Fact} name="A job takes" value=${duration(queue.seconds_per_job)}
        hint="of late, on average" />
      <${Fact} name="Version" value=${about?.version ?? "–"} hint=${html`<a
        href="/openapi.json">interface</a>, <a href="/metrics">metrics</a>`} /></dl>`
    }
    <h2>Limits</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Limits"><table>
      <thead><tr><th scope="col">limit</th><th scope="col">value</th><th scope="col">meaning</th>
        </tr></thead>
      <tbody>${Object.entries(limits).map(([name, one]) => html`<tr><td><code>${name}</code></td><td
        class="number">${told(one)}</td><td class="words">${one.what}</td></tr>`)}</tbody></table>
        </div>
    <p class="quiet">The operator sets limits with options of <code>dalembert serve</code>
      ${" "}of the same names.</p>
    <p class="quiet">dalembert is free software: GPL-3.0-or-later. Its page contains libraries
      ${" "}of others under <a href=${LICENSES}>their licenses</a>.</p></main>`;
}
