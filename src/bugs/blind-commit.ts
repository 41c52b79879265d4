import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Commit without the content: the barrier cannot know what the hash stands for (protocol 8). */
export const blindCommit: KnownBadVariant = {
  name: "blind-commit",
  mistake: "a validator commits without the value's content: the barrier misses it and a payment passes a pause",
  source: "protocol 8; 3.1, 3",
  caughtBy: ["authority"],
  rules: (real) => ({ ...real, validator: { ...real.validator, hasContent: () => true } }),
};
