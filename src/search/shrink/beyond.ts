/** Whether more validators lie than agreement survives: what fails within the bound has to go on failing within it. */
import { bounds } from "../../invariants/history/quorum.ts";
import { dishonest } from "../../scenario/compile/compile.ts";
import { nodeOf, validatorNames } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Of the first committee, or of any that a proposal names. */
export function isBeyond(scenario: Scenario): boolean {
  const liars = dishonest(scenario);
  const proposed = (scenario.steps ?? []).flatMap(({ govern }) =>
    govern?.validators === undefined ? [] : [govern.validators],
  );
  return [validatorNames(scenario), ...proposed].some((members) => {
    const count = members.filter((key) => liars.has(nodeOf(key))).length;
    return count > bounds(members.length).faults;
  });
}
