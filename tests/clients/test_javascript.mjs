// The JavaScript client against a daemon, and against services that are busy, broken or gone.
import assert from "node:assert/strict";
import { readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import * as dalembert from "../../clients/javascript/dalembert.js";
import { mark, Source, problem } from "../../clients/javascript/errors.js";
import { Parser } from "../../clients/javascript/events.js";
import { NpyReader, readJsonTable } from "../../clients/javascript/table.js";
import { encodeQuery, newKey } from "../../clients/javascript/transport.js";
import { Daemon, Stub, answer, nobody } from "./service.mjs";

const { Client, Job } = dalembert;

const MODEL = {
  name: "oscillator",
  coordinates: ["x"],
  parameters: { m: 2, k: 8 },
  lagrangian: "m/2*dot(x)^2 - k/2*x^2",
};
// run each time, though the same result may be there
const job = (changes = {}) => ({
  model: MODEL,
  initial: { q: { x: 1 }, v: { x: 0 } },
  time: { end: 1, samples: 11 },
  cache: false,
  ...changes,
});
const longJob = (changes = {}) =>
  job({ time: { end: 1e7, samples: 11 }, integrator: { max_steps: 900000000 }, ...changes });
const ENSEMBLE = job({
  vary: { "parameters.k": [2, 4, 8], "initial.q.x": [0.5, 1] },
  events: [{ name: "down", when: "x", direction: "falling" }],
  ensemble: {
    keep: "trajectories",
    reduce: {
      top: { of: "x", take: "max" },
      late: { of: "t", take: "first_event", event: "down" },
    },
  },
});
// its names are those that an address, a header and a line of CSV would tear apart
const ODD = job({
  observe: {
    'h\u00f6he, "a"': "2*x",
    "back\\slash 'n' \u65e5\u{1f600}": "-x",
    "'shape': (3,)": "3*x",
    "a&b=c%2C": "x",
    __proto__: "x",
  },
  events: [{ name: "fall & rise", when: "x" }],
  time: { end: 5, samples: 23 },
});
const ODD_NAMES = Object.keys(ODD.observe);

const ROUTES = JSON.parse(await readFile(new URL("../../api/openapi.json", import.meta.url))).paths;

// Time limits that were not taken back would keep a program alive.
const timers = {
  held: new Map(),
  watch() {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    globalThis.setTimeout = (call, ...rest) => {
      const timer = set((...given) => (this.held.delete(timer), call(...given)), ...rest);
      this.held.set(timer, new Error("set").stack);
      return timer;
    };
    globalThis.clearTimeout = (timer) => (this.held.delete(timer), clear(timer));
  },
  pending() {
    return [...this.held.values()].filter((stack) => stack.includes("clients/javascript"));
  },
};
timers.watch();

let daemon;
/** @type {dalembert.Client} */
let client;
before(async () => {
  daemon = await new Daemon().start();
  client = new Client(daemon.url + "/");
});
after(async () => {
  await daemon.close();
  assert.deepEqual(timers.pending(), []);
});

const collect = async (generator) => {
  const found = [];
  for await (const entry of generator) found.push(entry);
  return found;
};
const raw = async (found, tail, accept) =>
  Buffer.from(
    await (
      await fetch(`${daemon.url}/v1/jobs/${found.id}${tail}`, { headers: { Accept: accept } })
    ).arrayBuffer(),
  );
/** What tells -0 from 0 and one NaN from a number. */
const bits = (values) => Buffer.from(Float64Array.from(values).buffer).toString("hex");

/** Lines of CSV as RFC 4180 has them. */
function readCsv(text) {
  const lines = [[]];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    lines[lines.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ",") lines.push([]);
  }
  lines.pop();
  return lines;
}

/** Against CSV and JSON as they were sent, bit by bit. */
async function checkTable(found, given, tail, query = "") {
  const lines = readCsv((await raw(found, tail + query, "text/csv")).toString());
  const sent = JSON.parse(await raw(found, tail + query, "application/json"));
  assert.deepEqual(given.names, sent.columns);
  assert.equal(lines.length - 1, given.nRows);
  given.names.forEach((name, k) => {
    if (name === "state" || name === "reason") {
      assert.deepEqual(
        given.words(name).map((word) => word ?? ""),
        lines.slice(1).map((line) => line[k]),
      );
      return;
    }
    assert.equal(
      bits(given.get(name)),
      bits(lines.slice(1).map((line) => (line[k] === "" ? NaN : Number(line[k])))),
      name,
    );
    assert.equal(bits(given.get(name)), bits(sent.series[name].map((value) => value ?? NaN)), name);
  });
}

// Submitting.

test("a job is submitted as an object or as text", async () => {
  for (const document of [job(), JSON.stringify(job())]) {
    const found = await (await client.submit(document, { wait: 60 })).wait();
    assert.deepEqual(
      [found.state, found.done, found.complete, found.cached, found.reason, found.error],
      ["succeeded", true, true, false, null, null],
    );
    assert.deepEqual(
      [found.labels, found.warnings, found.tables, found.isEnsemble],
      [{}, [], [], false],
    );
    assert.deepEqual(await found.request(), job());
    assert.deepEqual((await client.job(found.id)).data, found.data);
  }
});

test("large documents travel packed", async () => {
  const at = Float64Array.from({ length: 19999 }, (_, k) => (k + 1) / 8192);
  const found = await new Client(daemon.url, { gzip: true }).run(job({ time: { at } }));
  await checkTable(found, await found.result({ format: "json" }), "/result");
  assert.deepEqual((await found.request()).time.at, [...at]);
  const stub = await new Stub(
    answer(202, { id: "j", state: "queued", done: false, revision: 1 }),
  ).start();
  await new Client(stub.url, { gzip: true }).submit(job({ time: { at } }));
  assert.equal(stub.requests[0].headers["content-encoding"], "gzip");
  await stub.close();
  for (const [url, packed] of [
    [daemon.url, false],
    ["http://[::1]:1", false],
    ["https://lab.example", true],
  ])
    assert.equal(new Client(url).transport.packed, packed);
});

