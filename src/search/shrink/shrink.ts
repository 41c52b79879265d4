/**
 * Minimization of a failing scenario: first removes what is unrelated to the violation and simplifies the schedule,
 * then removes operations, faults and validators, then all other members, then simplifies numbers and delays, writes
 * out what workloads draw, and names the healing in place of steps that put it off; repeats until it is 1-minimal.
 * Deterministic.
 */
import { isRecovery } from "../../core/base/operation.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { usualHealing } from "../../run/phases.ts";
import { runInSlices } from "../../run/run.ts";
import type { NamedViolation, RunResult } from "../../run/verdict.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { formOf } from "../../scenario/submission-form.ts";
import {
  type FailureSignature,
  failureSignatureOf,
  hasSignature,
  signatureOfViolation,
} from "../fuzz/failure-signature.ts";
import { Attempts, type FailingRun, RUN_EVENTS, ShrinkStop } from "./attempts.ts";
import { removeFields, removeNodes, simplifyFields, simplifySchedule } from "./shrink-fields.ts";
import { isFault, isOperation, removeSteps, removeUnrelated } from "./shrink-steps.ts";

/** Default limit of runs. */
export const SHRINK_RUNS = 2_000;

export interface ShrinkOptions {
  readonly parser: ScenarioParser;
  /** Limit of runs. */
  readonly runs: number;
  /** Failure signature to preserve; default: that of the most severe failure. */
  readonly signature?: FailureSignature;
  /** Called with each smaller scenario. */
  readonly onProgress?: (steps: number, runsLeft: number) => void;
}

export interface ShrinkResult extends FailingRun {
  readonly signature: FailureSignature;
  /** Run of the minimized scenario. */
  readonly result: RunResult;
  /** The failure that it keeps, which need not be its only one, nor the most severe. */
  readonly reason: string;
  readonly runs: number;
  /** True if it is 1-minimal; false if the run limit was reached or it was interrupted. */
  readonly isMinimal: boolean;
}

/** Minimizes a failing scenario; returns `undefined` if it does not fail, or was interrupted before that was known. */
export function* shrink(
  failing: FailingRun,
  { parser, runs, onProgress, signature: wanted }: ShrinkOptions,
): Interruptible<ShrinkResult | undefined> {
  const first = yield* completeRun(failing);
  const signature = wanted ?? failureSignatureOf(failing.scenario, first);
  if (signature === undefined) return undefined;
  const { transcript: _golden, events: _bound, ...scenario } = failing.scenario;
  const bound = boundOf(failing.scenario);
  // Only an endless run depends on the event limit; then the smaller file names it.
  const isEndless = signature.invariant === "endless";
  const events = isEndless ? bound : Math.min(bound, RUN_EVENTS, Math.max(first.steps * 4, 20_000));
  const start = { ...failing, scenario: isEndless ? { ...scenario, events: bound } : scenario };
  const attempts = new Attempts(start, signature, parser, { runs, events });
  const [violation] = violationsWithSignature(signature, failing, first);
  const isMinimal = yield* runPasses(attempts, violation, onProgress);
  const { best, left } = attempts;
  const result = yield* completeRun(best);
  return { ...best, signature, result, reason: reasonOf(signature, best, result), runs: runs - left, isMinimal };
}

/** Returns the violations of a run that have the signature. */
function violationsWithSignature(
  signature: FailureSignature,
  { scenario }: FailingRun,
  result: RunResult,
): readonly NamedViolation[] {
  return result.violations.filter((violation) =>
    hasSignature(scenario, { ...result, violations: [violation] }, signature),
  );
}

function reasonOf(signature: FailureSignature, failing: FailingRun, result: RunResult): string {
  const kept = violationsWithSignature(signature, failing, result);
  const first =
    kept.find((violation) => signatureOfViolation(failing.scenario, violation).shape === signature.shape) ?? kept[0];
  return first === undefined ? result.reason : `${first.invariant}: ${first.detail}`;
}

