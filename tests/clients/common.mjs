// What the tests of the JavaScript client share: a job, and a watch over timers.
import assert from "node:assert/strict";

export const MODEL = {
  name: "oscillator",
  coordinates: ["x"],
  parameters: { m: 2, k: 8 },
  lagrangian: "m/2*dot(x)^2 - k/2*x^2",
};
// run each time, though the same result may be there
export const job = (changes = {}) => ({
  model: MODEL,
  initial: { q: { x: 1 }, v: { x: 0 } },
  time: { end: 1, samples: 11 },
  cache: false,
  ...changes,
});

export const collect = async (generator) => {
  const found = [];
  for await (const entry of generator) found.push(entry);
  return found;
};

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

export const noTimerIsLeft = () => assert.deepEqual(timers.pending(), []);
