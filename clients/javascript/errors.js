/**
 * Errors as exceptions. The message of a Problem shows each mistake at its place in the document.
 */

const EXCERPT = 72; // columns of a text that are shown around a mistake

/** The base of all exceptions of this package. */
export class DalembertError extends Error {
  get name() {
    return this.constructor.name;
  }
}

/** No answer, or an incomplete one, after all retries. */
export class Unreachable extends DalembertError {}

/** An answer that this service would not give: is it the address of another service? */
export class BadAnswer extends DalembertError {}

/** The job is not done within the timeout; it goes on. */
export class WaitTimeout extends DalembertError {
  /** @param {import("./job.js").Job} job @param {number} seconds */
  constructor(job, seconds) {
    super(`job ${job.id} is ${job.state} after ${seconds} s`);
    this.job = job;
  }
}

/** A job that was waited for failed or was cancelled; its partial result is kept. */
export class JobFailed extends DalembertError {
  /** @param {import("./job.js").Job} job */
  constructor(job) {
    const reason = job.reason ? ` (${job.reason})` : "";
    const detail = job.error ? `: ${job.error.detail ?? job.error.title}` : "";
    super(`job ${job.id} ${job.state}${reason}${detail}`);
    this.job = job;
  }
}

/** One mistake in a document. */
export class Mistake {
  /**
   * @param {{pointer?: string, message?: string, offset?: number, hint?: string}} entry
   * @param {string | null} text
   */
  constructor(entry, text) {
    /** RFC 6901, into the document; or the name of a parameter of the query. */
    this.pointer = String(entry.pointer ?? "");
    this.message = String(entry.message ?? "");
    /** Characters (code points) before the place, in `text`. @type {number | null} */
    this.offset = Number.isInteger(entry.offset) ? /** @type {number} */ (entry.offset) : null;
    /** @type {string | null} */
    this.hint = typeof entry.hint === "string" ? entry.hint : null;
    /** The text with the mistake, if its place is in a text. */
    this.text = text;
  }

  toString() {
    const lines = [`${this.pointer || "the document"}: ${this.message}`];
    if (this.text !== null && this.offset !== null)
      lines.push(...mark(this.text, this.offset).map((line) => "    " + line));
    if (this.hint) lines.push("  " + this.hint);
    return lines.join("\n");
  }
}

/** The service refused the request (RFC 9457). */
export class Problem extends DalembertError {
  /**
   * @param {number} status
   * @param {Record<string, any>} body
   * @param {number | null} [retryAfter] seconds
   * @param {Source | null} [source]
   */
  constructor(status, body, retryAfter = null, source = null) {
    /** @type {any[]} */
    const listed = Array.isArray(body.errors)
      ? body.errors.filter((entry) => typeof entry === "object" && entry !== null)
      : [];
    const mistakes = listed.map(
      (entry) => new Mistake(entry, source?.text(String(entry.pointer ?? "")) ?? null),
    );
    super(describeProblem(status, body, mistakes));
    this.status = status;
    this.code = String(body.code ?? `http_${status}`);
    this.title = String(body.title ?? "");
    this.detail = String(body.detail ?? "");
    this.body = body;
    this.retryAfter = retryAfter;
    /** An earlier try had no answer, and may have taken effect. */
    this.lost = false;
    /** @type {Mistake[]} */
    this.mistakes = mistakes;
    /** Mistakes beyond those listed. */
    this.more = Number.isInteger(body.more_errors) ? body.more_errors : 0;
  }
}

/** 400 or 422 with the places of the mistakes. */
export class InvalidDocument extends Problem {}

/** 404. */
export class NotFound extends Problem {}

/** 409: the resource is in another state. */
export class Conflict extends Problem {}

/** 429, 502, 503, 504: perhaps later; all retries are used. */
export class Busy extends Problem {}

export const RETRIED = [429, 502, 503, 504];

/**
 * The exception for a status.
 * @param {number} status
 * @param {Record<string, any>} body
 * @param {number | null} retryAfter
 * @param {Source | null} source
 */
export function problem(status, body, retryAfter, source) {
  let kind = Problem;
  if ((status === 400 || status === 422) && body.errors?.length) kind = InvalidDocument;
  else if (RETRIED.includes(status)) kind = Busy;
  else if (status === 404) kind = NotFound;
  else if (status === 409) kind = Conflict;
  return new kind(status, body, retryAfter, source);
}

/** @param {number} status @param {Record<string, any>} body @param {Mistake[]} mistakes */
function describeProblem(status, body, mistakes) {
  const title = body.title ?? "The request was refused";
  let head = `${title} (${status} ${body.code ?? "http_" + status})`;
  if (mistakes.length === 0 && body.detail) head += `: ${body.detail}`;
  const lines = mistakes.flatMap((mistake) =>
    String(mistake)
      .split("\n")
      .map((line) => "  " + line),
  );
  if (body.more_errors) lines.push(`  and ${body.more_errors} more`);
  return [head, ...lines].join("\n");
}

/** The request that was sent, to show the places of mistakes in it. */
export class Source {
  /** @param {string | null} document @param {Record<string, any>} query */
  constructor(document, query) {
    this.document = document;
    this.query = query;
  }

  /**
   * The text that a pointer names; the whole document if it is no JSON.
   * @param {string} pointer
   * @returns {string | null}
   */
  text(pointer) {
    if (pointer && !pointer.startsWith("/")) {
      const value = Object.hasOwn(this.query, pointer) ? this.query[pointer] : null;
      return typeof value === "string" ? value : null;
    }
    if (this.document === null) return null;
    let value;
    try {
      value = JSON.parse(this.document);
    } catch {
      return this.document;
    }
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
      value = value[name];
    }
    return typeof value === "string" ? value : null;
  }
}

const WIDE_SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul"];
const WIDE = new RegExp(
  `[${WIDE_SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}\\p{Emoji_Presentation}]`,
  "u",
);

/** Columns of a terminal. @param {string} character */
function width(character) {
  if (/\p{M}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/**
 * The line with the character at `offset`, and a caret below it; a long line is cut around the
 * place.
 * @param {string} text
 * @param {number} offset in code points
 */
export function mark(text, offset) {
  const characters = Array.from(text);
  const place = Math.min(Math.max(offset, 0), characters.length);
  const begin = place === 0 ? 0 : characters.lastIndexOf("\n", place - 1) + 1;
  const end = characters.indexOf("\n", place);
  const line = characters.slice(begin, end < 0 ? characters.length : end);
  const at = place - begin;
  const left = Math.max(0, Math.min(at - EXCERPT / 2, line.length - EXCERPT));
  const shown = line
    .slice(left, left + EXCERPT)
    .map((c) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(c) ? " " : c));
  const before = left > 0 ? "..." : "";
  const after = left + EXCERPT < line.length ? "..." : "";
  const indent = shown.slice(0, at - left).reduce((sum, c) => sum + width(c), before.length);
  return [before + shown.join("") + after, " ".repeat(indent) + "^"];
}
