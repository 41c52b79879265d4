/** Removal of steps that refer to removed ones. */
import type { Scenario, Step, TriggerSpec } from "../../scenario/scenario.ts";

/** Returns the scenario without steps that name an operation, rule or proposal that no step defines. */
export function withoutDangling(scenario: Scenario): Scenario {
  let steps = scenario.steps ?? [];
  for (;;) {
    const kept = steps.filter((step) => isGrounded(step, steps));
    if (kept.length === steps.length) return { ...scenario, steps: kept };
    steps = kept;
  }
}

function isGrounded(step: Step, steps: readonly Step[]): boolean {
  const { submit, after, hold, drop, release, undrop, govern } = step;
  const operations = [submit?.again, ...(submit?.recovery?.evidence ?? []), hold?.of, drop?.of, ...operationsIn(after)];
  if (!operations.every((id) => id === undefined || steps.some((one) => one.submit?.id === id))) return false;
  if (after?.held !== undefined && !steps.some((one) => one.hold?.rule === after.held)) return false;
  if (typeof release === "string" && !steps.some((one) => one.hold?.rule === release)) return false;
  if (typeof undrop === "string" && !steps.some((one) => one.drop?.rule === undrop)) return false;
  return govern?.again === undefined || steps.some((one) => one.govern?.id === govern.again);
}

function operationsIn(after: TriggerSpec | undefined): readonly (string | undefined)[] {
  if (after === undefined) return [];
  return [after.submitted, after.voted, after.committed, after.proposed, after.decided, after.applied, after.answered];
}
