/** Which validators the inputs of a run make break the rules: oracles have to know from the start whom they judge. */
import { dishonest } from "../scenario/compile/compile.ts";
import type { LiveInput } from "./input.ts";

/** Nodes that a strategy or a lying disk is switched on at, at any time. */
export function liarsIn(inputs: readonly LiveInput[]): ReadonlySet<string> {
  return dishonest({ name: "live", steps: inputs.flatMap((input) => (input.type === "step" ? [input.step] : [])) });
}
