import type { Bug } from "./bug.ts";

/** A bound small enough for a scenario to reach: the real ones differ in what they count, not in kind. */
const ROOM = 64;

/** One queue for what clients submit and for what others disclose: a Byzantine relay fills it with keys that cost nothing. */
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
