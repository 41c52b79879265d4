/**
 * Removal of steps unrelated to a violation: those after it, then those that touch nothing that it names. A run
 * confirms each guess, so a wrong one costs one run and loses nothing.
 */

import type { Interruptible } from "../../run/interruptible.ts";
import type { NamedViolation } from "../../run/verdict.ts";
import { accountsInOrder } from "../../scenario/mix-access.ts";
import type { Scenario, Step, SubmitSpec } from "../../scenario/scenario.ts";
import { accountsIn, kindOf, signerOf, tokenIn } from "../../scenario/submit-access.ts";
import type { Attempts } from "./attempts.ts";
import { isOperation } from "./shrink-steps.ts";

/** Removes what is not in the causal past of a violation while the failure signature stays. */
export function* removeUnrelated(
  attempts: Attempts,
  { detail, virtualMs, invariant }: NamedViolation,
): Interruptible<void> {
  // A stall shows at the end and results from something missing.
  if (invariant !== "liveness") yield* attempts.change((scenario) => until(scenario, virtualMs));
  const named = new Set(detail.match(/[A-Za-z_][\w.-]*/g) ?? []);
  for (const keepsFaults of [false, true]) {
    for (const reach of ["own", "others"] as const) {
      if (yield* attempts.change((scenario) => about(scenario, named, reach, keepsFaults))) return;
    }
  }
}

/** Removes later steps. */
function until(scenario: Scenario, end: number): Scenario | undefined {
  const { steps = [] } = scenario;
  const kept = steps.filter(({ at = 0 }) => at <= end);
  return kept.length === steps.length ? undefined : { ...scenario, steps: kept };
}

/**
 * Keeps the named operations, and all of the same signers; with `others`, also those that credit, debit or list these
 * accounts, and those that change their tokens.
 */
function about(
  scenario: Scenario,
  named: ReadonlySet<string>,
  reach: "own" | "others",
  keepsFaults: boolean,
): Scenario | undefined {
  const { steps = [] } = scenario;
  const submits = steps.flatMap(({ submit }) => submit ?? []);
  const direct = submits.filter(({ id = "" }) => named.has(id));
  const accounts = new Set([...named, ...direct.flatMap((submit) => signerOf(submit) ?? [])]);
  const own = submits.filter((submit) => direct.includes(submit) || accounts.has(signerOf(submit) ?? ""));
  const tokens = new Set([...named, ...own.flatMap((submit) => tokenIn(submit)?.name ?? [])]);
  const touches = (submit: SubmitSpec): boolean =>
    accountsIn(submit).some(({ name }) => accounts.has(name)) ||
    (kindOf(submit) !== "payment" && tokens.has(tokenIn(submit)?.name ?? ""));
  const isKept = (step: Step): boolean => {
    const { submit, workload } = step;
    if (!isOperation(step)) return keepsFaults || step.byzantine !== undefined;
    if (submit !== undefined) return own.includes(submit) || (reach === "others" && touches(submit));
    if (workload === undefined) return named.has("epoch") || named.has("closing") || reach === "others";
    const parties = workload.mix.flatMap((part) => accountsInOrder(part).map(({ name }) => name));
    return [...workload.accounts, ...(reach === "others" ? parties : [])].some((name) => accounts.has(name));
  };
  const kept = steps.filter(isKept);
  return kept.length === steps.length || kept.length === 0 ? undefined : { ...scenario, steps: kept };
}
