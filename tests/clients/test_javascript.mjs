// The JavaScript client against a daemon.
import assert from "node:assert/strict";
import { readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as dalembert from "../../clients/javascript/dalembert.js";
import { readJsonTable } from "../../clients/javascript/table.js";
import { newKey } from "../../clients/javascript/transport.js";
import { MODEL, collect, job, noTimerIsLeft } from "./common.mjs";
import { Daemon, Stub, answer, nobody } from "./service.mjs";

const { Client } = dalembert;

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

let daemon;
/** @type {dalembert.Client} */
let client;
before(async () => {
  daemon = await new Daemon().start();
  client = new Client(daemon.url + "/");
});
after(async () => {
  await daemon.close();
  noTimerIsLeft();
});

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
  noTimerIsLeft();
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
