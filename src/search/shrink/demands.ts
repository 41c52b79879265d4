/** Comparison of demands: a stall of a demand that only the smaller scenario has is another failure. */
import { equivocators } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { signerOf } from "../../scenario/submit-access.ts";

/** Returns true if a scripted client that still signs has become a correct one. */
export function demandsMore(before: Scenario, after: Scenario): boolean {
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
