/** Worker thread of an exploration: a replica of the model that expands the states of each job. */
import { workerData } from "node:worker_threads";
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/variant.ts";
import { type Job, Replica } from "../../explore/replica.ts";
import { type Answer, COUNTS, countUp, hasMore, messageOn, type ReplicaData } from "./threads.ts";

await loadQuickKeccak();
const { of, port, counts } = workerData as ReplicaData;
const { scenario, bounds, byzantine, bug, liveness } = of;
const replica = new Replica(scenario, { bounds, byzantine, liveness, variant: variantOf(findBug(bug ?? "")) });
countUp(counts, COUNTS.ready);
for (let taken = 0; hasMore(counts, COUNTS.jobs, taken); taken++) answer(messageOn<Job>(port));

function answer(job: Job): void {
  const made = answerTo(job);
  port.postMessage(made, "expanded" in made ? [made.expanded.buffer as ArrayBuffer] : []);
  countUp(counts, COUNTS.answers);
}

function answerTo(job: Job): Answer {
  try {
    return { expanded: replica.expand(job) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
