import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Restriction without effect before its application (bugs E1, E2). */
export const noBarrier: KnownBadVariant = {
  name: "no-barrier",
  mistake: "a validator that commits to a pause, a listing or a revocation goes on voting by what it has applied",
  source: "bugs E1, E2; protocol 4.2",
  caughtBy: ["authority"],
  rules: (real) => ({ ...real, ledger: { ...real.ledger, restrictionsOf: () => [] } }),
};