test("a document holds no NaN", async () => {
  for (const end of [NaN, Infinity])
    await assert.rejects(client.submit(job({ time: { end } })), TypeError);
});

test("the same key is the same job", async () => {
  const first = await client.submit(job(), { idempotencyKey: "once" });
  assert.equal((await client.submit(job(), { idempotencyKey: "once" })).id, first.id);
  assert.notEqual((await client.submit(job())).id, first.id);
  assert.notEqual(newKey(), newKey());
});

test("a batch is all or none", async () => {
  const documents = [0, 1, 2].map((k) => job({ labels: { n: String(k) } }));
  const jobs = await client.submitBatch(documents, { idempotencyKey: "b1" });
  assert.deepEqual(
    jobs.map((found) => found.labels.n),
    ["0", "1", "2"],
  );
  for (const found of jobs) await found.wait();
  assert.deepEqual(
    (await client.submitBatch(documents, { idempotencyKey: "b1" })).map(({ id }) => id),
    jobs.map(({ id }) => id),
  );
  await assert.rejects(
    client.submitBatch([job(), job({ model: { ...MODEL, lagrangian: "m*u" } })]),
    (caught) => {
      const [{ pointer, text, offset }] = caught.mistakes;
      assert.deepEqual([pointer, text, offset], ["/jobs/1/model/lagrangian", "m*u", 2]);
      return caught instanceof dalembert.InvalidDocument;
    },
  );
});

test("a key is made, used and revoked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dalembert-test-"));
  const token = "dlmb_" + "0".repeat(43) + "31W4rm"; // 32 zero bytes and their check
  await writeFile(join(folder, "token"), token + "\n");
  const service = await new Daemon([
    "--auth",
    "keys",
    "--first-key-file",
    join(folder, "token"),
  ]).start();
  const admin = new Client(service.url, { key: token });
  const made = await admin.createKey("a reader", { scopes: ["read"] });
  const reader = new Client(service.url, { key: made.token });
  assert.deepEqual(await collect(reader.jobs()), []);
  await assert.rejects(
    reader.submit(job()),
    (caught) => caught.status === 403 && caught.code === "scope_missing",
  );
  assert.deepEqual(
    (await collect(admin.keys({ limit: 1 }))).map((key) => key.name),
    ["a reader", "first"],
  );
  assert.equal((await admin.createTenant("acme", { quotas: { queued: 5 } })).quotas.queued, 5);
  const changed = await admin.changeTenant("acme", { quotas: { queued: null, running: 2 } });
  assert.deepEqual(changed.quotas, { queued: null, running: 2, bytes: null });
  const kept = await admin.changeTenant("acme", { retention: { keep: 60, keep_failed: 0 } });
  assert.deepEqual(kept.retention, { keep: 60, keep_failed: 0, keep_bytes: null });
  assert.deepEqual(await admin.tenant("acme"), { ...changed, retention: kept.retention });
  assert.deepEqual(
    (await admin.tenants()).map((one) => one.name),
    ["default", "acme"],
  );
  assert.equal((await admin.createKey("a key", { tenant: "acme" })).tenant, "acme");
  await admin.revokeKey(made.id);
  await assert.rejects(collect(reader.jobs()), (caught) => caught.code === "unauthorized");
  await service.close();
  await rm(folder, { recursive: true });
});

test("a stored model is named by its id", async () => {
  const { id } = await client.storeModel(MODEL);
  assert.equal((await client.model(id)).id, id);
  assert.ok((await collect(client.models({ limit: 1 }))).some((one) => one.id === id));
  const found = await client.run(job({ model: { id } }));
  assert.equal(found.data.model.id, id);
  assert.equal((await client.structure(id)).degrees_of_freedom, 1);
  assert.match(JSON.stringify(await client.equations(id)), /ddot\(x\)/);
  assert.match(
    JSON.stringify(await client.equations(id, { format: "latex", formulation: "hamiltonian" })),
    /frac/,
  );
  await client.deleteModel(id);
  await assert.rejects(client.deleteModel(id), dalembert.NotFound);
  assert.ok("equations" in (await client.validateModel(MODEL, { equations: true })));
});

test("the equations of a check come in each notation", async () => {
  for (const [method, document] of [
    [client.validate, job()],
    [client.validateModel, MODEL],
  ]) {
    for (const [format, text] of [
      ["text", "ddot(x)"],
      ["latex", "\\ddot{x}"],
      ["c", "double"],
    ]) {
      const { equations } = await method.call(client, document, { equations: true, format });
      assert.equal(equations.format, format);
      assert.ok(equations.whole.includes(text));
    }
    await assert.rejects(
      method.call(client, document, { format: "latex" }),
      /format needs include=equations/,
    );
  }
});

test("a check stores nothing", async () => {
  const revision = async () => (await (await fetch(daemon.url + "/v1/jobs")).json()).revision;
  const start = await revision();
  assert.match(
    JSON.stringify((await client.validate(job(), { equations: true })).equations),
    /ddot\(x\)/,
  );
  assert.ok(!("equations" in (await client.validate(job()))));
  assert.equal(await revision(), start);
});

// Mistakes.

