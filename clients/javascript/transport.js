/**
 * Requests and answers: retries, timeouts, compressed bodies. This module does not know the
 * resources.
 */
import { BadAnswer, RETRIED, Source, Unreachable, problem } from "./errors.js";

/**
 * @typedef {Object} Call
 * @property {Record<string, any>} [query] null and undefined are left out
 * @property {any} [document] JSON as text, or a value for JSON
 * @property {Record<string, string>} [headers]
 * @property {string} [accept]
 * @property {number} [patience] seconds beyond the timeout
 * @property {number} [retries]
 * @property {AbortSignal} [signal]
 */

const PACKED_FROM = 65536; // characters of a body that is worth compressing
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * ?a=1&b=x,y; a list is joined by commas, commas within its entries are %2C.
 * @param {Record<string, any>} query
 */
export function encodeQuery(query) {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const text = Array.isArray(value)
        ? value.map(encodeURIComponent).join(",")
        : encodeURIComponent(value);
      return `${encodeURIComponent(name)}=${text}`;
    });
  return pairs.length ? "?" + pairs.join("&") : "";
}

/**
 * A document as JSON; text is sent as it is. NaN and infinities, which JSON.stringify turns into
 * null, are a TypeError.
 * @param {any} document
 */
export function encodeBody(document) {
  if (typeof document === "string") return document;
  return JSON.stringify(document, (name, value) => {
    if (typeof value === "number" && !Number.isFinite(value))
      throw new TypeError(`a document cannot hold ${value} (in "${name}")`);
    return ArrayBuffer.isView(value) && !(value instanceof DataView)
      ? Array.from(/** @type {any} */ (value))
      : value;
  });
}

/** Seconds, from a number or a date; null: neither. @param {string | null} text */
export function readRetryAfter(text) {
  if (!text) return null;
  if (/^\s*\d+\s*$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

/** A unique key; randomUUID() exists only in secure contexts. */
export function newKey() {
  const bytes = new Uint8Array(16);
  if (globalThis.crypto?.getRandomValues) globalThis.crypto.getRandomValues(bytes);
  else bytes.forEach((_, k) => (bytes[k] = Math.floor(256 * Math.random())));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} seconds @param {AbortSignal} [signal] */
function sleep(seconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(undefined);
    }, 1000 * seconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Browsers give no cause: a service without an answer looks like a service that does not list the
 * page's origin.
 * @param {any} why
 */
function hint(why) {
  return why instanceof TypeError && !why.cause
    ? " (no answer, or none for this page's origin: CORS, serve --cors-origin)"
    : "";
}

/** A timeout and a caller's signal as one signal; `restart` restarts the time, `done` ends it. */
class Limit {
  /** @param {number} seconds @param {AbortSignal} [signal] */
  constructor(seconds, signal) {
    this.controller = new AbortController();
    this.outer = signal;
    this.stop = () => this.controller.abort(signal?.reason);
    if (signal?.aborted) this.stop();
    signal?.addEventListener("abort", this.stop, { once: true });
    this.restart(seconds);
  }

  get signal() {
    return this.controller.signal;
  }

  /** @param {number} seconds */
  restart(seconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.controller.abort(new Error(`no answer for ${seconds} s`)),
      1000 * Math.min(seconds, 2e6),
    );
  }

  done() {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.stop);
  }
}

/** An answer of status 2xx whose body is read in pieces. */
export class Stream {
  /** @param {Response} response @param {Limit} limit */
  constructor(response, limit) {
    this.status = response.status;
    this.response = response;
    this.limit = limit;
  }

  /** The answer itself, without a timeout. */
  release() {
    clearTimeout(this.limit.timer);
    return this.response;
  }

  /**
   * Pieces as they arrive; a body that is cut is an Unreachable.
   * @param {() => number} idle seconds to wait for the next piece
   */
  async *chunks(idle) {
    const reader = this.response.body?.getReader();
    let whole = false;
    try {
      while (reader) {
        this.limit.restart(idle());
        const { done, value } = await reader.read().catch((cause) => {
          if (this.limit.outer?.aborted) throw this.limit.outer.reason;
          throw new Unreachable(`${this.response.url}: cut: ${cause?.message ?? cause}`, { cause });
        });
        whole = done;
        if (done) return;
        yield /** @type {Uint8Array} */ (value);
      }
    } finally {
      this.limit.done();
      if (!whole) reader?.cancel().catch(() => {});
    }
  }
}

/**
 * Sends requests to one service. Each may be sent twice; a request that must take effect only once
 * has a key.
 */
