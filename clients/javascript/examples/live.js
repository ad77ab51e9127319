// A long job, followed event by event and cancelled when it has shown enough; its partial result
// is kept.
import { Client, InvalidDocument } from "../dalembert.js";

const job = {
  model: { coordinates: ["x"], lagrangian: "dot(x)^2/2 - x^2/2" },
  initial: { q: { x: 1 } },
  time: { end: 1e7, samples: 1000001 },
  integrator: { max_steps: 900000000 },
};

const client = new Client();
try {
  await client.submit({ ...job, model: { ...job.model, lagrangian: "dot(x)^2/2 - xx^2/2" } });
} catch (mistakes) {
  if (!(mistakes instanceof InvalidDocument)) throw mistakes;
  console.log(mistakes.message);
}

const running = await client.submit(job);
for await (const { kind } of running.follow()) {
  console.log(kind, running.state, running.progress.t ?? "");
  if (kind === "progress") await running.cancel();
}
const last = await running.result({ columns: ["t", "x"] });
console.log(
  `${last.nRows} rows up to t = ${last.get("t").at(-1)}${last.complete ? "" : ", not complete"}`,
);