test("mistakes are shown at their places", async () => {
  const wrong = job({ tiem: 1, model: { ...MODEL, lagrangian: "m/2*dot(x)^2\n - kk*x^2/2" } });
  await assert.rejects(client.submit(wrong), (caught) => {
    assert.deepEqual(
      [caught.name, caught.status, caught.code],
      ["InvalidDocument", 422, "invalid_document"],
    );
    const lines = caught.message.split("\n");
    assert.match(caught.message, /\/tiem: unknown member "tiem"/);
    assert.match(caught.message, /did you mean "time"\?/);
    const line = lines.findIndex((text) => text.trim() === "- kk*x^2/2");
    assert.equal(lines[line].indexOf("kk"), lines[line + 1].indexOf("^"));
    return true;
  });
  await assert.rejects(client.submit('{"model": {"coordinates": ["x"],, '), (caught) => {
    const lines = caught.message.split("\n");
    assert.equal(caught.code, "not_json");
    assert.equal(lines.at(-2).indexOf(",, ") + 1, lines.at(-1).indexOf("^"));
    return true;
  });
  const found = await client.run(ENSEMBLE);
  for (const call of [
    () => found.members({ where: "top > zonk" }),
    () => found.statistics({ where: "top > zonk" }),
  ])
    await assert.rejects(call, (caught) => {
      const lines = caught.message.split("\n");
      assert.equal(lines.at(-2).indexOf("zonk"), lines.at(-1).indexOf("^"));
      return caught instanceof dalembert.InvalidDocument;
    });
});

test("other refusals", async () => {
  await assert.rejects(
    client.job("no/such?job"),
    (caught) => caught instanceof dalembert.NotFound && caught.detail.includes("no/such?job"),
  );
  const found = await client.run(job());
  await assert.rejects(found.cancel(), dalembert.Conflict);
  await assert.rejects(found.result({ table: "nothing" }), dalembert.Problem);
  await assert.rejects(found.members(), dalembert.NotFound);
  await assert.rejects(found.result({ format: "xml" }), TypeError);
  // the service refuses unknown parameters
  await assert.rejects(found.result({ colums: ["x"] }), /colums/);
  await found.delete();
  for (const call of [
    () => found.refresh(),
    () => found.delete(),
    () => found.result(),
    () => collect(found.follow()),
  ])
    await assert.rejects(call, dalembert.NotFound);
});

test("a failure is told", async () => {
  const broken = job({
    model: { coordinates: ["x"], lagrangian: "dot(x)^2/2 + x^4" },
    time: { end: 100 },
  });
  await assert.rejects(client.run(broken), (caught) => {
    assert.deepEqual(
      [caught.name, caught.job.state, caught.job.reason],
      ["JobFailed", "failed", "numeric"],
    );
    return caught.message.includes(caught.job.error.detail);
  });
  const found = await client.run(broken, { check: false });
  assert.equal((await found.result()).complete, false);
});

// Following.

test("waiting ends in time, and by a signal", async () => {
  const found = await client.submit(longJob());
  for (const progress of [false, () => {}])
    await assert.rejects(
      found.wait({ timeout: 0.2, progress }),
      (caught) => caught instanceof dalembert.WaitTimeout && caught.job === found,
    );
  await assert.rejects(
    client.run(longJob({ labels: { a: "b" } }), { timeout: 0.1 }),
    dalembert.WaitTimeout,
  );
  await client.cancelJobs({ labels: { a: "b" } });
  const stop = new AbortController();
  const waits = [
    found.wait({ signal: stop.signal }),
    collect(found.follow({ signal: stop.signal })),
    collect(client.changes({ signal: stop.signal, labels: { no: "one" } })),
  ];
  stop.abort();
  for (const wait of waits) await assert.rejects(wait, { name: "AbortError" });
  assert.deepEqual(timers.pending(), []);
  await assert.rejects(client.queue({ signal: stop.signal }), { name: "AbortError" });
  await found.cancel();
  await assert.rejects(found.wait(), dalembert.JobFailed);
  assert.equal((await found.cancel()).state, "cancelled"); // once more is no mistake
});

test("a job is followed to its end", async () => {
  const found = await client.submit(longJob());
  const kinds = [];
  for await (const { kind, job: seen } of found.follow()) {
    kinds.push(kind);
    if (kind === "progress") {
      assert.equal(typeof seen.progress.fraction, "number");
      await found.cancel();
    }
  }
  assert.deepEqual([kinds.at(-1), found.state], ["done", "cancelled"]);
  assert.deepEqual(
    (await collect(found.follow())).map(({ kind }) => kind),
    ["done"],
  );
  for await (const { kind } of (await client.submit(longJob({ labels: { left: "1" } }))).follow())
    if (kind) break; // who leaves may leave
  await client.cancelJobs({ labels: { left: "1" } });
});

test("a bar is drawn on terminals only", async () => {
  const terminal = { isTTY: true, text: "", write: (text) => (terminal.text += text) };
  for (const stream of [terminal, { ...terminal, isTTY: false }]) {
    const bar = new dalembert.Bar(stream);
    const found = await client.run(ENSEMBLE, { progress: (seen) => bar.show(seen.data) });
    bar.close();
    assert.equal(found.state, "succeeded");
  }
  assert.equal(terminal.text.split("100 %, 6 of 6 members").length > 1, true, terminal.text);
  assert.ok(terminal.text.endsWith("\n"));
  assert.equal((await client.run(job(), { progress: true })).state, "succeeded");
});

test("changes come in their order", async () => {
  const feed = client.changes({ labels: { feed: "1" } });
  const next = feed.next();
  const found = await client.submit(job({ labels: { feed: "1" } }));
  const page = (
    await Promise.race([
      next,
      client.changes({ since: found.revision - 1, labels: { feed: "1" } }).next(),
    ])
  ).value;
  assert.deepEqual(
    page.jobs.map(({ id }) => id),
    [found.id],
  );
  await (await found.wait()).delete();
  const told = await collect(
    client.changes({ since: page.revision, labels: { feed: "1" }, idle: 0.01 }),
  );
  assert.ok(told.some(({ deleted, reset }) => deleted.includes(found.id) && !reset));
  await next;
  await feed.return();
});

// Lists.

