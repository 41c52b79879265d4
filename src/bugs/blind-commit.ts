import type { Bug } from "./bug.ts";

/** A commit on a hash alone: the barrier cannot know what it stands for (protocol 8). */
export const blindCommit: Bug = {
  name: "blind-commit",
  wrong:
    "a lock certificate is committed on without the value's content: the barrier is blind and a payment passes a pause",
  source: "protocol 8; 3.1, 3",
  caughtBy: ["authority"],
  rules: (real) => ({ ...real, validator: { ...real.validator, holdsContent: () => true } }),
};
