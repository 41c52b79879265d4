import type { Bug } from "./bug.ts";

/** A restriction that was committed to binds for ever (protocol 8). */
export const stuckBarrier: Bug = {
  name: "stuck-barrier",
  wrong: "a barrier entry outlives its version: what is lifted later stays barred",
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
