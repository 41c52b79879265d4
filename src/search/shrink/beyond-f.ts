/** Check for more than f Byzantine validators: a failure within f must stay within f. */
import { bounds } from "../../invariants/history/quorum.ts";
import { byzantineValidators } from "../../scenario/compile/compile.ts";
import { nodeOf, validatorNames } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Considers the first committee and all that proposals name. */
export function isBeyondF(scenario: Scenario): boolean {
  const liars = byzantineValidators(scenario);
  const proposed = (scenario.steps ?? []).flatMap(({ govern }) =>
    govern?.validators === undefined ? [] : [govern.validators],
  );
  return [validatorNames(scenario), ...proposed].some((members) => {
    const count = members.filter((key) => liars.has(nodeOf(key))).length;
    return count > bounds(members.length).faults;
  });
}
