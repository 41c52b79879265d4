/** Queue in Redis or Valkey for many machines, by BullMQ (decision 050). Loaded only with `--redis`. */
import { setTimeout } from "node:timers/promises";
import { Queue, type Job as QueuedJob, WaitingError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { definedMembers } from "../core/base/defined-members.ts";
import { type Job, jobOf, jobsOf, type Plan, PRIORITIES } from "./job.ts";
import { isSamePlan, type JobCounts, type JobQueue, type JobRunner, PlanMismatch, type WorkOptions } from "./queue.ts";
import { checkResult, readPlan } from "./read.ts";
import { idOf, type JobResult, jobRowOf } from "./rows.ts";

/** First part of every key: `quorumlab:<name>:prioritized` holds the waiting jobs. */
export const PREFIX = "quorumlab";
/** Jobs that one command adds. */
const BATCH = 500;
/** Milliseconds between two looks at the queue. */
const WATCH_MS = 250;
/** Most milliseconds between two attempts to connect. */
const RETRY_MS = 2_000;
/** Most milliseconds that BullMQ blocks in one command. */
const BLOCK_MS = 10_000;
/** Workers that one job may lose before it counts as lost: beyond that it is the job that kills them. */
const TAKEOVERS_MAX = 100;
/** Results read again with each look: some of the same millisecond may have come in before those read last. */
const OVERLAP = 200;

/** Before the name of a worker in the name of its connection. */
const WORKER_NAME = ":w:";

export interface RedisOptions {
  readonly url: string;
  /** Name of the campaign. */
  readonly name: string;
  /** Milliseconds of silence after which a worker counts as dead, and its job is taken over. */
  readonly takeoverMs: number;
  /** Milliseconds without a connection, or without a response, after which every call fails; default: none, calls wait. */
  readonly silenceMs?: number;
  /** Called with each problem of the connection, which is then made again. */
  readonly onProblem: (error: Error) => void;
}

export class RedisQueue implements JobQueue {
  readonly #options: RedisOptions;
  readonly #redis: Redis;
  readonly #queue: Queue<Job["work"], JobResult>;
  readonly #read = new Set<string>();

  constructor(options: RedisOptions) {
    this.#options = options;
    // BullMQ demands unlimited retries: a command waits until the server is back, or the connection is given up.
    const { silenceMs = Number.POSITIVE_INFINITY } = options;
    let away: number | undefined;
    const retryStrategy = (times: number): number | null => {
      if (times === 1) away = performance.now();
      return performance.now() - (away ?? 0) < silenceMs ? Math.min(times * 50, RETRY_MS) : null;
    };
    this.#redis = new Redis(options.url, {
      maxRetriesPerRequest: null,
      retryStrategy,
      ...definedMembers({ commandTimeout: options.silenceMs }),
    });
    this.#redis.on("error", options.onProblem);
    this.#queue = new Queue(options.name, { connection: this.#redis, prefix: PREFIX });
    this.#queue.on("error", options.onProblem);
  }

  async begin(plan: Plan): Promise<void> {
    const isNew = (await this.#redis.setnx(this.#key("plan"), JSON.stringify(plan))) === 1;
    const kept = isNew ? plan : await this.plan();
    if (kept !== undefined && !isSamePlan(kept, plan))
      throw new PlanMismatch(`campaign ${this.#options.name} has another plan or commit; choose another --name`);
    const batch: Job[] = [];
    for (const job of jobsOf(plan)) {
      batch.push(job);
      if (batch.length === BATCH) await this.#add(batch.splice(0));
    }
    await this.#add(batch);
    // From now on an empty queue means a finished campaign.
    await this.#redis.set(this.#key("planned"), "1");
    await this.#queue.resume();
  }

  async plan(): Promise<Plan | undefined> {
    const text = await this.#redis.get(this.#key("plan"));
    return text === null ? undefined : readPlan(text, this.#key("plan"));
  }

  async work(working: WorkOptions): Promise<void> {
    const idle = [...working.workers];
    // BullMQ closes only connections that it made itself.
    const { silenceMs } = this.#options;
    const connection = this.#redis.duplicate(definedMembers({ commandTimeout: silenceMs && silenceMs + BLOCK_MS }));
    connection.on("error", this.#options.onProblem);
    const worker = new Worker<Job["work"], JobResult>(
      this.#options.name,
      (queued, token) => this.#runJob(queued, token, idle, working.onResult),
      {
        connection,
        name: `${working.name}:${working.workers.length}`,
        prefix: PREFIX,
        concurrency: working.workers.length,
        lockDuration: this.#options.takeoverMs,
        stalledInterval: this.#options.takeoverMs,
        maxStalledCount: TAKEOVERS_MAX,
        // Seconds that an idle worker waits in one command: it bounds how late it sees a new campaign.
        drainDelay: 1,
      },
    );
    worker.on("error", this.#options.onProblem);
    try {
      await this.#watch(working);
    } finally {
      await worker.close();
      connection.disconnect();
    }
  }

  async #watch({ mayContinue, staysAfterEnd }: WorkOptions): Promise<void> {
    while (await mayContinue()) {
      if (!staysAfterEnd) {
        const { waiting, active, isStopped } = await this.counts();
        if (isStopped && active === 0) return;
        if (waiting + active === 0 && (await this.#redis.exists(this.#key("planned"))) === 1) return;
      }
      await setTimeout(WATCH_MS);
    }
  }

  /** Does a job with a worker that is free. BullMQ keeps what it returns in the step that completes the job. */
  async #runJob(
    queued: QueuedJob<Job["work"], JobResult>,
    token: string | undefined,
    idle: JobRunner[],
    onResult: WorkOptions["onResult"],
  ): Promise<JobResult> {
    const runJob = idle.pop() as JobRunner;
    try {
      const result = await runJob(jobOf(queued.data));
      if (result === undefined) {
        await queued.moveToWait(token);
        throw new WaitingError();
      }
      await this.#add(jobRowOf(result).follow);
      onResult(result);
      return result;
    } finally {
      idle.push(runJob);
    }
  }

  async counts(): Promise<JobCounts> {
    const counts = await this.#queue.getJobCounts(
      ...(["wait", "prioritized", "delayed", "active", "completed", "failed"] as const),
    );
    const of = (state: string): number => counts[state] ?? 0;
    return {
      waiting: of("wait") + of("prioritized") + of("delayed"),
      active: of("active"),
      done: of("completed"),
      lost: of("failed"),
      isStopped: await this.#queue.isPaused(),
    };
  }

  async results(): Promise<readonly JobResult[]> {
    const all = new Map<string, JobResult>();
    for await (const result of this.#completedResults(0)) all.set(idOf(result), result);
    return [...all.values()];
  }

  async newResults(): Promise<readonly JobResult[]> {
    const found: JobResult[] = [];
    for await (const result of this.#completedResults(Math.max(0, this.#read.size - OVERLAP))) {
      if (this.#read.has(idOf(result))) continue;
      this.#read.add(idOf(result));
      found.push(result);
    }
    return found;
  }

  /** Yields results in the order of their end, from a place on. */
  async *#completedResults(from: number): AsyncGenerator<JobResult> {
    for (let at = from; ; at += BATCH) {
      const jobs = await this.#queue.getJobs(["completed"], at, at + BATCH - 1, true);
      for (const { id, returnvalue } of jobs) yield checkResult(returnvalue, `${this.#key("result")}:${id}`);
      if (jobs.length < BATCH) return;
    }
  }

  async liveWorkers(): Promise<readonly string[]> {
    const workers = await this.#queue.getWorkers();
    // BullMQ puts the name of the queue before that of the worker.
    return workers.map(({ rawname = "" }) => rawname.slice(rawname.indexOf(WORKER_NAME) + WORKER_NAME.length)).sort();
  }

  async stop(): Promise<void> {
    await this.#queue.pause();
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#redis.disconnect();
  }

  /** Adds jobs; Redis ignores one whose id it knows, finished ones included. */
  async #add(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#queue.addBulk(
      jobs.map(({ id, work }) => ({
        name: work.kind,
        data: work,
        opts: { jobId: id, priority: PRIORITIES[work.kind] },
      })),
    );
  }

  #key(name: string): string {
    return `${PREFIX}:${this.#options.name}:${name}`;
  }
}
