/** Removal of steps: those unrelated to a violation, then others by delta debugging. */
import type { Interruptible } from "../../run/interruptible.ts";
import type { NamedViolation } from "../../run/verdict.ts";
import { accountsIn, kindOf, signerOf, tokenIn } from "../../scenario/members.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { SubmitSpec } from "../../scenario/schema/submit.ts";
import type { Candidates } from "./attempts.ts";

/** Removes steps of one sort by delta debugging: large chunks, then smaller ones, then single steps. */
export function* removeSteps(attempts: Candidates, isOfSort: (step: Step) => boolean): Interruptible<void> {
  const count = (): number => (attempts.best.scenario.steps ?? []).filter(isOfSort).length;
  for (let size = Math.ceil(count() / 2); size >= 1; size = Math.ceil(size / 2)) {
    let shrunk = false;
    for (let from = 0; from < count(); ) {
      const isRemoved = yield* attempts.change((scenario) => withoutChunk(scenario, isOfSort, from, size));
      if (isRemoved) shrunk = true;
      else from += size;
    }
    if (size === 1 && !shrunk) return;
  }
}

function withoutChunk(scenario: Scenario, isOfSort: (step: Step) => boolean, from: number, size: number): Scenario {
  let place = -1;
  const steps = (scenario.steps ?? []).filter((step) => {
    if (!isOfSort(step)) return true;
    place += 1;
    return place < from || place >= from + size;
  });
  return { ...scenario, steps };
}

/** Returns true for a step of clients or the operator. */
export function isOperation({ submit, workload, govern }: Step): boolean {
  return submit !== undefined || workload !== undefined || govern !== undefined;
}

/** Returns true for a fault. */
export function isFault(step: Step): boolean {
  return !isOperation(step);
}

/**
 * Removes what is not in the causal past of a violation while the failure signature stays: steps after it, then those
 * that touch nothing that it names. A run confirms each guess, so a wrong one costs one run and loses nothing.
 */
export function* removeUnrelated(
  attempts: Candidates,
  { detail, virtualMs, invariant }: NamedViolation,
): Interruptible<void> {
  // A stall shows at the end and results from something missing.
  if (invariant !== "liveness") yield* attempts.change((scenario) => dropStepsAfter(scenario, virtualMs));
  const named = new Set(detail.match(/[A-Za-z_][\w.-]*/g) ?? []);
  for (const keepsFaults of [false, true]) {
    for (const reach of ["own", "others"] as const) {
      if (yield* attempts.change((scenario) => keepRelated(scenario, named, reach, keepsFaults))) return;
    }
  }
}

/** Removes later steps. */
function dropStepsAfter(scenario: Scenario, end: number): Scenario | undefined {
  const { steps = [] } = scenario;
  const kept = steps.filter(({ at = 0 }) => at <= end);
  return kept.length === steps.length ? undefined : { ...scenario, steps: kept };
}

/**
 * Keeps the named operations, and all of the same signers; with `others`, also those that credit, debit or list these
 * accounts, and those that change their tokens.
 */
function keepRelated(
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
    const parties = workload.mix.flatMap((part) => accountsIn(part).map(({ name }) => name));
    return [...workload.accounts, ...(reach === "others" ? parties : [])].some((name) => accounts.has(name));
  };
  const kept = steps.filter(isKept);
  return kept.length === steps.length || kept.length === 0 ? undefined : { ...scenario, steps: kept };
}
