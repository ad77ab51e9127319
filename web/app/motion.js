/** A motion between its rows: cubic Hermite in each column that has a rate, else linear. */

const RATE = /^dot\((s\d+)\)$/;

/**
 * The last place whose value is not above t.
 * @param {ArrayLike<number>} times growing
 * @param {number} t
 */
export function placeOf(times, t) {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

export class Motion {
  /**
   * @param {Record<string, (number | null)[]>} series of the table @scene, with growing t
   * @param {number[]} jumps instants of events that set: no curve leads across them
   */
  constructor(series, jumps = []) {
    const numbers = (list) => Float64Array.from(list, (value) => value ?? NaN);
    this.t = numbers(series.t ?? []);
    this.names = Object.keys(series).filter((name) => name !== "t" && !RATE.test(name));
    this.values = this.names.map((name) => numbers(series[name]));
    this.rates = this.names.map((name) =>
      series[`dot(${name})`] ? numbers(series[`dot(${name})`]) : null,
    );
    this.jumps = Float64Array.from(jumps).sort();
    this.n = this.t.length;
  }

  get start() {
    return this.t[0];
  }

  get end() {
    return this.t[this.n - 1];
  }

  /** The values of row k, in the order of the names. @param {number} k */
  row(k) {
    return this.values.map((column) => column[k]);
  }

  /**
   * Whether an event sets the state within the step from row k to the next one.
   * @param {number} k
   */
  #jumps(k) {
    const { jumps, t } = this;
    if (!jumps.length) return false;
    const at = placeOf(jumps, t[k + 1]);
    return jumps[at] >= t[k] && jumps[at] <= t[k + 1];
  }

  /** The values at an instant. @param {number} t */
  at(t) {
    const k = Math.min(placeOf(this.t, t), Math.max(0, this.n - 2));
    if (this.n < 2) return this.row(0);
    const h = this.t[k + 1] - this.t[k];
    const s = h > 0 ? Math.min(1, Math.max(0, (t - this.t[k]) / h)) : 1;
    if (s === 1) return this.row(k + 1);
    if (s === 0 || this.#jumps(k)) return this.row(k);
    return this.values.map((column, i) => between(column, this.rates[i], k, s, h));
  }
}

/**
 * @param {Float64Array} x
 * @param {Float64Array | null} v
 * @param {number} k
 * @param {number} s
 * @param {number} h
 */
function between(x, v, k, s, h) {
  const change = x[k + 1] - x[k];
  if (!v || Number.isNaN(v[k]) || Number.isNaN(v[k + 1])) return x[k] + s * change;
  const r = 1 - s;
  return x[k] + s * s * (3 - 2 * s) * change + h * s * r * (r * v[k] - s * v[k + 1]);
}
