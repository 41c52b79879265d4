/** Edits of a scenario by the passes of `shrink`, for a caller that judges the smaller scenarios itself. */
import type { Interruptible } from "../../run/interruptible.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { Candidates, demandsMore, type FailingRun, isBeyondF } from "./attempts.ts";
import { withoutDangling } from "./json-tree.ts";
import { removeFields, simplifyFields, simplifySchedule } from "./shrink-fields.ts";
import { isFault, isOperation, removeSteps } from "./shrink-steps.ts";

/** Place of an edit: its pass, and its number in it. */
export interface EditPlace {
  readonly pass: number;
  readonly at: number;
}

/** Without a removal of validators: the size of the committee is the caller's. */
const PASSES: readonly ((candidates: Candidates) => Interruptible<void>)[] = [
  simplifySchedule,
  (candidates) => removeSteps(candidates, isOperation),
  (candidates) => removeSteps(candidates, isFault),
  removeFields,
  simplifyFields,
];

/** Candidates of which none is accepted: each edit is one of the same scenario. */
class Edits extends Candidates {
  offered: Scenario | undefined;

  *accept({ scenario }: FailingRun): Interruptible<boolean> {
    this.offered = scenario;
    yield;
    return false;
  }
}

/**
 * Yields valid scenarios that are an edit smaller, from a place on. The next edit of the smaller scenario is at the place
 * with which it comes. A scenario within f stays so, and no client owes more than before.
 */
export function* editsOf(
  scenario: Scenario,
  parser: ScenarioParser,
  { pass: first, at: from }: EditPlace,
): Generator<EditPlace & { readonly scenario: Scenario }> {
  const text = JSON.stringify(scenario);
  for (const [pass, edit] of PASSES.entries()) {
    if (pass < first) continue;
    const edits = new Edits({ scenario, seed: DEFAULT_SEED });
    let at = 0;
    for (const _ of edit(edits)) {
      const smaller = withoutDangling(edits.offered ?? scenario);
      const isNext = (pass > first || at >= from) && JSON.stringify(smaller) !== text;
      if (isNext && parser.check(smaller).ok && !isBeyondF(smaller) && !demandsMore(scenario, smaller))
        yield { pass, at, scenario: smaller };
      at += 1;
    }
  }
}
