import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Durable commit assumed to be signed (protocol 3.2). */
export const repeatsBelowItsRound: KnownBadVariant = {
  name: "repeats-below-its-round",
  mistake: "a commit is sent again in the round of its lock, even if a crash prevented its signature",
  source: "protocol 3.2; 7.6",
  caughtBy: ["amnesia"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, mayRepeat: () => true } }),
};
