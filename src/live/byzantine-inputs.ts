/** Validators that the inputs of a run make Byzantine: oracles have to know them from the start. */
import { byzantineValidators } from "../scenario/compile/compile.ts";
import type { LiveInput } from "./input.ts";

/** Returns the nodes that get a strategy or a losing disk at any time. */
export function byzantineIn(inputs: readonly LiveInput[]): ReadonlySet<string> {
  return byzantineValidators({
    name: "live",
    steps: inputs.flatMap((input) => (input.type === "step" ? [input.step] : [])),
  });
}
