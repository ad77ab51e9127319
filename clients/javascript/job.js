/** A job: following it, and reading its results. */
import { BadAnswer, Conflict, JobFailed, NotFound, Unreachable, WaitTimeout } from "./errors.js";
import { Parser } from "./events.js";
import { Bar } from "./progress.js";
import { NPY, NpyReader, readJsonTable, toArray } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{signal?: AbortSignal}} Signal */
/**
 * @typedef {Object} RowsWish rows and columns of a result
 * @property {string[]} [columns] default: all
 * @property {number} [from] first time
 * @property {number} [to] last time, included
 * @property {number} [stride] every n-th row
 * @property {string} [table] name of an event: its rows
 */
/**
 * @typedef {{tail?: number, points?: number}} FewRows the last rows; few rows for a plot, with all
 *   extremes
 */
/**
 * @typedef {{progress?: boolean | ((job: Job) => void), timeout?: number, check?: boolean}} Waiting
 */
/** @typedef {"csv" | "json" | "ndjson" | "npy"} FileFormat */

const FORMATS = {
  csv: "text/csv",
  json: "application/json",
  ndjson: "application/x-ndjson",
  npy: NPY,
};
const EVENTS = ["state", "progress", "done", "deleted"];
const BEAT = 60; // seconds; an idle stream sends a sign more often

/**
 * A job as it was last seen; refresh(), wait() and follow() update it. `data` is the whole
 * resource.
 */
export class Job {
  /** @param {import("./client.js").Client} client @param {any} data */
  constructor(client, data) {
    this.client = client;
    this.transport = client.transport;
    /** @type {Record<string, any>} */
    this.data = {};
    this.#see(data);
  }