export class Transport {
  /**
   * @param {string} url
   * @param {{key?: string, timeout: number, retries: number, longestPause: number, gzip?: boolean}}
   *   options
   */
  constructor(url, options) {
    const parts = new URL(url);
    if (!/^https?:$/.test(parts.protocol))
      throw new TypeError(
        `the address of a service is http://HOST:PORT or https://..., not ${url}`,
      );
    if (parts.username || parts.password || parts.search || parts.hash)
      throw new TypeError("the address of a service has no user, query or fragment");
    this.url = url.replace(/\/+$/, "");
    this.options = options;
    this.packed = options.gzip ?? !LOOPBACK.includes(parts.hostname);
    this.sleep = sleep;
  }

  /**
   * An answer of status 2xx whose body is still to be read.
   * @param {string} method
   * @param {string} path
   * @param {Call} [call]
   */
  async open(method, path, call = {}) {
    return this.#try(method, path, call, async (response, limit) => new Stream(response, limit));
  }

  /**
   * The whole body of an answer; a cut answer is requested again.
   * @param {string} method
   * @param {string} path
   * @param {Call} [call]
   */
  async bytes(method, path, call = {}) {
    return this.#try(method, path, call, async (response, limit) => {
      const body = new Uint8Array(await response.arrayBuffer());
      limit.done();
      return body;
    });
  }

  /** @param {string} method @param {string} path @param {Call} [call] */
  async text(method, path, call = {}) {
    return new TextDecoder().decode(await this.bytes(method, path, call));
  }

  /**
   * The document of an answer.
   * @param {string} method
   * @param {string} path
   * @param {Call} [call]
   * @returns {Promise<any>}
   */
  async json(method, path, call = {}) {
    const text = await this.text(method, path, call);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new BadAnswer(`${method} ${path}: the answer is no JSON: ${text.slice(0, 80)}`, {
        cause,
      });
    }
  }

  /**
   * @template T
   * @param {string} method @param {string} path @param {Call} call
   * @param {(response: Response, limit: Limit) => Promise<T>} read
   * @returns {Promise<T>}
   */
  async #try(method, path, call, read) {
    const text = call.document === undefined ? null : encodeBody(call.document);
    const source = new Source(text, call.query ?? {});
    const address = this.url + path + encodeQuery(call.query ?? {});
    const headers = this.#headers(call, text);
    const body = await this.#pack(text, headers);
    let left = call.retries ?? this.options.retries;
    let lost = false;
    for (let pause = 0.25; ; pause = Math.min(2 * pause, this.options.longestPause), left--) {
      let failure;
      const limit = new Limit(this.options.timeout + (call.patience ?? 0), call.signal);
      try {
        const response = await fetch(address, {
          method,
          headers,
          body,
          redirect: "manual",
          signal: limit.signal,
        });
        if (response.ok) return await read(response, limit);
        failure = problem(
          response.status,
          await readProblem(response),
          readRetryAfter(response.headers.get("Retry-After")),
          source,
        );
        failure.lost = lost;
      } catch (cause) {
        limit.done();
        if (call.signal?.aborted) throw call.signal.reason;
        lost = true;
        const why = /** @type {any} */ (cause);
        failure = new Unreachable(
          `${method} ${this.url}${path}: ${why?.cause?.message ?? why?.message ?? why}${hint(why)}`,
          { cause },
        );
      }
      limit.done();
      const asked = "retryAfter" in failure ? failure.retryAfter : null;
      const again = failure instanceof Unreachable || RETRIED.includes(failure.status);
      if (!again || left <= 0 || (asked ?? 0) > this.options.longestPause) throw failure;
      await this.sleep(asked ?? pause * (0.5 + 0.5 * Math.random()), call.signal);
    }
  }

  /** @param {Call} call @param {string | null} text */
  #headers(call, text) {
    /** @type {Record<string, string>} */
    const headers = { Accept: call.accept ?? "application/json", ...call.headers };
    if (!this.packed) headers["Accept-Encoding"] = "identity"; // browsers choose themselves
    if (this.options.key) headers.Authorization = "Bearer " + this.options.key;
    if (text !== null) headers["Content-Type"] = "application/json";
    return headers;
  }

  /**
   * Compresses a large body if possible; fetch expands the answers.
   * @param {string | null} text
   * @param {Record<string, string>} headers
   */
  async #pack(text, headers) {
    if (
      text === null ||
      !this.packed ||
      text.length < PACKED_FROM ||
      typeof CompressionStream === "undefined"
    )
      return text;
    headers["Content-Encoding"] = "gzip";
    return new Response(
      new Blob([text]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer();
  }
}

/**
 * The document of a refusal, or its text if it comes from a proxy.
 * @param {Response} response
 * @returns {Promise<Record<string, any>>}
 */
async function readProblem(response) {
  const text = await response.text();
  if ((response.headers.get("Content-Type") ?? "").includes("json")) {
    try {
      const body = JSON.parse(text);
      if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
    } catch {
      // shown as text
    }
  }
  return { detail: text.slice(0, 200).trim() };
}
