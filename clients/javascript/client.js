/** The service: its jobs, models and limits. */
import { BadAnswer, NotFound, Problem } from "./errors.js";
import { Job } from "./job.js";
import { Transport, encodeBody, newKey } from "./transport.js";

/** @typedef {import("./job.js").Signal} Signal */
/** @typedef {import("./job.js").Waiting} Waiting */
/**
 * @typedef {Record<string, any> | string} Document an object, or JSON text that is sent unchanged
 */
/**
 * @typedef {{state?: string, model?: string, name?: string, labels?: Record<string, string>}}
 *   Filter name: not for cancelJobs and deleteJobs
 */
/**
 * @typedef {{equations?: boolean, format?: "text" | "latex" | "c"}} Report format: of the equations
 */
/**
 * @typedef {Object} Changes changes since a revision
 * @property {Job[]} jobs as they are now, in the order of their changes
 * @property {string[]} deleted ids
 * @property {number} revision `since` of the next request
 * @property {boolean} reset deletions since then are forgotten: drop all known jobs; all jobs
 *   follow
 */

/**
 * A dalembert service.
 *
 *     const client = new Client("http://127.0.0.1:8080");
 *     const job = await client.run({ model: { ... }, initial: { ... }, time: { end: 10 } });
 *     console.log((await job.result()).get("x"));
 *
 * Requests without an answer, or with 429, 502, 503 or 504, are retried `retries` times, after
 * Retry-After (at most `longestPause` seconds) or a growing pause. A submission has an
 * Idempotency-Key, so that it is accepted once. Every method takes a `signal` (AbortSignal) among
 * its options.
 */
export class Client {
  /** @type {number | undefined} */
  #longestWait;

  /**
   * @param {string} [url] default: the page's own service; in Node $DALEMBERT_URL, else
   *   http://127.0.0.1:8080
   * @param {{key?: string, timeout?: number, retries?: number, longestPause?: number, gzip?:
   *   boolean}} [options] seconds; key: in Node $DALEMBERT_KEY by default; gzip: compresses large
   *   documents and answers; by default not on this machine, because compression takes longer than
   *   sending
   */
  constructor(url, { key, timeout = 30, retries = 5, longestPause = 30, gzip } = {}) {
    const environment = globalThis.process?.env ?? {};
    const here = globalThis.location?.origin ?? "http://127.0.0.1:8080";
    this.transport = new Transport(url ?? (environment.DALEMBERT_URL || here), {
      key: key ?? (environment.DALEMBERT_KEY || undefined),
      timeout,
      retries,
      longestPause,
      gzip,
    });
  }

  get url() {
    return this.transport.url;
  }

  /** The longest time that one request may wait, in seconds. @param {Signal} [options] */
  async longestWait({ signal } = {}) {
    this.#longestWait ??= Number((await this.limits({ signal }))["max-wait"].value);
    return this.#longestWait;
  }

  // Jobs.

  /**
   * Submits a job or an ensemble. When this resolves, the job is accepted and durable. Waits at
   * most `wait` seconds for its end.
   * @param {Document} document
   * @param {{wait?: number, idempotencyKey?: string} & Signal} [options]
   */
  async submit(document, options = {}) {
    return this._postJob("/v1/jobs", document, options);
  }

  /**
   * Submits a job and waits for its end, as Job.wait() does.
   * @param {Document} document
   * @param {Waiting & Signal} [options]
   */
  async run(document, { timeout = Infinity, progress = false, check = true, signal } = {}) {
    const start = Date.now();
    const job = await this.submit(document, { wait: progress ? 0 : Math.min(60, timeout), signal });
    return job.wait({
      timeout: Math.max(0, timeout - (Date.now() - start) / 1000),
      progress,
      check,
      signal,
    });
  }

  /**
   * @param {string} path
   * @param {Document | undefined} document
   * @param {{wait?: number, idempotencyKey?: string} & Signal} options
   */
  async _postJob(path, document, { wait = 0, idempotencyKey = newKey(), signal }) {
    /** @type {Record<string, string>} */
    const headers = { "Idempotency-Key": idempotencyKey };
    if (wait > 0) headers.Prefer = `wait=${wait.toFixed(3)}`;
    return new Job(
      this,
      await this.transport.json("POST", path, { document, headers, patience: wait, signal }),
    );
  }

