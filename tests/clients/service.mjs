// A daemon of its own for a test, and a service that answers what it is told, byte by byte.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BINARY = process.env.DALEMBERT_BIN ?? join(ROOT, "build", "dalembert");

export class Daemon {
  /** @param {string[]} [flags] of serve */
  constructor(flags = []) {
    this.flags = flags;
  }

  async start() {
    this.folder ??= await mkdtemp(join(tmpdir(), "dalembert-test-"));
    const listen = `127.0.0.1:${this.port ?? 0}`;
    this.process = spawn(
      BINARY,
      ["serve", "--listen", listen, "--data", join(this.folder, "data"), ...this.flags],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    const [line] = await once(createInterface(this.process.stdout), "line");
    this.port = Number(line.split(":").pop());
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  async end(signal) {
    const ended = once(this.process, "exit");
    this.process.kill(signal);
    return (await ended)[0];
  }

  /** Ends it as it should end. */
  async close() {
    const code = await this.end("SIGTERM");
    await rm(this.folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the daemon ended with ${code}`);
  }
}

/** An answer as it should be. */
export function answer(status, body = "", headers = {}) {
  const bytes = Buffer.from(
    typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body) : body,
  );
  const lines = Object.entries({
    "Content-Type": "application/json",
    "Content-Length": bytes.length,
    ...headers,
  });
  const head = [
    `HTTP/1.1 ${status} Text`,
    "Connection: close",
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ].join("\r\n");
  return Buffer.concat([Buffer.from(head + "\r\n\r\n"), bytes]);
}

/**
 * One answer a request, the connection closed after each; what was asked is in `requests`. An empty
 * one closes it without a word.
 */
export class Stub {
  constructor(...answers) {
    this.answers = answers;
    this.requests = [];
    this.server = createServer((socket) => {
      let text = "";
      let told = false;
      socket.on("error", () => {}); // the client has gone
      socket.on("data", (piece) => {
        text += piece.toString("latin1");
        const end = text.indexOf("\r\n\r\n");
        if (end < 0 || told) return;
        const [line, ...lines] = text.slice(0, end).split("\r\n");
        const headers = Object.fromEntries(
          lines.map((one) => [
            one.split(":")[0].toLowerCase(),
            one.slice(one.indexOf(":") + 1).trim(),
          ]),
        );
        if (text.length - end - 4 < Number(headers["content-length"] ?? 0)) return;
        told = true;
        const [method, path] = line.split(" ");
        this.requests.push({ method, path, headers, body: text.slice(end + 4) });
        const next = this.answers.shift();
        if (next === null) return; // never answered
        socket.end(next ?? "");
      });
    });
  }

  async start() {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  async close() {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections?.();
    });
  }
}

/** A port at which nobody listens. */
export async function nobody() {
  const stub = await new Stub().start();
  await stub.close();
  return stub.url;
}
