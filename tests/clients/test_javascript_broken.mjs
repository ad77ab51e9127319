// The JavaScript client against services that are busy or broken, and its parts alone.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import * as dalembert from "../../clients/javascript/dalembert.js";
import { mark, Source, problem } from "../../clients/javascript/errors.js";
import { Parser } from "../../clients/javascript/events.js";
import { NpyReader, readJsonTable } from "../../clients/javascript/table.js";
import { encodeQuery } from "../../clients/javascript/transport.js";
import { collect, job, noTimerIsLeft } from "./common.mjs";
import { Stub, answer } from "./service.mjs";

const { Client, Job } = dalembert;
after(noTimerIsLeft);

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
