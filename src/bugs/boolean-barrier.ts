import { Trie } from "../core/base/trie.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** One flag for all versions of a token: an older change clears it (protocol 8). */
export const booleanBarrier: KnownBadVariant = {
  name: "boolean-barrier",
  mistake: "the barrier is one flag: the next applied list clears it, even one before the restriction",
  source: "protocol 8; 4.2",
  caughtBy: ["authority"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      const isCleared = outputs.some(
        (output) => output.type === "event" && output.event.type === "applied" && output.event.slot.kind === "token",
      );
      if (isCleared) state.barriers = Trie.empty();
      return outputs;
    },
  }),
};