  /** @param {any} data */
  #see(data) {
    if (
      typeof data?.id !== "string" ||
      typeof data.state !== "string" ||
      typeof data.done !== "boolean" ||
      typeof data.revision !== "number"
    )
      throw new BadAnswer(`a job that is none: ${JSON.stringify(data)?.slice(0, 80)}`);
    this.data = data;
    return this;
  }

  // Description.

  /** @returns {string} */
  get id() {
    return this.data.id;
  }

  /** @returns {"queued" | "running" | "succeeded" | "failed" | "cancelled"} */
  get state() {
    return this.data.state;
  }

  /** @returns {boolean} */
  get done() {
    return this.data.done;
  }

  /** The stored result is complete. */
  get complete() {
    return Boolean(this.data.complete);
  }

  /** The result comes from an earlier identical job. */
  get cached() {
    return Boolean(this.data.cached);
  }

  /** @returns {number} */
  get revision() {
    return this.data.revision;
  }

  /**
   * Of a failure: model, numeric, limit, timeout, expired, worker_lost or internal.
   * @returns {string | null}
   */
  get reason() {
    return this.data.reason ?? null;
  }

  /** @returns {Record<string, any> | null} */
  get error() {
    return this.data.error ?? null;
  }

  /** @returns {string[]} */
  get warnings() {
    return this.data.warnings ?? [];
  }

  /** @returns {Record<string, string>} */
  get labels() {
    return this.data.labels ?? {};
  }

  /** @returns {Record<string, any>} */
  get progress() {
    return this.data.progress ?? {};
  }

  /**
   * Names of the tables beside the result: of events, and `trajectory` if an ensemble keeps them.
   * @returns {string[]}
   */
  get tables() {
    return this.data.tables ?? [];
  }

  get isEnsemble() {
    return Boolean(this.data.members);
  }

  #path(route = "") {
    return `/v1/jobs/${encodeURIComponent(this.id)}${route}`;
  }

  /** @param {string} route @param {import("./transport.js").Call} [call] */
  #json(route, call) {
    return this.transport.json("GET", this.#path(route), call);
  }

  // Following.

  /** Updates the job. @param {Signal} [options] */
  async refresh({ signal } = {}) {
    return this.#see(await this.#json("", { signal }));
  }

  /**
   * Resolves when the job is done; WaitTimeout after `timeout` seconds, JobFailed unless it
   * succeeded (`check: false`: no exception). `progress: true` draws a bar on Node's terminal; a
   * function is called with the job instead.
   * @param {Waiting & Signal} [options]
   */
  async wait({ timeout = Infinity, progress = false, check = true, signal } = {}) {
    if (progress) await this.#watch(timeout, progress, signal);
    else await this.#poll(timeout, signal);
    if (check && this.state !== "succeeded") throw new JobFailed(this);
    return this;
  }

  /**
   * @param {number} timeout
   * @param {true | ((job: Job) => void)} progress
   * @param {AbortSignal} [signal]
   */
  async #watch(timeout, progress, signal) {
    const bar = new Bar();
    const show = progress === true ? () => bar.show(this.data) : progress;
    try {
      for await (const { kind } of this.follow({ timeout, signal })) {
        show(this);
        if (kind === "deleted") await this.refresh({ signal }); // throws NotFound
      }
    } finally {
      bar.close();
    }
  }

  /** @param {number} timeout @param {AbortSignal} [signal] */
  async #poll(timeout, signal) {
    const end = Date.now() + 1000 * timeout;
    for (let pause = 0.05; !this.done;) {
      const left = (end - Date.now()) / 1000;
      if (left <= 0) throw new WaitTimeout(this, timeout);
      const known = this.revision;
      const asked = Date.now();
      const seconds = Math.min(left, await this.client.longestWait({ signal }));
      this.#see(
        await this.#json("", {
          query: { wait: seconds.toFixed(3), since: known },
          patience: seconds,
          signal,
        }),
      );
      if (this.revision === known && Date.now() - asked < 500 * seconds) {
        // too many requests wait: the service answers without waiting
        await this.transport.sleep(pause, signal);
        pause = Math.min(2 * pause, 2);
      }
    }
  }

  /**
   * The events of the job, up to its end or deletion. A stream that is cut is resumed.
   * @param {{timeout?: number} & Signal} [options]
   * @returns {AsyncGenerator<{kind: "state" | "progress" | "done" | "deleted", job: Job}>}
   */
  async *follow({ timeout = Infinity, signal } = {}) {
    const parser = new Parser();
    const end = Date.now() + 1000 * timeout;
    const left = () => {
      const seconds = (end - Date.now()) / 1000;
      if (seconds <= 0) throw new WaitTimeout(this, timeout);
      return Math.min(seconds, BEAT);
    };
    for (;;) {
      /** @type {Record<string, string>} */
      const headers = parser.lastId ? { "Last-Event-ID": parser.lastId } : {};
      const stream = await this.transport.open("GET", this.#path("/stream"), {
        headers,
        accept: "text/event-stream",
        signal,
      });
      try {
        for await (const { name, data } of parser.messages(stream.chunks(left))) {
          if (!EVENTS.includes(name)) continue; // from a later version
          if (name !== "deleted") this.#see(readEvent(data));
          yield { kind: /** @type {any} */ (name), job: this };
          if (name === "done" || name === "deleted") return;
        }
      } catch (cut) {
        if (!(cut instanceof Unreachable)) throw cut; // else the stream resumes after the last id
      }
      if (stream.status === 204) {
        // the end was sent before
        await this.refresh({ signal });
        yield { kind: "done", job: this };
        return;
      }
      await this.transport.sleep(Math.min(parser.retry, left()), signal);
    }
  }

  // Steering.

  /**
   * Cancels a queued job at once, a running job within moments: wait({check: false}). A cancelled
   * job stays cancelled.
   * @param {Signal} [options]
   */
  async cancel({ signal } = {}) {
    try {
      return this.#see(await this.transport.json("POST", this.#path("/cancel"), { signal }));
    } catch (conflict) {
      if (!(conflict instanceof Conflict) || (await this.refresh({ signal })).state !== "cancelled")
        throw conflict;
      return this;
    }
  }

  /** Deletes the job, which must be done, and its results. @param {Signal} [options] */
  async delete({ signal } = {}) {
    try {
      await this.transport.bytes("DELETE", this.#path(), { signal });
    } catch (gone) {
      // else an earlier try has deleted it
      if (!(gone instanceof NotFound && gone.lost)) throw gone;
    }
  }

  /**
   * A new job: it repeats a plain job, or runs the members of an ensemble that have not succeeded.
   * @param {{wait?: number, idempotencyKey?: string} & Signal} [options]
   */
  async rerun(options = {}) {
    return this.client._postJob(this.#path("/rerun"), undefined, options);
  }

  // Results.

  /** The submitted document. @param {Signal} [options] */
  async request({ signal } = {}) {
    return this.#json("/request", { signal });
  }

  /** The evidence: residuals, energy balance, steps. @param {Signal} [options] */
  async diagnostics({ signal } = {}) {
    return this.#json("/diagnostics", { signal });
  }

  /** The conserved quantities, and the reasons. @param {Signal} [options] */
  async invariants({ signal } = {}) {
    return this.#json("/invariants", { signal });
  }

  /**
   * The trajectory; with `table` the rows of an event; for an ensemble its summary, one row for
   * each member. The format only carries the numbers: they are the same, bit for bit.
   * @param {RowsWish & FewRows & {limit?: number, cursor?: string, format?: "npy" | "json"} &
   *   Signal} [options]
   */
  async result({ format = "npy", signal, ...query } = {}) {
    return this.#table("/result", query, format, signal);
  }

  /**
   * New columns, by name and expression, on the stored rows of the job: the time and the new
   * columns, or `columns`.
   * @param {Record<string, string>} expressions
   * @param {RowsWish & FewRows & {format?: "npy" | "json"} & Signal} [options]
   */
  async observe(expressions, { format = "npy", signal, ...query } = {}) {
    return this.#table("/columns", query, format, signal, { observe: expressions });
  }

  /**
   * @param {string} route
   * @param {Record<string, any>} query
   * @param {string} format
   * @param {AbortSignal} [signal]
   * @param {any} [document]
   * @returns {Promise<Table>}
   */
  async #table(route, query, format, signal, document) {
    if (format !== "npy" && format !== "json")
      throw new TypeError(`the format of a table is "npy" or "json", not "${format}"`);
    // only JSON has pages, omitted rows and axes
    if (format === "json" || query.points || query.limit || query.shape)
      return readJsonTable(await this.#ask(route, { query, signal, document }));
    return this.#npy(route, query, signal, document);
  }

  /**
   * A document is sent by POST.
   * @param {string} route
   * @param {import("./transport.js").Call} call
   */
  #ask(route, call) {
    return this.transport.json(
      call.document === undefined ? "GET" : "POST",
      this.#path(route),
      call,
    );
  }

  /**
   * @param {string} route
   * @param {Record<string, any>} query
   * @param {AbortSignal} [signal]
   * @param {any} [document]
   * @returns {Promise<Table>}
   */
  async #npy(route, query, signal, document) {
    const about = await this.#about(route, query, signal, document);
    const method = document === undefined ? "GET" : "POST";
    const body = await this.transport.bytes(method, this.#path(route), {
      query,
      document,
      accept: NPY,
      signal,
    });
    return new NpyReader(once(body)).table(about);
  }

  /**
   * Units, and whether the result is complete, which an array does not contain. Asked first, so
   * that it is not too favorable.
   * @param {string} route
   * @param {Record<string, any>} query
   * @param {AbortSignal} [signal]
   * @param {any} [document]
   */
  async #about(route, query, signal, document) {
    const { units, complete, ended_by } =
      (await this.#ask(route, {
        query: { ...query, tail: undefined, limit: 1 },
        signal,
        document,
      })) ?? {};
    return { units, complete, ended_by };
  }

  /**
   * A result of any size in bounded memory: tables of `rows` rows, one after the other.
   * @param {RowsWish & {rows?: number} & Signal} [options]
   * @returns {AsyncGenerator<Table>}
   */
  async *blocks({ rows = 65536, signal, ...query } = {}) {
    if (!(rows >= 1)) throw new RangeError("a block has at least one row");
    const about = await this.#about("/result", query, signal);
    const stream = await this.transport.open("GET", this.#path("/result"), {
      query,
      accept: NPY,
      signal,
    });
    const pieces = stream.chunks(() => this.transport.options.timeout);
    try {
      yield* new NpyReader(pieces).blocks(rows, about);
    } finally {
      await pieces.return(undefined);
    }
  }

  /**
   * A result row by row in bounded memory, each by column name.
   * @param {RowsWish & {rows?: number} & Signal} [options]
   * @returns {AsyncGenerator<Record<string, any>>}
   */
  async *rows(options = {}) {
    for await (const block of this.blocks(options)) yield* block.rows();
  }

  /**
   * A result page by page.
   * @param {{columns?: string[], limit?: number, table?: string} & Signal} [options]
   */
  async *pages({ limit = 1000, signal, ...query } = {}) {
    yield* this.#pages("/result", { ...query, limit }, signal);
  }

  /**
   * @param {string} route
   * @param {Record<string, any>} query
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Table>}
   */
  async *#pages(route, query, signal) {
    for (let cursor = query.cursor; ;) {
      const page = await this.#table(route, { ...query, cursor }, "json", signal);
      yield page;
      if (page.next === null) return;
      cursor = page.next;
    }
  }

  /**
   * The bytes of a result as csv, json, ndjson or npy, streamed: `await writeFile("a.csv", (await
   * job.download("csv")).body)` in Node, `URL.createObjectURL(await (await
   * job.download("csv")).blob())` in a browser.
   * @param {FileFormat} format
   * @param {RowsWish & Signal} [options]
   * @returns {Promise<Response>}
   */
  async download(format, { signal, ...query } = {}) {
    if (!Object.hasOwn(FORMATS, format))
      throw new TypeError(
        `the format of a file is one of ${Object.keys(FORMATS).join(", ")}, not "${format}"`,
      );
    const stream = await this.transport.open("GET", this.#path("/result"), {
      query,
      accept: FORMATS[format],
      signal,
    });
    return stream.release();
  }

  /**
   * The scene and the figures of the job, with the columns of its numbers that move; result({
   * table: "@scene" }) has their values and rates.
   * @param {Signal} [options]
   */
  async scene({ signal } = {}) {
    return this.#json("/scene", { signal });
  }

  /**
   * A drawing (SVG text) of columns `y` over the column `x`; by default the coordinates over time.
   * @param {{x?: string, y?: string | string[], from?: number, to?: number, table?: string, width?:
   *   number, height?: number, theme?: "light" | "dark", aspect?: "fill" | "equal", style?: "line"
   *   | "dots"} & Signal} [options]
   */
  async plot({ x, y, signal, ...query } = {}) {
    const columns = { x: x === undefined ? undefined : [x], y: typeof y === "string" ? [y] : y };
    return this.transport.text("GET", this.#path("/plot.svg"), {
      query: { ...columns, ...query },
      accept: "image/svg+xml",
      signal,
    });
  }

  // Ensembles.

  /**
   * All rows of the summary that meet a condition; with `grid` each column is a matrix, in the
   * order of `axes`.
   * @param {{where?: string, sort?: string, columns?: string[], grid?: boolean, format?: "npy" |
   *   "json"} & Signal} [options]
   */
  async members({ grid = false, format = "npy", signal, ...query } = {}) {
    if (grid) return this.#table("/members", { ...query, shape: "grid" }, "json", signal);
    // without a limit the answer comes in pages
    const all = { ...query, limit: Math.max(1, this.data.members?.total ?? 1) };
    return format === "npy"
      ? this.#npy("/members", all, signal)
      : this.#table("/members", all, format, signal);
  }

  /**
   * The rows of members() page by page.
   * @param {{where?: string, sort?: string, columns?: string[], limit?: number} & Signal} [options]
   */
  async *memberPages({ limit = 1000, signal, ...query } = {}) {
    yield* this.#pages("/members", { ...query, limit }, signal);
  }

  /**
   * Member k: its row, and its job document, which gives the same motion if it is submitted alone.
   * @param {number} k
   * @param {Signal} [options]
   */
  async member(k, { signal } = {}) {
    return this.#json(`/members/${encodeURIComponent(k)}`, { signal });
  }

  /**
   * The trajectory of member k, or the rows of an event, if the ensemble keeps them.
   * @param {number} k
   * @param {{columns?: string[], stride?: number, table?: string, format?: "npy" | "json"} &
   *   FewRows & Signal} [options]
   */
  async memberResult(k, { format = "npy", signal, ...query } = {}) {
    return this.#table(`/members/${encodeURIComponent(k)}/result`, query, format, signal);
  }

  /**
   * Mean, variance, quantiles, histogram, covariance and Sobol's indices over members; lists of
   * numbers are Float64Arrays.
   * @param {{of?: string[], where?: string, quantiles?: number[], bins?: number, over?: "time"} &
   *   Signal} [options]
   */
  async statistics({ signal, ...query } = {}) {
    return withArrays(await this.#json("/statistics", { query, signal }));
  }
}

/** @param {Uint8Array} body */
async function* once(body) {
  yield body;
}

/** @param {string} text */
function readEvent(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadAnswer(`an event without a job: ${text.slice(0, 80)}`, { cause });
  }
}

/** Lists of numbers and null as arrays, at any depth. @param {any} value @returns {any} */
function withArrays(value) {
  if (Array.isArray(value)) {
    const numbers =
      value.length > 0 && value.every((entry) => entry === null || typeof entry === "number");
    return numbers ? toArray(value) : value.map(withArrays);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withArrays(entry)]),
  );
}
