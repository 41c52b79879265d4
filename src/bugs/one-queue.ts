import type { Bug } from "./bug.ts";

/** Bound small enough for a scenario to reach; otherwise the same as the real ones. */
const ROOM = 64;

/** One queue for submissions and disclosed operations: a Byzantine relay fills it with keys that cost nothing. */
export const oneQueue: Bug = {
  name: "one-queue",
  wrong:
    "what others disclosed takes the room of what clients submit: one relay makes every validator refuse its own clients",
  source: "protocol 9.2; 7.8",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      fullQueue: (queues) => (queues.asked + queues.seen >= ROOM ? ROOM : real.validator.fullQueue(queues)),
    },
  }),
};
