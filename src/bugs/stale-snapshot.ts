import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Snapshot that differs from its checkpoint (bugs F18). */
export const staleSnapshot: KnownBadVariant = {
  name: "stale-snapshot",
  mistake:
    "a snapshot names the new checkpoint and holds the state before it, from which a restarted validator continues",
  source: "protocol 11.2; bugs F18",
  caughtBy: [
    "accountability",
    "agreement",
    "checkpoints",
    "convergence",
    "conservation",
    "accounts",
    "authority",
    "validity",
    "liveness",
    "fees",
  ],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const before = state.checkpoint.state;
      return real.step(state, input).map((output) => {
        const isSnapshot = output.type === "persist" && output.record.of === "snapshot";
        return isSnapshot ? { ...output, record: { ...output.record, state: before } } : output;
      });
    },
  }),
};