function* runPasses(
  attempts: Attempts,
  violation: NamedViolation | undefined,
  onProgress: ShrinkOptions["onProgress"],
): Interruptible<boolean> {
  const reportProgress = (): void => onProgress?.(attempts.best.scenario.steps?.length ?? 0, attempts.left);
  try {
    if (violation !== undefined) yield* removeUnrelated(attempts, violation);
    reportProgress();
    for (;;) {
      const before = attempts.best;
      yield* attempts.accept({ ...before, seed: DEFAULT_SEED });
      yield* simplifySchedule(attempts);
      yield* removeSteps(attempts, isOperation);
      reportProgress();
      yield* removeSteps(attempts, isFault);
      reportProgress();
      yield* removeNodes(attempts);
      reportProgress();
      yield* removeFields(attempts);
      reportProgress();
      yield* simplifyFields(attempts);
      reportProgress();
      yield* fixWorkloads(attempts);
      yield* fixHealing(attempts);
      if (attempts.best === before) return true;
    }
  } catch (error) {
    if (error instanceof ShrinkStop) return false;
    throw error;
  }
}

/**
 * Replaces steps that only put off the healing by the time of the healing, so that a file says how long faults last:
 * removes each step without which the failure stays if the healing comes as late as before.
 */
function* fixHealing(attempts: Attempts): Interruptible<void> {
  const { scenario } = attempts.best;
  if (scenario.healing !== undefined) return;
  const at = usualHealing(scenario);
  for (let place = (scenario.steps ?? []).length - 1; place >= 0; place--) {
    yield* attempts.change(({ steps = [], ...rest }) => {
      return { ...rest, healing: { at }, steps: steps.filter((_, index) => index !== place) };
    });
  }
}

/** Returns the scenario's own event limit, so that the verdict equals that of `quorumlab run`. */
function boundOf({ events = RUN_EVENTS }: Scenario): number {
  return events;
}

/** Completes the run even if interrupted: without it there is no result to report. */
function* completeRun({ scenario, seed, programs }: FailingRun): Interruptible<RunResult> {
  const run = runInSlices(scenario, { seed, programs, events: boundOf(scenario) });
  let slice = run.next();
  for (; slice.done !== true; slice = run.next(false)) yield;
  return slice.value;
}

/** Most submissions that take the place of workloads: a longer file explains less than its workload. */
const SUBMISSIONS_MAX = 60;

/** Replaces all workloads, each by its orders at the times at which they left; keeps them where the failure goes away. */
function* fixWorkloads(attempts: Attempts): Interruptible<void> {
  const { steps = [] } = attempts.best.scenario;
  if (!steps.some(({ workload }) => workload !== undefined)) return;
  const drawn = yield* submissionsOf(attempts.best);
  if (drawn.length === 0 || drawn.length > SUBMISSIONS_MAX) return;
  yield* attempts.change((scenario) => {
    const rest = (scenario.steps ?? []).filter(({ workload }) => workload === undefined);
    return { ...scenario, steps: [...rest, ...drawn].sort((a, b) => (a.at ?? 0) - (b.at ?? 0)) };
  });
}

/** The first submission of each operation without a name, in the order of time. One run, beside the limit. @throws Stopped */
function* submissionsOf({ scenario, seed, programs }: FailingRun): Interruptible<readonly Step[]> {
  const found = new Map<string, Step>();
  const used = new Set((scenario.steps ?? []).flatMap(({ submit }) => submit?.id ?? []));
  let at = 0;
  let number = 0;
  const nextId = (): string => {
    do number += 1;
    while (used.has(`o${number}`));
    return `o${number}`;
  };
  const run = runInSlices(scenario, {
    seed,
    programs,
    events: scenario.events ?? RUN_EVENTS,
    watch: ({ directory, operations }) => {
      const named = new Set(operations.values());
      return {
        eventBegins: (_step, now) => {
          at = now;
        },
        submitted: (_client, id, submission) => {
          if (named.has(id) || found.has(id) || isRecovery(submission)) return;
          const form = formOf(submission, directory);
          if (form === undefined) return;
          const { nonce, layout } = submission.operation;
          const head = { id: nextId(), nonce, ...(layout === "client" ? {} : { layout }) };
          found.set(id, { at, submit: { ...head, [form.verb]: form.members } } as Step);
        },
      };
    },
  });
  if ((yield* unlessStopped(run)) === undefined) throw new ShrinkStop("interrupted");
  return [...found.values()];
}

/** Returns the scenario without expected violations and stalls; its only expectation is that there is none. */
export function withoutExpectedViolation(scenario: Scenario): Scenario {
  const { expect = [], ...rest } = scenario;
  const isTrouble = expect.some(({ violation, stalled }) => stalled !== undefined || (violation ?? "none") !== "none");
  return isTrouble || expect.length === 0 ? { ...rest, expect: [{ violation: "none" }] } : scenario;
}