  /**
   * Submits all documents or none: one mistake refuses them all, with the places of all mistakes
   * (/jobs/3/...).
   * @param {Document[]} documents
   * @param {{idempotencyKey?: string} & Signal} [options]
   */
  async submitBatch(documents, { idempotencyKey = newKey(), signal } = {}) {
    const document = `{"jobs":[${documents.map(encodeBody).join(",")}]}`;
    const headers = { "Idempotency-Key": idempotencyKey };
    const found = await this.transport.json("POST", "/v1/jobs:batch", {
      document,
      headers,
      signal,
    });
    return list(found, "jobs")
      .filter(Boolean)
      .map((data) => new Job(this, data));
  }

  /**
   * Checks a job and stores nothing: gives its structure and its estimated cost, or the
   * InvalidDocument of a submission.
   * @param {Document} document
   * @param {Report & Signal} [options]
   */
  async validate(document, options = {}) {
    return this.#check("/v1/jobs", document, options);
  }

  /** @param {string} id @param {Signal} [options] */
  async job(id, { signal } = {}) {
    return new Job(
      this,
      await this.transport.json("GET", `/v1/jobs/${encodeURIComponent(id)}`, { signal }),
    );
  }

  /**
   * Jobs, the newest first, fetched in pages of `limit` when they are needed.
   * @param {Filter & {limit?: number} & Signal} [options]
   * @returns {AsyncGenerator<Job>}
   */
  async *jobs({ limit = 100, signal, ...filter } = {}) {
    for await (const data of this.#list(
      "/v1/jobs",
      "jobs",
      { ...filterQuery(filter), limit },
      signal,
    ))
      yield new Job(this, data);
  }

  /**
   * The number of jobs in each state, of all that the filter finds; `more`: not all were counted.
   * @param {Filter & Signal} [options]
   * @returns {Promise<Record<string, any>>}
   */
  async jobCounts({ signal, ...filter } = {}) {
    const query = { ...filterQuery(filter), limit: 1, include: "counts" };
    return (await this.transport.json("GET", "/v1/jobs", { query, signal })).counts;
  }

  /** @param {string} path @param {Document} document @param {Report & Signal} options */
  async #check(path, document, { equations = false, format, signal } = {}) {
    const query = { validate_only: true, include: equations ? "equations" : undefined, format };
    return this.transport.json("POST", path, { query, document, signal });
  }

  /**
   * @param {string} path
   * @param {string} name
   * @param {Record<string, any>} query
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<any>}
   */
  async *#list(path, name, query, signal) {
    for (let cursor; ;) {
      const page = await this.transport.json("GET", path, { query: { ...query, cursor }, signal });
      yield* list(page, name);
      if ((page.next ?? null) === null) return;
      cursor = page.next;
    }
  }

  /**
   * All changes from the revision `since` (default: now) on, without end, or until none came for
   * `idle` seconds.
   * @param {Filter & {since?: number, idle?: number} & Signal} [options]
   * @returns {AsyncGenerator<Changes>}
   */
  async *changes({ since, idle = Infinity, signal, ...filter } = {}) {
    let revision =
      since ??
      (await this.transport.json("GET", "/v1/jobs", { query: { limit: 1 }, signal })).revision;
    for (;;) {
      const wait = Math.min(idle, await this.longestWait({ signal }));
      const query = { ...filterQuery(filter), since: revision, wait: wait.toFixed(3) };
      const page = await this.transport.json("GET", "/v1/jobs", { query, patience: wait, signal });
      const jobs = list(page, "jobs").map((data) => new Job(this, data));
      const deleted = page.deleted ?? [];
      const reset = Boolean(page.reset);
      revision = reset ? 0 : page.revision;
      if (jobs.length || deleted.length || reset) yield { jobs, deleted, revision, reset };
      else if (idle !== Infinity) return;
    }
  }

  /**
   * Cancels many jobs: by ids, or all queued and running jobs that a filter finds. Returns the
   * outcome.
   * @param {Filter & {ids?: string[]} & Signal} wish
   */
  async cancelJobs({ signal, ...wish }) {
    return this.transport.json("POST", "/v1/jobs:cancel", { document: bulkWish(wish), signal });
  }

  /**
   * Deletes many jobs: by ids, or all finished jobs that a filter finds. Returns the outcome.
   * @param {Filter & {ids?: string[]} & Signal} wish
   */
  async deleteJobs({ signal, ...wish }) {
    return this.transport.json("POST", "/v1/jobs:delete", { document: bulkWish(wish), signal });
  }

  // Models.

  /**
   * Stores a model; jobs name it by {model: {id}}.
   * @param {Document} document
   * @param {Signal} [options]
   */
  async storeModel(document, { signal } = {}) {
    return this.transport.json("POST", "/v1/models", { document, signal });
  }

  /**
   * Checks a model and stores nothing.
   * @param {Document} document
   * @param {Report & Signal} [options]
   */
  async validateModel(document, options = {}) {
    return this.#check("/v1/models", document, options);
  }

  /** @param {{limit?: number} & Signal} [options] */
  async *models({ limit = 100, signal } = {}) {
    yield* this.#list("/v1/models", "models", { limit }, signal);
  }

  /** @param {string} id @param {Signal} [options] */
  async model(id, { signal } = {}) {
    return this.transport.json("GET", modelPath(id), { signal });
  }

  /**
   * The model is no longer listed, and new jobs cannot name it; accepted jobs keep it.
   * @param {string} id
   * @param {Signal} [options]
   */
  async deleteModel(id, { signal } = {}) {
    try {
      await this.transport.bytes("DELETE", modelPath(id), { signal });
    } catch (gone) {
      // else an earlier try has deleted it
      if (!(gone instanceof NotFound && gone.lost)) throw gone;
    }
  }

  /**
   * The equations of motion of a stored model.
   * @param {string} id
   * @param {{format?: "text" | "latex" | "c", formulation?: string} & Signal} [options]
   */
  async equations(id, { signal, ...query } = {}) {
    return this.transport.json("GET", modelPath(id) + "/equations", { query, signal });
  }

  /**
   * Degrees of freedom, kinds of constraints, integrability.
   * @param {string} id
   * @param {Signal} [options]
   */
  async structure(id, { signal } = {}) {
    return this.transport.json("GET", modelPath(id) + "/structure", { signal });
  }

  // Keys and tenants: these need a key with the scope admin.

  /**
   * A new key with its token, which nobody can read again. `scopes` are read and write by default;
   * `expires` is a date-time. It opens the jobs and models of `tenant`, which is "default" by
   * default. It is not tried again: a lost answer leaves a key that nobody can use, to be revoked.
   * @param {string} name
   * @param {{tenant?: string, scopes?: string[], expires?: string} & Signal} [options]
   */
  async createKey(name, { tenant, scopes, expires, signal } = {}) {
    return this.transport.json("POST", "/v1/keys", {
      document: { name, tenant, scopes, expires },
      retries: 0,
      signal,
    });
  }

  /** All keys, newest first, without their tokens. @param {{limit?: number} & Signal} [options] */
  async *keys({ limit = 100, signal } = {}) {
    yield* this.#list("/v1/keys", "keys", { limit }, signal);
  }

  /** From now on the key opens nothing. @param {string} id @param {Signal} [options] */
  async revokeKey(id, { signal } = {}) {
    await this.transport.bytes("DELETE", `/v1/keys/${encodeURIComponent(id)}`, { signal });
  }

  /**
   * A new tenant; `quotas` are numbers of queued and running jobs, and bytes of results.
   * `retention` says how long finished jobs are kept: `keep` and `keep_failed` in seconds (0: for
   * ever), `keep_bytes` of results.
   * @param {string} name
   * @param {{quotas?: Object<string, number>, retention?: Object<string, number>} & Signal}
   *   [options]
   */
  async createTenant(name, { quotas = {}, retention = {}, signal } = {}) {
    return this.transport.json("POST", "/v1/tenants", {
      document: { name, quotas, retention },
      retries: 0,
      signal,
    });
  }

  /** All tenants, with their quotas and counts. @param {Signal} [options] */
  async tenants({ signal } = {}) {
    return (await this.transport.json("GET", "/v1/tenants", { signal })).tenants;
  }

  /** A tenant, with its quotas and counts. @param {string} name @param {Signal} [options] */
  async tenant(name, { signal } = {}) {
    return this.transport.json("GET", `/v1/tenants/${encodeURIComponent(name)}`, { signal });
  }

  /**
   * Sets quotas and retention of a tenant; null removes one, and those that are not named stay.
   * @param {string} name
   * @param {{quotas?: Object<string, number|null>, retention?: Object<string, number|null>} &
   *   Signal} options
   */
  async changeTenant(name, { quotas = {}, retention = {}, signal }) {
    return this.transport.json("PATCH", `/v1/tenants/${encodeURIComponent(name)}`, {
      document: { quotas, retention },
      signal,
    });
  }

  // The service.

  /** The built-in systems. @param {Signal} [options] */
  async catalog({ signal } = {}) {
    return list(await this.transport.json("GET", "/v1/catalog", { signal }), "systems");
  }

  /**
   * A built-in system with its job, ready to be submitted.
   * @param {string} name
   * @param {Signal} [options]
   */
  async catalogSystem(name, { signal } = {}) {
    return this.transport.json("GET", `/v1/catalog/${encodeURIComponent(name)}`, { signal });
  }

  /**
   * The meanings of a problem code, each with its cause and remedy.
   * @param {string} code
   * @param {Signal} [options]
   */
  async problem(code, { signal } = {}) {
    return this.transport.json("GET", `/problems/${encodeURIComponent(code)}`, { signal });
  }

  /**
   * Every limit in force: value, unit and meaning.
   * @param {Signal} [options]
   * @returns {Promise<Record<string, {value: number, unit: string, what: string}>>}
   */
  async limits({ signal } = {}) {
    const found = await this.transport.json("GET", "/v1/limits", { signal });
    if (typeof found?.limits !== "object") throw new BadAnswer("limits that are none");
    return found.limits;
  }

  /**
   * Functions, units, formulations, methods and analyses that documents may name.
   * @param {Signal} [options]
   */
  async language({ signal } = {}) {
    return this.transport.json("GET", "/v1/language", { signal });
  }

  /**
   * The number of waiting jobs, their waiting time, and the pace of the workers.
   * @param {Signal} [options]
   */
  async queue({ signal } = {}) {
    return this.transport.json("GET", "/v1/queue", { signal });
  }

  /** Name, version and links of the service. @param {Signal} [options] */
  async about({ signal } = {}) {
    return this.transport.json("GET", "/", { signal });
  }

  /**
   * Whether the service takes jobs now; Unreachable if there is no answer. Asked once.
   * @param {Signal} [options]
   */
  async ready({ signal } = {}) {
    try {
      await this.transport.json("GET", "/readyz", { retries: 0, signal });
    } catch (problem) {
      if (!(problem instanceof Problem && problem.status === 503)) throw problem;
      return false;
    }
    return true;
  }
}

/** @param {string} id */
const modelPath = (id) => `/v1/models/${encodeURIComponent(id)}`;

/** @param {any} found @param {string} name @returns {any[]} */
function list(found, name) {
  if (!Array.isArray(found?.[name]))
    throw new BadAnswer(`an answer without ${name}: ${JSON.stringify(found)?.slice(0, 80)}`);
  return found[name];
}

/** @param {Filter} filter @returns {Record<string, any>} */
function filterQuery({ labels = {}, ...query }) {
  return {
    ...query,
    ...Object.fromEntries(Object.entries(labels).map(([name, value]) => ["label." + name, value])),
  };
}

/** Ids, or a filter of the given members. @param {Filter & {ids?: string[]}} wish */
function bulkWish({ ids, ...filter }) {
  if (ids && Object.values(filter).some((value) => value !== undefined))
    throw new TypeError("either ids or a filter");
  return ids ? { ids } : { filter };
}
