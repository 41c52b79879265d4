/**
 * Replicas of an explored model in worker threads. The search of the main thread runs to its next slice without a pause,
 * so both sides exchange messages without their event loops: each message counts up a shared number, on which the other
 * side waits.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { required } from "../../core/base/assert.ts";
import type { AheadOptions, Helper } from "../../explore/ahead.ts";
import { AHEAD_BATCH, AHEAD_FRONTIER } from "../../explore/limits.ts";
import type { LivenessMode } from "../../explore/liveness.ts";
import type { Expanded, Job } from "../../explore/replica.ts";
import type { Bounds } from "../../explore/system.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { builtWorker, HAS_THREADS } from "../worker-pool.ts";

/** Exploration that a replica takes part in. */
export interface ReplicaOf {
  readonly scenario: Scenario;
  readonly bounds: Bounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  readonly liveness: LivenessMode;
}

/** `workerData` of a worker. */
export interface ReplicaData {
  readonly of: ReplicaOf;
  readonly port: MessagePort;
  /** Shared numbers by `COUNTS`. */
  readonly counts: Int32Array;
}

/** Indices of the shared numbers: jobs posted, answers posted, and 1 once the worker can begin. */
export const COUNTS = { jobs: 0, answers: 1, ready: 2 } as const;

/** Answer to a job: its result, or the error that ended the worker. */
export type Answer = { readonly expanded: Expanded } | { readonly error: string };

/** Longest wait for an answer: a worker that was ended from outside never gives one. */
const ANSWER_MS = 600_000;

/** Returns how a search expands states in so many threads; `undefined` for one thread, which the search itself has. */
export function aheadIn(threads: number, of: ReplicaOf): AheadOptions | undefined {
  if (threads < 2 || !HAS_THREADS) return undefined;
  const start = (): readonly Helper[] => Array.from({ length: threads }, () => new Thread(of));
  return { start, frontier: AHEAD_FRONTIER, batch: AHEAD_BATCH };
}

class Thread implements Helper {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #counts = new Int32Array(new SharedArrayBuffer(Object.keys(COUNTS).length * Int32Array.BYTES_PER_ELEMENT));
  #taken = 0;

  constructor(of: ReplicaOf) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: ReplicaData = { of, port: port2, counts: this.#counts };
    this.#worker = new Worker(builtWorker("cli/explore/worker.js"), { workerData, transferList: [port2] });
  }

  isReady(): boolean {
    return Atomics.load(this.#counts, COUNTS.ready) === 1;
  }

  post(job: Job): void {
    this.#port.postMessage(job);
    countUp(this.#counts, COUNTS.jobs);
  }

  take(): Expanded {
    if (!hasMore(this.#counts, COUNTS.answers, this.#taken, ANSWER_MS))
      throw new Error(`a worker of the exploration gave no answer for ${ANSWER_MS} ms`);
    this.#taken += 1;
    const answer = messageOn<Answer>(this.#port);
    if ("error" in answer) throw new Error(`a worker of the exploration failed: ${answer.error}`);
    return answer.expanded;
  }

  end(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}

/** Tells the other side that one more message is there. */
export function countUp(counts: Int32Array, index: number): void {
  Atomics.add(counts, index, 1);
  Atomics.notify(counts, index);
}

/** Waits until there are more than `taken` messages; returns `false` if there are none within `ms` milliseconds. */
export function hasMore(counts: Int32Array, index: number, taken: number, ms?: number): boolean {
  return Atomics.load(counts, index) !== taken || Atomics.wait(counts, index, taken, ms) !== "timed-out";
}

/** Returns a message that has been counted. */
export function messageOn<T>(port: MessagePort): T {
  return required(receiveMessageOnPort(port), "message that was counted").message as T;
}
