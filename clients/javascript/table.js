/** Rows and columns of results, from JSON or from a stream in numpy's binary format. */
import { BadAnswer } from "./errors.js";

export const NPY = "application/x-npy";
const WORDS = ["state", "reason"]; // columns of members

/** @typedef {Float64Array | (string | null)[]} Column */
/**
 * @typedef {{units?: Record<string, string>, complete?: boolean, ended_by?: string, downsampled?:
 *   boolean, axes?: {path: string, values: number[]}[], next?: string}} About
 */

/**
 * The columns of a result by name, in order. A column of numbers is a Float64Array, with NaN for a
 * missing value; the words of `state` and `reason` are an array of texts and null. Columns of a
 * grid are flat, the last axis fastest.
 */
export class Table {
  /** @param {Map<string, Column>} columns @param {number[]} shape @param {About} about */
  constructor(columns, shape, about) {
    this.columns = columns;
    /** The number of rows; for a grid of members the length of each axis. */
    this.shape = shape;
    /** Units of the columns that have one. */
    this.units = about.units ?? {};
    /** false: the run goes on, or ended before its end. */
    this.complete = about.complete ?? false;
    /** The terminal event that ended the run. @type {string | null} */
    this.endedBy = about.ended_by ?? null;
    /** `points` has omitted rows. */
    this.downsampled = about.downsampled ?? false;
    /** For a grid: path and values of each axis. */
    this.axes = about.axes ?? [];
    /** `cursor` of the next page. @type {string | null} */
    this.next = about.next ?? null;
  }

  /** Column names, in order. */
  get names() {
    return [...this.columns.keys()];
  }

  get nRows() {
    return this.shape.reduce((product, length) => product * length, 1);
  }

  /** A column of numbers. @param {string} name @returns {Float64Array} */
  get(name) {
    const column = this.columns.get(name);
    if (!(column instanceof Float64Array))
      throw new RangeError(
        column
          ? `the column "${name}" is of words`
          : `no column "${name}" among ${this.names.join(", ")}`,
      );
    return column;
  }

  /** A column of words. @param {string} name @returns {(string | null)[]} */
  words(name) {
    const column = this.columns.get(name);
    if (!Array.isArray(column))
      throw new RangeError(`no column of words "${name}" among ${this.names.join(", ")}`);
    return column;
  }

  /** Each row by column name. @returns {Generator<Record<string, any>>} */
  *rows() {
    const entries = [...this.columns];
    for (let k = 0; k < this.nRows; k++)
      yield Object.fromEntries(entries.map(([name, column]) => [name, column[k]]));
  }
}

/** A list of numbers and null. @param {any[]} values */
export function toArray(values) {
  const column = new Float64Array(values.length);
  for (let k = 0; k < values.length; k++) {
    const value = values[k] ?? NaN;
    if (typeof value !== "number") throw new TypeError(`no number: ${value}`);
    column[k] = value;
  }
  return column;
}

/** A result as JSON. @param {any} found */
export function readJsonTable(found) {
  try {
    const axes = found.axes?.length ?? 1;
    const names = /** @type {string[]} */ (found.columns);
    const columns = new Map(
      names.map((name) => {
        if (!Object.hasOwn(found.series, name)) throw new TypeError(`no series ${name}`);
        const values = axes > 1 ? found.series[name].flat(axes - 1) : found.series[name];
        if (!Array.isArray(values)) throw new TypeError(`no list ${name}`);
        const words =
          WORDS.includes(name) &&
          values.every((/** @type {any} */ value) => value === null || typeof value === "string");
        return [name, words ? values : toArray(values)];
      }),
    );
    const first = columns.values().next().value;
    return new Table(
      columns,
      found.axes
        ? found.axes.map((/** @type {any} */ axis) => axis.values.length)
        : [first?.length ?? 0],
      found,
    );
  } catch (cause) {
    throw new BadAnswer(`a result that is none: ${JSON.stringify(found)?.slice(0, 80)}`, { cause });
  }
}

/** Bytes from pieces, taken in other sizes. */
class Bytes {
  /** @param {AsyncIterator<Uint8Array>} pieces */
  constructor(pieces) {
    this.pieces = pieces;
    /** @type {Uint8Array[]} */
    this.held = [];
    this.length = 0;
  }

