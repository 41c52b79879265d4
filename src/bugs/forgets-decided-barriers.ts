import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Barriers rebuilt for open slots only (protocol 4.2). */
export const forgetsDecidedBarriers: KnownBadVariant = {
  name: "forgets-decided-barriers",
  mistake: "after a restart a token slot that is decided but not applied has no barrier",
  source: "protocol 4.2, Barrier",
  caughtBy: ["authority"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      if (input.type !== "restart") return outputs;
      for (const [key] of state.barriers.entries())
        if (state.slots.get(key)?.decided !== undefined) state.barriers = state.barriers.delete(key);
      return outputs;
    },
  }),
};
