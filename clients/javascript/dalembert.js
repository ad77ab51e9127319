/**
 * A client of the simulation service dalembert, for browsers and Node 18 or newer; see Client. All
 * times are in seconds.
 */
export { version } from "./version.js";
export { Client } from "./client.js";
export { Job } from "./job.js";
export { Table } from "./table.js";
export { Bar, describe } from "./progress.js";
export {
  BadAnswer,
  Busy,
  Conflict,
  DalembertError,
  InvalidDocument,
  JobFailed,
  Mistake,
  NotFound,
  Problem,
  Unreachable,
  WaitTimeout,
} from "./errors.js";
