/** Strategy: sends nothing to some parties, and receives from all. */
import type { Output } from "../../core/validator/output.ts";
import { type Strategy, type Targets, withoutMemory } from "./strategy.ts";

export function silence(towards: Targets): Strategy<undefined> {
  return withoutMemory((step) =>
    step.outputs.flatMap((output): Output[] => {
      if (output.type === "reply") return towards.has(output.client) ? [] : [output];
      if (output.type !== "sign" && output.type !== "send") return [output];
      return [{ ...output, to: output.to.filter((peer) => peer === step.self || !towards.has(peer)) }];
    }),
  );
}