test("lists come page by page", async () => {
  const ids = (
    await client.submitBatch(
      [0, 1, 2, 3, 4].map((k) => job({ labels: { many: "1", n: String(k % 2) } })),
    )
  ).map(({ id }) => id);
  const listed = await collect(client.jobs({ labels: { many: "1" }, limit: 2 }));
  assert.deepEqual(
    listed.map(({ id }) => id),
    ids.slice().reverse(),
  );
  assert.equal((await collect(client.jobs({ labels: { many: "1", n: "0" } }))).length, 3);
  for (const found of listed) await found.wait();
  assert.equal(
    (await collect(client.jobs({ labels: { many: "1" }, state: "succeeded" }))).length,
    5,
  );
  const report = await client.deleteJobs({ ids: [...ids.slice(0, 2), "nothing"] });
  assert.deepEqual([report.changed, report.refused[0].code], [2, "not_found"]);
  assert.equal((await client.deleteJobs({ state: "succeeded", labels: { many: "1" } })).changed, 3);
  await assert.rejects(client.cancelJobs({ ids, state: "queued" }), TypeError);
});

// Results.

test("results are the same bits in every form", async () => {
  for (const document of [ODD, ENSEMBLE]) {
    const found = await client.run(document);
    for (const format of ["npy", "json"])
      await checkTable(found, await found.result({ format }), "/result");
  }
  const found = await client.run(ODD);
  await checkTable(
    found,
    await found.result({ table: "fall & rise" }),
    "/result",
    "?table=fall%20%26%20rise",
  );
  const columns = ["t", ...ODD_NAMES];
  const query = "?columns=" + columns.map(encodeURIComponent).join(",");
  await checkTable(
    found,
    await found.result({ columns, from: 1, to: 4, stride: 3 }),
    "/result",
    query + "&from=1&to=4&stride=3",
  );
  const few = await found.result({ points: 2 });
  assert.ok(few.downsampled && few.complete);
  assert.deepEqual(
    (await collect(found.pages({ limit: 10 }))).map(({ nRows }) => nRows),
    [10, 10, 3],
  );
  const page = await found.result({ limit: 10 });
  assert.equal(
    (await found.result({ limit: 10, cursor: page.next })).get("t")[0],
    (await found.result()).get("t")[10],
  );
  assert.throws(() => page.get("none"), {
    name: "RangeError",
    message: /^no column "none" among t, x, /,
  });
  assert.throws(() => page.words("t"), {
    name: "RangeError",
    message: /^no column of words "t" among t, x, /,
  });
});

test("columns come afterwards", { skip: !ROUTES["/v1/jobs/{id}/columns"] }, async () => {
  const found = await client.run(ODD);
  const fresh = { "twice, \u00f6": "2*x", E: "energy()" };
  const alone = await (await client.run({ ...ODD, observe: fresh })).result();
  for (const format of ["npy", "json"]) {
    const given = await found.observe(fresh, { format });
    assert.deepEqual([given.names, given.complete], [["t", ...Object.keys(fresh)], true]);
    for (const name of given.names) assert.equal(bits(given.get(name)), bits(alone.get(name)));
    assert.equal(
      (await found.observe(fresh, { columns: ["E", "x"], from: 1, to: 4, tail: 2, format })).nRows,
      2,
    );
    assert.deepEqual(
      [...(await found.result({ tail: 3, format })).get("t")],
      [...alone.get("t").slice(-3)],
    );
  }
  assert.ok((await found.observe(fresh, { points: 2 })).downsampled);
  await assert.rejects(
    found.observe({ v: "x + zonk" }),
    ({ mistakes: [{ pointer, text }] }) => pointer === "/observe/v" && text === "x + zonk",
  );
});

test("a terminal event is named", async () => {
  const found = await client.run(job({ events: [{ name: "down", when: "x", terminal: true }] }));
  for (const format of ["npy", "json"]) {
    const table = await found.result({ format });
    assert.equal(table.endedBy, "down");
    assert.equal(
      table.get("t").at(-1),
      (await found.result({ table: "down", format })).get("t")[0],
    );
  }
  assert.equal((await (await client.run(job())).result()).endedBy, null);
});

test("empty tables are empty", async () => {
  const found = await client.run(job({ events: [{ name: "never", when: "x - 100" }] }));
  for (const format of ["npy", "json"]) {
    const none = await found.result({ table: "never", format });
    assert.deepEqual([none.names, none.nRows, [...none.rows()]], [["t", "x", "dot(x)"], 0, []]);
  }
  assert.deepEqual(await collect(found.rows({ table: "never" })), []);
  assert.deepEqual(readJsonTable({ columns: [], series: {}, complete: false }).names, []);
});

test("zeros keep their signs", () => {
  const found = readJsonTable(
    JSON.parse('{"columns":["a"],"series":{"a":[-0,0,null,1e300]},"complete":true}'),
  );
  assert.equal(bits(found.get("a")), bits([-0, 0, NaN, 1e300]));
});

test("units come with the columns", async () => {
  assert.ok((await client.catalog()).some(({ name }) => name === "vertical-rolling-disk"));
  const found = await client.run((await client.catalogSystem("vertical-rolling-disk")).job);
  for (const format of ["npy", "json"])
    assert.equal((await found.result({ format })).units["dot(x)"], "m/s");
});

test("rows of any number are read in blocks", async () => {
  const found = await client.run(job({ time: { end: 1, samples: 40001 } }));
  let count = 0;
  let last;
  for await (const row of found.rows({ columns: ["t", "x"], rows: 1000 })) {
    count++;
    last = row;
  }
  assert.deepEqual([count, last.t], [40001, 1]);
  const blocks = [];
  let largest = 0;
  for await (const block of found.blocks({ rows: 10000 })) {
    blocks.push(block.nRows);
    largest = Math.max(largest, block.get("t").buffer.byteLength);
  }
  assert.deepEqual(blocks, [10000, 10000, 10000, 10000, 1]);
  assert.equal(largest, 80000); // no block holds on to the whole
  // the connection is given up, and the client goes on
  for await (const row of found.rows()) if (row) break;
  assert.equal(await client.ready(), true);
  await assert.rejects(collect(found.blocks({ rows: 0 })), RangeError);
});

