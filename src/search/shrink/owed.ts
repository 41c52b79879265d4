/** Whether a smaller scenario owes somebody what the larger one did not: a stall of theirs would be another finding. */
import { equivocators } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { signerOf } from "../../scenario/submit-parts.ts";

/** Whether a client that was scripted, and still signs something, has become a correct one. */
export function owesMore(before: Scenario, after: Scenario): boolean {
  const scripted = scriptedIn(after);
  const signing = new Set(
    (after.steps ?? []).map(({ submit }) => (submit === undefined ? undefined : signerOf(submit))),
  );
  return [...scriptedIn(before)].some((name) => signing.has(name) && !scripted.has(name));
}

function scriptedIn(scenario: Scenario): ReadonlySet<string> {
  const said = Object.entries(scenario.clients ?? {}).flatMap(([name, { behaviour }]) =>
    behaviour === "scripted" ? [name] : [],
  );
  return new Set([...equivocators(scenario), ...said]);
}
