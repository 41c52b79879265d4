/** Queue in this process. A folder keeps plan and results, so that a killed campaign continues from its last result. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { setTimeout } from "node:timers/promises";
import { entryOf } from "../core/base/entry.ts";
import { type Job, type JobKind, jobsOf, type Plan, PRIORITIES } from "./job.ts";
import {
  isSamePlan,
  type JobCounts,
  type JobQueue,
  type JobRunner,
  PlanMismatch,
  type WorkOptions,
  workThrough,
} from "./queue.ts";
import { linesOf, readPlan, resultsIn, wholeLines } from "./read.ts";
import { idOf, type JobResult, jobRowOf } from "./rows.ts";

/** Interval in milliseconds of the check whether the work may continue. */
const WATCH_MS = 100;
/** Milliseconds between two heartbeats, and after the last one until its process counts as gone. */
const ALIVE_MS = 1_000;
const GONE_MS = 10_000;

/** Returns the file of results in a campaign's folder. */
export function resultsFile(folder: string): string {
  return join(folder, "results.ndjson");
}

/** Writes the file of results anew. It may be longer than a text can be. */
export function replaceResults(folder: string, results: readonly JobResult[]): void {
  replaceFile(resultsFile(folder), linesOfAll(results));
}

function* linesOfAll(results: readonly JobResult[]): Generator<string> {
  for (const result of results) yield linesOf(result);
}

/** Writes a file as a whole, from its parts in order: a reader sees the earlier one or this one. */
export function replaceFile(path: string, texts: Iterable<string>): void {
  const file = openSync(`${path}.new`, "w");
  try {
    for (const text of texts) writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}

const CHUNK_BYTES = 1 << 20;

/** The whole lines of a file, which may be longer than a text can be. */
function* linesIn(path: string): Generator<string> {
  const [decoder, chunk] = [new StringDecoder("utf8"), Buffer.allocUnsafe(CHUNK_BYTES)];
  const file = openSync(path, "r");
  try {
    let rest = "";
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      const text = rest + decoder.write(chunk.subarray(0, read));
      yield* wholeLines(text);
      rest = text.slice(text.lastIndexOf("\n") + 1);
    }
  } finally {
    closeSync(file);
  }
}

export class EmbeddedQueue implements JobQueue {
  readonly #folder: string;
  readonly #known = new Set<string>();
  readonly #waiting = new Map<JobKind, Job[]>();
  #active = 0;
  #read = 0;
  /** Bytes of the file of results when it was read last. */
  #size = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async begin(plan: Plan): Promise<void> {
    const kept = await this.plan();
    if (kept !== undefined && !isSamePlan(kept, plan))
      throw new PlanMismatch(
        `${this.#folder} keeps a campaign of another plan or commit; choose another --out or remove it`,
      );
    mkdirSync(this.#folder, { recursive: true });
    rmSync(this.#stopFile, { force: true });
    replaceFile(this.#planFile, [`${JSON.stringify(plan, null, 2)}\n`]);
    // Rows of a job that a killed process left unfinished are removed before anything is appended.
    const results = this.#results();
    replaceResults(this.#folder, results);
    for (const result of results) this.#known.add(idOf(result));
    for (const result of results) this.#add(followUpJobs(result));
    for (const job of jobsOf(plan)) this.#add([job]);
  }

  async plan(): Promise<Plan | undefined> {
    return existsSync(this.#planFile) ? readPlan(readFileSync(this.#planFile, "utf8"), this.#planFile) : undefined;
  }

  async work({ name, workers, mayContinue, onResult }: WorkOptions): Promise<void> {
    let isStopped = false;
    let isOver = false;
    let heartbeatAt = 0;
    const watch = async (): Promise<void> => {
      while (!(isOver || isStopped)) {
        if (Date.now() - heartbeatAt >= ALIVE_MS) {
          heartbeatAt = Date.now();
          writeFileSync(this.#aliveFile, `${name}:${workers.length}`);
        }
        isStopped = existsSync(this.#stopFile) || !(await mayContinue());
        if (!isStopped) await setTimeout(WATCH_MS);
      }
    };
    const watching = watch();
    try {
      await workThrough(
        workers,
        async () => (isStopped ? undefined : this.#take()),
        async (runJob, job) => {
          const result = await this.#runJob(job, runJob);
          if (result !== undefined) onResult(result);
          else isStopped = true;
        },
      );
    } finally {
      isOver = true;
      await watching;
      rmSync(this.#aliveFile, { force: true });
    }
  }

  /** Does a job and keeps its result; puts it back if it was stopped. */
  async #runJob(job: Job, runJob: JobRunner): Promise<JobResult | undefined> {
    try {
      const result = await runJob(job);
      if (result === undefined) this.#place(job);
      else {
        appendFileSync(resultsFile(this.#folder), linesOf(result));
        this.#add(followUpJobs(result));
      }
      return result;
    } finally {
      this.#active -= 1;
    }
  }

  async counts(): Promise<JobCounts> {
    const done = this.#results();
    let waiting = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    if (this.#known.size === 0) {
      // Another process works: what waits is what the plan and the results ask for and no result has.
      const plan = await this.plan();
      const plannedIds = new Set<string>(done.flatMap(followUpJobs).map(({ id }) => id));
      if (plan !== undefined) for (const { id } of jobsOf(plan)) plannedIds.add(id);
      for (const result of done) plannedIds.delete(idOf(result));
      waiting = plannedIds.size;
    }
    const isStopped = existsSync(this.#stopFile);
    return { waiting, active: this.#active, done: done.length, lost: 0, isStopped };
  }

  async results(): Promise<readonly JobResult[]> {
    return this.#results();
  }

  async newResults(): Promise<readonly JobResult[]> {
    const file = resultsFile(this.#folder);
    const size = existsSync(file) ? statSync(file).size : 0;
    if (size === this.#size) return [];
    this.#size = size;
    const results = this.#results().slice(this.#read);
    this.#read += results.length;
    return results;
  }

  async liveWorkers(): Promise<readonly string[]> {
    if (!existsSync(this.#aliveFile)) return [];
    const isAlive = Date.now() - statSync(this.#aliveFile).mtimeMs < GONE_MS;
    return isAlive ? [readFileSync(this.#aliveFile, "utf8")] : [];
  }

  async stop(): Promise<void> {
    writeFileSync(this.#stopFile, "");
  }

  async close(): Promise<void> {
    // Every result is in its file already.
  }

  get #planFile(): string {
    return join(this.#folder, "plan.json");
  }

  get #aliveFile(): string {
    return join(this.#folder, "alive");
  }

  get #stopFile(): string {
    return join(this.#folder, "stop");
  }

  #results(): readonly JobResult[] {
    const file = resultsFile(this.#folder);
    return existsSync(file) ? resultsIn(linesIn(file), file) : [];
  }

  #add(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (this.#known.has(job.id)) continue;
      this.#known.add(job.id);
      this.#place(job);
    }
  }

  #place(job: Job): void {
    entryOf(this.#waiting, job.work.kind, () => []).push(job);
  }

  /** Takes the oldest job of the most urgent kind; "later" if jobs at work may ask for others. */
  #take(): Job | "later" | undefined {
    const [first] = [...this.#waiting]
      .filter(([, jobs]) => jobs.length > 0)
      .sort(([a], [b]) => PRIORITIES[a] - PRIORITIES[b]);
    const job = first?.[1].shift();
    if (job === undefined) return this.#active > 0 ? "later" : undefined;
    this.#active += 1;
    return job;
  }
}

function followUpJobs(result: JobResult): readonly Job[] {
  return jobRowOf(result).follow;
}
