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
  ensemble: { reduce: { half_period: { of: "t", take: "first_event", event: "turn" } }, over_time: ["a"] },
};

const client = new Client();
console.log(`${(await client.validate(ensemble)).members.count} members`);
const job = await client.run(ensemble, { progress: true });

const grid = await job.members({ grid: true });
for (const { path, values } of grid.axes) console.log(`${path}: ${values.length} values`);
const slow = await job.members({ where: "half_period > 2", sort: "-half_period", columns: ["parameters.l", "initial.q.a", "half_period"] });
console.log(`${slow.nRows} members take more than 2 s to swing over, the slowest of them:`);
for (const row of [...slow.rows()].slice(0, 3))
  console.log(`  l = ${row["parameters.l"]}, from ${row["initial.q.a"].toFixed(2)}: ${row.half_period.toFixed(3)}`);

const { columns } = await job.statistics({ of: ["half_period"], quantiles: [0.05, 0.5, 0.95], where: "parameters.l == 1" });
const half = columns.half_period;
console.log(`l = 1: from ${half.min.toFixed(4)} to ${half.max.toFixed(4)}, median ${half.quantiles["0.5"].toFixed(4)}`);
const bands = await job.statistics({ of: ["a"], over: "time", quantiles: [0.05, 0.95] });
const { min, max } = bands.columns.a;
console.log(`at t = ${bands.t.at(-1)} the angles are from ${min.at(-1).toFixed(3)} to ${max.at(-1).toFixed(3)}`);