test("files have the bytes of the service", async () => {
  const found = await client.run(ODD);
  const folder = await mkdtemp(join(tmpdir(), "dalembert-test-"));
  for (const [format, accept] of Object.entries({
    csv: "text/csv",
    json: "application/json",
    ndjson: "application/x-ndjson",
    npy: "application/x-npy",
  })) {
    await writeFile(join(folder, format), (await found.download(format)).body);
    assert.deepEqual(await readFile(join(folder, format)), await raw(found, "/result", accept));
  }
  await rm(folder, { recursive: true });
  assert.equal(
    await (await found.download("csv", { columns: ["t"], stride: 22 })).text(),
    "t\r\n0\r\n5\r\n",
  );
  await assert.rejects(found.download("xls"), TypeError);
});

test("plots are drawn", async () => {
  const found = await client.run(ODD);
  assert.match(await found.plot(), /^<svg/);
  const wish = {
    y: [ODD_NAMES[0], "x"],
    x: "dot(x)",
    width: 300,
    height: 200,
    theme: "dark",
    aspect: "fill",
    style: "dots",
    from: 1,
    to: 2,
  };
  assert.match(await found.plot(wish), /width="300"/);
  assert.match(await found.plot({ y: ODD_NAMES[0] }), /h\u00f6he/);
  assert.match(await found.plot({ y: "x", table: "fall & rise" }), /<svg/);
});

test("evidence comes with a job", async () => {
  const found = await client.run(job());
  assert.ok("energy" in (await found.diagnostics()));
  assert.ok("items" in (await found.scene()).scene);
  assert.equal((await found.invariants()).invariants[0].name, "energy");
  const running = await client.submit(longJob());
  await assert.rejects(
    running.diagnostics(),
    (caught) => caught instanceof dalembert.Conflict && caught.code === "not_ready",
  );
  assert.equal((await running.result()).complete, false);
  await running.cancel();
});

// Ensembles.

test("members are tables", async () => {
  const found = await client.run(ENSEMBLE);
  assert.ok(found.isEnsemble);
  for (const format of ["npy", "json"])
    await checkTable(found, await found.members({ format }), "/members");
  const some = await found.members({
    where: 'top > 0.75 and state == "succeeded"',
    sort: "-member",
    columns: ["member", "top"],
  });
  assert.deepEqual(
    [some.names, [...some.get("member")]],
    [
      ["member", "top"],
      [5, 3, 1],
    ],
  );
  assert.deepEqual(
    (await collect(found.memberPages({ where: "member > 0", limit: 2 }))).map(({ nRows }) => nRows),
    [2, 2, 1],
  );
  const grid = await found.members({ grid: true });
  assert.deepEqual(
    [grid.shape, grid.axes.map(({ path }) => path)],
    [
      [3, 2],
      ["parameters.k", "initial.q.x"],
    ],
  );
  assert.deepEqual(
    [[...grid.get("member")], grid.words("state")],
    [[0, 1, 2, 3, 4, 5], Array(6).fill("succeeded")],
  );
  assert.deepEqual(
    [...grid.rows()].map(({ member }) => member),
    [0, 1, 2, 3, 4, 5],
  );
  await checkTable(found, await found.memberResult(2), "/members/2/result");
  await checkTable(
    found,
    await found.memberResult(5, { table: "down" }),
    "/members/5/result",
    "?table=down",
  );
  await checkTable(
    found,
    await found.result({ table: "trajectory" }),
    "/result",
    "?table=trajectory",
  );
  const alone = await client.run((await found.member(3)).job);
  assert.equal(bits((await alone.result()).get("x")), bits((await found.memberResult(3)).get("x")));
});

test("statistics are arrays", async () => {
  const found = await client.run(ENSEMBLE);
  const { count, columns, covariance } = await found.statistics({
    of: ["top", "late"],
    quantiles: [0, 0.5],
    bins: 4,
    where: "member > 0",
  });
  assert.deepEqual(
    [count, columns.top.quantiles["0.5"], [...columns.top.histogram.counts]],
    [5, 1, [2, 0, 0, 3]],
  );
  assert.ok(covariance[0] instanceof Float64Array);
  const over = await found.statistics({ of: ["x"], over: "time", quantiles: [0.5] });
  assert.equal(bits(over.t), bits((await found.memberResult(0)).get("t")));
  assert.deepEqual([over.columns.x.max[0], over.columns.x.quantiles["0.5"].length], [1, 11]);
});

test("what failed is run again", async () => {
  const found = await client.run(job());
  const again = await found.rerun({ wait: 60, idempotencyKey: "again" });
  assert.notEqual(again.id, found.id);
  assert.equal((await found.rerun({ idempotencyKey: "again" })).id, again.id);
  assert.equal(
    bits((await (await again.wait()).result()).get("x")),
    bits((await found.result()).get("x")),
  );
  await assert.rejects((await client.run(ENSEMBLE)).rerun(), dalembert.Conflict);
});

test("the service tells of itself", async () => {
  assert.equal(await client.ready(), true);
  assert.equal((await client.limits())["max-wait"].value, await client.longestWait());
  assert.ok((await client.language()).functions.some(({ name }) => name === "sin"));
  assert.ok("queued" in (await client.queue()));
  assert.equal((await client.about()).service, "dalembert");
  assert.equal((await client.about()).version, dalembert.version);
  const manifest = JSON.parse(
    await readFile(new URL("../../clients/javascript/package.json", import.meta.url)),
  );
  assert.equal(manifest.version, dalembert.version);
  assert.deepEqual(
    (await client.problem("internal")).meanings.map((one) => one.of),
    ["answer", "job"],
  );
  await assert.rejects(client.problem("a/b"), dalembert.NotFound);
});

// Gone, busy, broken.

