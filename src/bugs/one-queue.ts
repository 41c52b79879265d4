import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Bound small enough for a scenario to reach; otherwise the same as the real ones. */
const ROOM = 64;

/** One queue for submissions and disclosed operations: a Byzantine relay fills it with keys that cost nothing. */
export const oneQueue: KnownBadVariant = {
  name: "one-queue",
  mistake:
    "what others disclosed takes the room of what clients submit: one relay makes every validator refuse its own clients",
  source: "protocol 9.2; 7.8",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      exceededLimit: (queues) =>
        queues.submitted + queues.disclosed >= ROOM ? ROOM : real.validator.exceededLimit(queues),
    },
  }),
};
