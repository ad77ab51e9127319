// A disk rolls upright on a plane: its track, its accuracy, a drawing.
import { writeFile } from "node:fs/promises";
import { Client } from "../dalembert.js";

const client = new Client();
const system = await client.catalogSystem("vertical-rolling-disk");
console.log(system.title);
const job = await client.run(system.job, { progress: true });
const track = await job.result({ columns: ["t", "x", "y", "side_force"] });
const { x: length, side_force: force } = track.units;
for (const { t, x, y, side_force } of [...track.rows()].filter((_, k) => k % 40 === 0))
  console.log(`t = ${t}: at (${x.toFixed(6)}, ${y.toFixed(6)}), held by`, side_force, force);

// the heading phi turns at a steady rate, so that the point of contact runs on a circle
const { theta, phi } = system.job.initial.v;
const x = track.get("x");
const width = Math.max(...x) - Math.min(...x);
const wide = (2 * 0.5 * theta) / phi;
console.log(`the circle is ${width.toFixed(4)} ${length} wide, and should be ${wide}`);

for (const { name, max } of (await job.diagnostics()).constraints)
  console.log(`${name} held to ${max.toExponential(1)}`);
for (const { name, predicted } of (await job.invariants()).invariants.slice(0, 3))
  console.log(`${name} conserved: ${predicted}`);
await writeFile("rolling-disk.svg", await job.plot({ x: "x", y: "y" }));
console.log("rolling-disk.svg: its track");