test("a daemon that comes again has kept the job", async () => {
  const own = await new Daemon().start();
  const patient = new Client(own.url, { retries: 1000, longestPause: 0.05 });
  const found = await patient.submit(job({ time: { end: 20000, samples: 3 } }));
  const waiter = await patient.job(found.id);
  const feed = found.follow();
  await feed.next();
  const ends = [collect(feed), waiter.wait()];
  await own.end("SIGKILL");
  await own.start();
  const [events] = await Promise.all(ends);
  assert.deepEqual(
    [events.at(-1).kind, found.state, waiter.state],
    ["done", "succeeded", "succeeded"],
  );
  assert.ok((await found.result()).complete);
  await own.close();
});

test("nobody is there", async () => {
  const url = await nobody();
  const alone = new Client(url, { retries: 2, longestPause: 0.001 });
  for (const call of [() => alone.submit(job()), () => alone.ready(), () => alone.jobs().next()])
    await assert.rejects(
      call,
      (caught) => caught instanceof dalembert.Unreachable && caught.message.includes(url),
    );
});

test("a request that a browser keeps back is told what may help", async () => {
  const { fetch } = globalThis;
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch"); // a browser's, which gives no cause
  };
  try {
    await assert.rejects(new Client("http://127.0.0.1:9", { retries: 0 }).about(), {
      message: /: Failed to fetch \(.*CORS.*--cors-origin/,
    });
  } finally {
    globalThis.fetch = fetch;
  }
  await assert.rejects(
    new Client(await nobody(), { retries: 0 }).about(),
    (caught) => !caught.message.includes("CORS"),
  );
});

test("an address is one", () => {
  for (const url of ["localhost:80", "ftp://a", "http://", "http://a:b@c", "http://a?b"])
    assert.throws(() => new Client(url), TypeError, url);
  process.env.DALEMBERT_URL = "http://other:1";
  assert.equal(new Client().url, "http://other:1");
  delete process.env.DALEMBERT_URL;
  assert.equal(new Client().url, "http://127.0.0.1:8080");
});

const JOB = { id: "j1", state: "queued", done: false, revision: 1 };
const DONE = { ...JOB, state: "succeeded", done: true, revision: 9 };
const NPY = { "Content-Type": "application/x-npy" };
const event = (name, data, id) =>
  `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
const stream = (...blocks) =>
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" +
  blocks.join("");
const chunked = (body, whole = true, kind = "application/x-npy") =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: ${kind}\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${body.length.toString(16)}\r\n`,
    ),
    Buffer.from(body),
    Buffer.from(whole ? "\r\n0\r\n\r\n" : ""),
  ]);

function npy(rows, shape = rows.length, format = "<f8") {
  const header =
    `{'descr': [('t', '${format}')], 'fortran_order': False, ` + `'shape': (${shape},), }\n`;
  const body = Buffer.alloc(10 + header.length + 8 * rows.length);
  body.write("\x93NUMPY\x01\x00", 0, "latin1");
  body.writeUInt16LE(header.length, 8);
  body.write(header, 10);
  rows.forEach((value, k) =>
    format[0] === ">"
      ? body.writeDoubleBE(value, 10 + header.length + 8 * k)
      : body.writeDoubleLE(value, 10 + header.length + 8 * k),
  );
  return body;
}

/**
 * A client of a service with these answers, all of which must be asked for; `pauses`: how long it
 * would have paused.
 */
async function broken(answers, use, options = {}) {
  const stub = await new Stub(...answers).start();
  const own = new Client(stub.url, { longestPause: 0.01, ...options });
  const pauses = [];
  own.transport.sleep = async (seconds) => pauses.push(seconds);
  try {
    await use(own, stub, pauses);
    assert.equal(stub.answers.length, 0, "not all was asked for");
  } finally {
    await stub.close();
  }
}

test("who is busy is asked later with the same key", () =>
  broken(
    [
      answer(503, { code: "queue_full" }, { "Retry-After": 7 }),
      answer(429, { code: "quota" }, { "Retry-After": 0 }),
      answer(503, {}, { "Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT" }),
      answer(502, "<html>", { "Content-Type": "text/html" }),
      "",
      answer(202, JOB),
    ],
    async (own, stub, pauses) => {
      assert.equal((await own.submit(job())).id, "j1");
      assert.deepEqual(pauses.slice(0, 3), [7, 0, 0]);
      assert.ok(pauses.slice(3).every((pause) => pause > 0 && pause <= 10));
      assert.equal(
        new Set(stub.requests.map(({ headers, body }) => headers["idempotency-key"] + body)).size,
        1,
      );
    },
    { longestPause: 10 },
  ));

test("who stays busy is told, and who is busy for too long at once", async () => {
  const full = answer(503, { code: "queue_full", title: "Full" }, { "Retry-After": 1 });
  const told = (own) =>
    assert.rejects(
      own.submit(job()),
      (caught) => caught instanceof dalembert.Busy && caught.retryAfter >= 1,
    );
  await broken([full, full, full], told, { retries: 2, longestPause: 5 });
  await broken([answer(503, {}, { "Retry-After": 3600 })], told);
});

test("what is refused is not asked again", async () => {
  for (const status of [301, 400, 401, 403, 405, 409, 413, 422, 500, 507])
    await broken([answer(status, "no", { "Content-Type": "text/plain" })], (own) =>
      assert.rejects(
        own.submit(job()),
        (caught) =>
          caught instanceof dalembert.Problem && caught.status === status && caught.detail === "no",
      ),
    );
});

test("refusals that make no sense are told as they are", async () => {
  for (const body of [
    [],
    { errors: 3, more_errors: "x" },
    { errors: [1, { pointer: 2, offset: "a", hint: {} }] },
  ])
    await broken([answer(422, body)], (own) =>
      assert.rejects(
        own.submit(job()),
        (caught) => caught instanceof dalembert.Problem && caught.status === 422,
      ),
    );
});

test("ready asks once", () =>
  broken([answer(503, {}), answer(500, {})], async (own) => {
    assert.equal(await own.ready(), false);
    await assert.rejects(own.ready(), dalembert.Problem);
  }));

