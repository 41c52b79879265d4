/** Strategy: withholds votes or commits, from all or some. They are still signed, so hidden certificates may exist. */
import { type Strategy, type Targets, withoutMemory } from "./strategy.ts";

export function withhold(kind: "vote" | "commit", towards: Targets): Strategy<undefined> {
  return withoutMemory((step) =>
    step.outputs.map((output) => {
      if (output.type !== "sign" || output.message.body.type !== kind) return output;
      return { ...output, to: output.to.filter((peer) => peer === step.self || !towards.has(peer)) };
    }),
  );
}
