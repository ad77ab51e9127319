/** A line on a terminal with the progress of a job. */

const CELLS = 24;

/** The state of a job in one line. @param {Record<string, any>} job its data */
export function describe(job) {
  const progress = job.progress ?? {};
  if (job.state === "queued") {
    const parts = [`queued, ${job.queue?.position ?? 0} before it`];
    if (typeof job.queue?.eta_s === "number") parts.push(`begins in ${duration(job.queue.eta_s)}`);
    return parts.join(", ");
  }
  const parts = [job.state];
  if (typeof progress.fraction === "number") {
    const full = Math.floor(progress.fraction * CELLS);
    const percent = (100 * progress.fraction).toFixed(0).padStart(3);
    parts[0] += ` [${"#".repeat(full)}${".".repeat(CELLS - full)}] ${percent} %`;
  }
  if (job.members) parts.push(`${job.members.done} of ${job.members.total} members`);
  else if (typeof progress.t === "number") parts.push(`t = ${Number(progress.t.toPrecision(6))}`);
  if (!job.done && typeof progress.eta_s === "number")
    parts.push(`${duration(progress.eta_s)} left`);
  return parts.join(", ");
}

/** 95 s, 12 min, 3.5 h. @param {number} seconds */
function duration(seconds) {
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  return seconds < 6000 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Rewritten in place; without a terminal (files, browsers) nothing is written. */
export class Bar {
  /**
   * @param {{isTTY?: boolean, write(text: string): any}} [stream] default: the standard error of
   *   Node
   */
  constructor(stream = globalThis.process?.stderr) {
    this.stream = stream?.isTTY ? stream : null;
    this.width = 0;
  }

  /** @param {Record<string, any>} job its data */
  show(job) {
    const line = describe(job);
    this.stream?.write("\r" + line.padEnd(this.width));
    this.width = line.length;
  }

  close() {
    if (this.width) this.stream?.write("\n");
    this.width = 0;
  }
}
