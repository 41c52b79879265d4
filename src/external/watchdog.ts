/** Ends nodes that do not answer, from another thread: the one that asks waits in a read until it is answered. */
import { Worker } from "node:worker_threads";

/** Most nodes of one watchdog. */
const NODES_MAX = 256;
/** Checks within the time after which a node counts as silent. */
const CHECKS = 10;

/** A node under guard. */
export interface GuardedNode {
  /** Begins the wait for an answer. */
  begin(): void;
  end(): void;
  /** Ends the node and all that it started. */
  kill(): void;
}

/** Numbers of the questions so far by node: odd while an answer is due. */
const questionsOf = (): Int32Array => new Int32Array(new SharedArrayBuffer(NODES_MAX * Int32Array.BYTES_PER_ELEMENT));

export class Watchdog {
  /** Line that stands for the answer of a silent node. */
  static readonly SILENT = '{"silent":true}';
  readonly #questions = questionsOf();
  readonly #worker: Worker;
  #count = 0;

  /** `silentMs`: time without an answer after which a node is ended. */
  constructor(silentMs: number) {
    const workerData = {
      questions: this.#questions,
      everyMs: silentMs / CHECKS,
      checks: CHECKS,
      silent: Watchdog.SILENT,
    };
    this.#worker = new Worker(WATCH, { eval: true, workerData });
    this.#worker.unref();
  }

  /** Guards the group of processes of `pid`, whose answers come through the pipe at `output`. */
  guard(pid: number, output: string): GuardedNode {
    const place = this.#count++ % NODES_MAX;
    this.#questions[place] = 0;
    this.#worker.postMessage({ place, pid, output });
    const count = (): void => void Atomics.add(this.#questions, place, 1);
    const kill = (): void => {
      Atomics.store(this.#questions, place, 0);
      killGroup(pid);
    };
    return { begin: count, end: count, kill };
  }

  close(): void {
    void this.#worker.terminate();
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The other thread: a node whose question is the same at every check of a row is ended, and its pipe gets the line. */
const WATCH = `
const { parentPort, workerData } = require("node:worker_threads");
const { writeFileSync } = require("node:fs");
const { questions, everyMs, checks, silent } = workerData;
const nodes = new Map();
parentPort.on("message", ({ place, pid, output }) => nodes.set(place, { pid, output, question: 0, seen: 0 }));
setInterval(() => {
  for (const [place, node] of nodes) {
    const question = Atomics.load(questions, place);
    node.seen = question === node.question ? node.seen + 1 : 0;
    node.question = question;
    if (question % 2 === 0 || node.seen < checks) continue;
    nodes.delete(place);
    // The other thread may have ended it a moment ago.
    try {
      process.kill(-node.pid, "SIGKILL");
      writeFileSync(node.output, silent + "\\n");
    } catch (error) {
      if (error.code !== "ESRCH" && error.code !== "ENOENT") throw error;
    }
  }
}, everyMs);
`;