  /** The next bytes, in memory of their own. @param {number} size @returns {Promise<Uint8Array>} */
  async take(size) {
    while (this.length < size) {
      const { done, value } = await this.pieces.next();
      if (done) throw new BadAnswer("the array ends before its end");
      this.held.push(value);
      this.length += value.length;
    }
    const taken = new Uint8Array(size);
    for (let at = 0; at < size;) {
      const piece = this.held[0].subarray(0, size - at);
      taken.set(piece, at);
      at += piece.length;
      if (piece.length === this.held[0].length) this.held.shift();
      else this.held[0] = this.held[0].subarray(piece.length);
    }
    this.length -= size;
    return taken;
  }
}

/** A structured array of numpy, read as its pieces arrive. */
export class NpyReader {
  /** @param {AsyncIterator<Uint8Array>} pieces */
  constructor(pieces) {
    this.bytes = new Bytes(pieces);
    /** @type {{name: string, words: boolean, big: boolean, size: number}[]} */
    this.fields = [];
    /** @type {number[]} */
    this.shape = [];
    this.width = 0;
    this.nRows = 1;
  }

  async #readHeader() {
    const start = await this.bytes.take(8);
    if (String.fromCharCode(...start.subarray(0, 6)) !== "\x93NUMPY")
      throw new BadAnswer("this is no array of numpy's");
    const short = start[6] === 1;
    const view = new DataView((await this.bytes.take(short ? 2 : 4)).buffer);
    const size = short ? view.getUint16(0, true) : view.getUint32(0, true);
    const header = readHeader(new TextDecoder().decode(await this.bytes.take(size)));
    Object.assign(this, header);
    this.width = this.fields.reduce((sum, field) => sum + field.size, 0);
    this.nRows = this.shape.reduce((product, length) => product * length, 1);
  }

  /**
   * Splits rows into columns.
   * @param {Uint8Array} raw
   * @param {number} rows
   * @returns {Map<string, Column>}
   */
  #split(raw, rows) {
    const view = new DataView(raw.buffer);
    const decoder = new TextDecoder();
    let start = 0;
    return new Map(
      this.fields.map(({ name, words, big, size }) => {
        /** @type {Column} */
        const column = words ? new Array(rows) : new Float64Array(rows);
        for (let k = 0, at = start; k < rows; k++, at += this.width)
          column[k] = words
            ? decoder.decode(raw.subarray(at, at + size)).replace(/\0+$/, "") || null
            : view.getFloat64(at, !big);
        start += size;
        return [name, column];
      }),
    );
  }

  /** The whole table. @param {About} about */
  async table(about) {
    await this.#readHeader();
    return new Table(
      this.#split(await this.bytes.take(this.nRows * this.width), this.nRows),
      this.shape,
      about,
    );
  }

  /** Tables of `rows` rows. @param {number} rows @param {About} about */
  async *blocks(rows, about) {
    await this.#readHeader();
    for (let left = this.nRows; left > 0;) {
      const count = Math.min(rows, left);
      yield new Table(
        this.#split(await this.bytes.take(count * this.width), count),
        [count],
        about,
      );
      left -= count;
    }
  }
}

/**
 * The dictionary of a header, in the form that the service writes: other Python texts may hold
 * anything.
 * @param {string} text
 */
function readHeader(text) {
  const field = /\s*,?\s*\('((?:[^'\\]|\\.)*)', '([<>|])([fS])(\d+)'\)/suy;
  const begin = text.indexOf("'descr': [");
  field.lastIndex = begin + 10;
  const fields = [];
  let end = field.lastIndex;
  for (let found; (found = field.exec(text)); end = field.lastIndex) {
    const [, name, order, kind, size] = found;
    if (kind === "f" && size !== "8")
      throw new BadAnswer(`a column of an unknown type: ${found[0]}`);
    const plain = name.replace(/\\(x[0-9a-f]{2}|.)/gsu, (_, c) =>
      c.length === 3 ? String.fromCharCode(parseInt(c.slice(1), 16)) : c,
    );
    fields.push({ name: plain, words: kind === "S", big: order === ">", size: Number(size) });
  }
  const shape = /^\s*\], 'fortran_order': False, 'shape': \(([\d, ]*)\)/.exec(text.slice(end));
  if (begin < 0 || !shape) throw new BadAnswer("the header of the array is not understood");
  return {
    fields,
    shape: shape[1]
      .split(",")
      .filter((part) => part.trim())
      .map(Number),
  };
}