test("the key is sent and not shown, and an address may have a path", () =>
  broken(
    [answer(401, { title: "Who are you?" }), answer(200, { service: "x" })],
    async (own, stub) => {
      await assert.rejects(own.queue(), (caught) => !String(caught.stack).includes("secret"));
      assert.equal(stub.requests[0].headers.authorization, "Bearer secret");
      assert.equal(stub.requests[0].headers["accept-encoding"], "identity"); // on this machine
      await new Client(stub.url + "/sim/").about();
      assert.equal(stub.requests[1].path, "/sim/");
    },
    { key: "secret" },
  ));

test("who does not answer is given up in time", () =>
  broken([null], (own) => assert.rejects(own.queue(), dalembert.Unreachable), {
    timeout: 0.05,
    retries: 0,
  }));

test("answers that make no sense are told", async () => {
  const calls = [
    ['{"id": "j1"', (own) => own.submit(job())],
    ["[]", (own) => own.submit(job())],
    ['{"id": "j1"}', (own) => own.job("j1")],
    ['{"x": 1}', (own) => own.jobs().next()],
    ["null", (own) => own.limits()],
  ];
  for (const [body, call] of calls)
    await broken([answer(200, body)], (own) =>
      assert.rejects(call(own), dalembert.BadAnswer, body),
    );
});

test("results that make no sense are told", async () => {
  const about = answer(200, { complete: true });
  const odd = Buffer.from(npy([1]).toString("latin1").replace("<f8", "<f4"), "latin1");
  const unknown = Buffer.from(npy([1]).toString("latin1").replace("<f8", "<i4"), "latin1");
  for (const body of ["", "hello, world", npy([1]).subarray(0, 20), npy([1, 2], 3), odd, unknown])
    await broken([about, answer(200, body, NPY), about, answer(200, body, NPY)], async (own) => {
      await assert.rejects(new Job(own, DONE).result(), dalembert.BadAnswer);
      await assert.rejects(collect(new Job(own, DONE).rows()), dalembert.BadAnswer);
    });
  for (const body of [
    {},
    [],
    null,
    { columns: ["a"], series: { a: ["x"] } },
    { columns: ["a"], series: {} },
  ])
    assert.throws(() => readJsonTable(body), dalembert.BadAnswer);
});

test("arrays of either order, torn anywhere, are read", async () => {
  for (const format of ["<f8", ">f8"])
    for (const size of [1, 3, 7, 1000]) {
      const whole = npy([1.5, -2, 0.25], 3, format);
      async function* pieces() {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
      }
      const blocks = await collect(new NpyReader(pieces()).blocks(2, {}));
      assert.deepEqual(
        blocks.map((block) => [...block.get("t")]),
        [[1.5, -2], [0.25]],
      );
    }
});

test("an answer that is cut is asked for again", () => {
  const text = JSON.stringify(DONE);
  const packed = answer(200, gzipSync(text), { "Content-Encoding": "gzip" });
  return broken(
    [
      answer(200, text).subarray(0, -10),
      chunked(text.slice(0, 20), false, "application/json"),
      packed.subarray(0, -4),
      packed,
    ],
    async (own) => {
      assert.equal((await own.job("j1")).state, "succeeded");
    },
  );
});

test("rows that are cut are told", async () => {
  const body = npy(Array.from({ length: 100 }, (_, k) => k));
  const about = answer(200, { complete: true });
  const short = body.subarray(0, -80);
  for (const cut of [
    chunked(short, false),
    answer(200, body, NPY).subarray(0, -80),
    chunked(short),
  ])
    await broken([about, cut], async (own) => {
      const seen = [];
      await assert.rejects(async () => {
        for await (const row of new Job(own, DONE).rows({ rows: 10 })) seen.push(row.t);
      }, dalembert.DalembertError);
      assert.ok(seen.length <= 90 && seen.every((value, k) => value === k));
    });
});

test("a stream goes on where it was cut", () => {
  const running = { ...JOB, state: "running", revision: 5 };
  return broken(
    [
      stream(
        "retry: 20\n\n",
        ": hello\n\n",
        "data: 1\n\n",
        event("news", 1),
        event("state", JOB, 1),
        event("state", running, 5),
        'event: done\ndata: {"id"',
      ),
      chunked(event("progress", running), false, "text/event-stream"),
      "",
      answer(503, {}),
      stream(event("done", DONE, 9)),
    ],
    async (own, stub, pauses) => {
      const found = new Job(own, JOB);
      const kinds = (await collect(found.follow())).map(({ kind }) => kind);
      assert.deepEqual(
        kinds.filter((kind) => kind !== "progress"),
        ["state", "state", "done"],
      );
      assert.deepEqual(
        stub.requests.map(({ headers }) => headers["last-event-id"]),
        [undefined, "5", "5", "5", "5"],
      );
      assert.equal(pauses[0], 0.02);
      assert.deepEqual(found.data, DONE);
    },
  );
});

test("an end that was told is told", () =>
  broken(
    [
      stream(event("state", { ...JOB, state: "running" }, 5)),
      "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
      answer(200, DONE),
    ],
    async (own) =>
      assert.deepEqual(
        (await collect(new Job(own, JOB).follow())).map(({ kind }) => kind),
        ["state", "done"],
      ),
  ));

test("a job deleted elsewhere ends the wait", async () => {
  const gone = stream(event("deleted", { id: "j1" }));
  await broken([gone, answer(404, {})], (own) =>
    assert.rejects(new Job(own, JOB).wait({ progress: () => {} }), dalembert.NotFound),
  );
  await broken([gone], async (own) =>
    assert.equal((await collect(new Job(own, JOB).follow()))[0].kind, "deleted"),
  );
});

test("events without a job are told", async () => {
  for (const data of ["nonsense", "[]"])
    await broken([stream(`event: state\ndata: ${data}\n\n`)], (own) =>
      assert.rejects(collect(new Job(own, JOB).follow()), dalembert.BadAnswer),
    );
});

