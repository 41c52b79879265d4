import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Barrier that is never removed (protocol 8). */
export const stuckBarrier: KnownBadVariant = {
  name: "stuck-barrier",
  mistake: "a barrier entry outlives its version: a lifted restriction still bars",
  source: "protocol 8; 4.2",
  caughtBy: ["liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const before = state.barriers;
      const outputs = real.step(state, input);
      for (const [key, restrictions] of before.entries()) state.barriers = state.barriers.set(key, restrictions);
      return outputs;
    },
  }),
};
