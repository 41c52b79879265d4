/** A thread of a campaign's jobs that is caught inside one event of seed 2, and dies in seed 4. */
import { parentPort } from "node:worker_threads";

const world = { signature: null, hash: "h", events: 1, operations: 1, final: 1, faults: [], ms: 1 };
parentPort.on("message", ({ id, work }) => {
  for (let place = 0; place < work.count; place++) {
    const seed = String(Number(work.first) + place);
    parentPort.postMessage({ type: "slice", slice: { type: "begins", seed, place } });
    if (seed === "4") throw new Error("out of memory");
    while (seed === "2");
    parentPort.postMessage({ type: "slice", slice: { type: "world", job: id, seed, verdict: "pass", ...world } });
  }
  parentPort.postMessage({ type: "result", result: { isStopped: false, error: null } });
});