test("what may have been done is done", async () => {
  await broken(["", answer(404, {}), answer(404, {})], async (own) => {
    await new Job(own, DONE).delete();
    await assert.rejects(new Job(own, DONE).delete(), dalembert.NotFound);
  });
  await broken(["", answer(404, {})], (own) => own.deleteModel("m"));
});

test("a service that does not wait is not pressed", () =>
  broken(
    [
      answer(200, { limits: { "max-wait": { value: 60 } } }),
      ...Array(5).fill(answer(200, JOB)),
      answer(200, DONE),
    ],
    async (own, stub, pauses) => {
      await new Job(own, JOB).wait();
      assert.deepEqual(pauses, [0.05, 0.1, 0.2, 0.4, 0.8]);
    },
  ));

test("rows are chosen as is said", () => {
  const about = answer(200, { complete: true });
  const rows = answer(200, npy([1]), NPY);
  return broken([about, rows, about, rows, about, rows], async (own, stub) => {
    const found = new Job(own, DONE);
    await found.result({ columns: ["t"], tail: 5 });
    await found.observe({ v: "x" }, { columns: ["a,b"], table: "e", tail: 5 });
    await found.memberResult(3, { stride: 2, tail: 5 });
    assert.deepEqual(
      stub.requests.map(({ method, path }) => `${method} ${path.slice(12)}`),
      [
        "GET result?columns=t&limit=1",
        "GET result?columns=t&tail=5",
        "POST columns?columns=a%2Cb&table=e&limit=1",
        "POST columns?columns=a%2Cb&table=e&tail=5",
        "GET members/3/result?stride=2&limit=1",
        "GET members/3/result?stride=2&tail=5",
      ],
    );
    assert.deepEqual(JSON.parse(stub.requests[3].body), { observe: { v: "x" } });
  });
});

test("old changes are forgotten", () =>
  broken(
    [
      answer(200, { limits: { "max-wait": { value: 60 } } }),
      answer(200, { jobs: [], next: null, revision: 70, reset: true, deleted: [] }),
      answer(200, { jobs: [DONE], next: null, revision: 70, deleted: ["j0"] }),
    ],
    async (own, stub) => {
      const feed = own.changes({ since: 3 });
      const first = (await feed.next()).value;
      assert.deepEqual([first.deleted, first.revision, first.reset], [[], 0, true]);
      const second = (await feed.next()).value;
      assert.deepEqual(
        [second.jobs[0].id, second.deleted, second.revision, second.reset],
        ["j1", ["j0"], 70, false],
      );
      assert.match(stub.requests[2].path, /since=0&/);
      await feed.return();
    },
  ));

// Pieces.

test("events torn anywhere are the same", async () => {
  const text = Buffer.from(
    "\n: c\nevent: a\r\nid: 1\r\ndata: x\u00e9\r\ndata:y\r\n\r\nid: 2\rdata: z\r\revent: none\n\n" +
      "id: a\0b\nretry: 250\nretry: x\ndata\n\nevent: cut\ndata: 1\n",
  );
  for (let size = 1; size <= text.length; size++) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
    }
    const parser = new Parser();
    const found = (await collect(parser.messages(pieces()))).map(({ name, data }) => [name, data]);
    assert.deepEqual(
      found,
      [
        ["a", "x\u00e9\ny"],
        ["message", "z"],
        ["message", ""],
      ],
      `pieces of ${size}`,
    );
    assert.deepEqual([parser.lastId, parser.retry], ["2", 0.25]);
  }
});

test("a caret is under its character", () => {
  assert.deepEqual(mark("abc", 1), ["abc", " ^"]);
  assert.deepEqual(mark("abc", 99), ["abc", "   ^"]);
  assert.deepEqual(mark("ab\ncd\tef\ngh", 6), ["cd ef", "   ^"]);
  assert.deepEqual(mark("\n", 0), ["", "^"]);
  assert.deepEqual(mark("\u65e5e\u0301x", 3), ["\u65e5e\u0301x", "   ^"]);
  // beyond the basic plane a character is one
  assert.deepEqual(mark("\u{1d465}+?", 2), ["\u{1d465}+?", "  ^"]);
  const [line, caret] = mark("x".repeat(500) + "?" + "y".repeat(500), 500);
  assert.deepEqual([line.length, line[caret.indexOf("^")]], [78, "?"]);
});

test("places are found", () => {
  const source = new Source(JSON.stringify({ "a/b": { "c~d": ["x", { "": "y" }] }, n: 1 }), {
    where: "z",
    k: 3,
  });
  const places = {
    "/a~1b/c~0d/0": "x",
    "/a~1b/c~0d/1/": "y",
    "/n": null,
    "/a~1b/c~0d/7": null,
    "/none": null,
    "/toString": null,
    "": null,
    where: "z",
    k: null,
  };
  for (const [pointer, text] of Object.entries(places))
    assert.equal(source.text(pointer), text, pointer);
  assert.equal(new Source(null, {}).text("/a"), null);
});

test("a job is told in a line", () => {
  assert.equal(
    dalembert.describe({
      state: "running",
      done: false,
      progress: { fraction: 0.5, t: 2.5, eta_s: 300 },
    }),
    "running [############............]  50 %, t = 2.5, 5 min left",
  );
  assert.equal(
    dalembert.describe({ state: "queued", done: false, queue: { position: 3, eta_s: 8000 } }),
    "queued, 3 before it, begins in 2.2 h",
  );
});

test("queries and problems are written", () => {
  assert.equal(
    encodeQuery({ a: undefined, b: true, c: ["x,y", "d(e,f)"], "g h": 1e-3, n: null }),
    "?b=true&c=x%2Cy,d(e%2Cf)&g%20h=0.001",
  );
  const found = problem(
    422,
    { title: "T", code: "c", errors: [{ pointer: "", message: "m", hint: "h" }], more_errors: 7 },
    null,
    null,
  );
  assert.equal(found.message, "T (422 c)\n  the document: m\n    h\n  and 7 more");
});
