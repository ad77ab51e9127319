// A pendulum under gravity from many angles: one ensemble, members by condition, statistics.
import { Client } from "../dalembert.js";

const ensemble = {
  model: {
    name: "pendulum",
    coordinates: ["a"],
    parameters: { m: 1, l: 1, g: 9.81 },
    lagrangian: "m*l^2/2*dot(a)^2 + m*g*l*cos(a)",
  },
  initial: { q: { a: 1 } },
  time: { end: 10, samples: 201 },
  events: [{ name: "turn", when: "dot(a)", direction: "rising" }],
  vary: { "parameters.l": [0.5, 1, 2], "initial.q.a": { from: 0.1, to: 3, count: 30 } },
  ensemble: {
    reduce: { half_period: { of: "t", take: "first_event", event: "turn" } },
    over_time: ["a"],
  },
};

const client = new Client();
console.log(`${(await client.validate(ensemble)).members.count} members`);
const job = await client.run(ensemble, { progress: true });

const grid = await job.members({ grid: true });
for (const { path, values } of grid.axes) console.log(`${path}: ${values.length} values`);
const slow = await job.members({
  where: "half_period > 2",
  sort: "-half_period",
  columns: ["parameters.l", "initial.q.a", "half_period"],
});
console.log(`${slow.nRows} members take more than 2 s to swing over, the slowest of them:`);
for (const row of [...slow.rows()].slice(0, 3)) {
  const { "parameters.l": l, "initial.q.a": a, half_period: seconds } = row;
  console.log(`  l = ${l}, from ${a.toFixed(2)}: ${seconds.toFixed(3)}`);
}

const { columns } = await job.statistics({
  of: ["half_period"],
  quantiles: [0.05, 0.5, 0.95],
  where: "parameters.l == 1",
});
const half = columns.half_period;
const [least, most, median] = [half.min, half.max, half.quantiles["0.5"]].map((x) => x.toFixed(4));
console.log(`l = 1: from ${least} to ${most}, median ${median}`);
const bands = await job.statistics({ of: ["a"], over: "time", quantiles: [0.05, 0.95] });
const { min, max } = bands.columns.a;
const [low, high] = [min, max].map((values) => values.at(-1).toFixed(3));
console.log(`at t = ${bands.t.at(-1)} the angles are from ${low} to ${high}`);
