/** Candidates of a shrinking: validity, failure signature, and the remaining run budget. */
import { bounds } from "../../invariants/history/quorum.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { type RunOptions, runInSlices } from "../../run/run.ts";
import type { RunResult } from "../../run/verdict.ts";
import { byzantineValidators } from "../../scenario/compile/compile.ts";
import { equivocators, validatorNames } from "../../scenario/declarations.ts";
import { signerOf } from "../../scenario/members.ts";
import { nodeOf } from "../../scenario/names.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type FailureSignature, hasSignature, signatureOfViolation } from "../fuzz/failure-signature.ts";
import { scenarioText } from "../fuzz/scenario-text.ts";
import { withoutDangling } from "./json-tree.ts";

/** Event limit of a run whose file has none; a run that exceeds it counts as endless. */
export const RUN_EVENTS = 200_000;

/** Scenario and the seed under which it fails, with programs of its validators if those are not ours. */
export type FailingRun = Readonly<{ scenario: Scenario; seed: string; programs?: RunOptions["programs"] }>;

/** Thrown through the passes on an interruption, or when the run budget is exhausted. */
export class ShrinkStop extends Error {
  override readonly name = "Stopped";
}

/** Candidates that the passes of a shrinking make from a scenario, one edit after the other. */
export abstract class Candidates {
  /** Smallest failing scenario so far. */
  best: FailingRun;

  constructor(start: FailingRun) {
    this.best = start;
  }

  /** Returns true if the candidate takes the place of the best one. */
  abstract accept(candidate: FailingRun): Interruptible<boolean>;

  /** Applies an edit to the best scenario; has no effect if the edit returns nothing. */
  *change(change: (scenario: Scenario) => Scenario | undefined): Interruptible<boolean> {
    const changed = change(this.best.scenario);
    return changed === undefined ? false : yield* this.accept({ ...this.best, scenario: changed });
  }
}

/** Candidates that run. `accept` and `change` throw `ShrinkStop`. */
export class Attempts extends Candidates {
  readonly #signature: FailureSignature;
  readonly #parser: ScenarioParser;
  readonly #events: number;
  readonly #mayBeBeyond: boolean;
  #left: number;
  readonly #tried = new Set<string>();

  constructor(
    start: FailingRun,
    signature: FailureSignature,
    parser: ScenarioParser,
    limits: { readonly runs: number; readonly events: number },
  ) {
    super(start);
    this.#signature = signature;
    this.#mayBeBeyond = isBeyondF(start.scenario);
    this.#parser = parser;
    this.#left = limits.runs;
    this.#events = limits.events;
  }

  /** Remaining runs. */
  get left(): number {
    return this.#left;
  }

  /** Accepts a candidate if it is valid and has the same failure signature. @throws ShrinkStop */
  *accept(candidate: FailingRun): Interruptible<boolean> {
    const scenario = withoutDangling(candidate.scenario);
    const text = scenarioText(scenario, []);
    const key = `${candidate.seed} ${text}`;
    if (this.#tried.has(key)) return false;
    this.#tried.add(key);
    const parsed = this.#parser.parse(text);
    if (!parsed.ok || this.#isOtherFailure(scenario)) return false;
    if (yield) throw new ShrinkStop("interrupted");
    if (this.#left <= 0) throw new ShrinkStop("run limit reached");
    this.#left -= 1;
    const { seed, programs } = candidate;
    const run = runInSlices(parsed.value, { seed, programs, events: this.#events });
    const result = yield* unlessStopped(run);
    if (result === undefined) throw new ShrinkStop("interrupted");
    const isAlike = hasSignature(parsed.value, result, this.#signature) && this.#hasSameFailure(parsed.value, result);
    if (isAlike) this.best = { ...candidate, scenario };
    return isAlike;
  }

  /** Rejects stalls of another kind of operation: removing enough makes many operations stall. */
  #hasSameFailure(scenario: Scenario, { violations }: RunResult): boolean {
    const { invariant, shape } = this.#signature;
    if (invariant !== "liveness") return true;
    return violations.some(
      (violation) => violation.invariant === invariant && signatureOfViolation(scenario, violation).shape === shape,
    );
  }

  /** Returns true if the same violation would be another failure there. */
  #isOtherFailure(scenario: Scenario): boolean {
    if (!this.#mayBeBeyond && isBeyondF(scenario)) return true;
    return this.#signature.invariant === "liveness" && demandsMore(this.best.scenario, scenario);
  }
}

/**
 * Returns true if the first committee, or one that a proposal names, has more than f Byzantine members: a failure within
 * f must stay within f.
 */
export function isBeyondF(scenario: Scenario): boolean {
  const byzantine = byzantineValidators(scenario);
  const proposed = (scenario.steps ?? []).flatMap(({ govern }) =>
    govern?.validators === undefined ? [] : [govern.validators],
  );
  return [validatorNames(scenario), ...proposed].some((members) => {
    const count = members.filter((key) => byzantine.has(nodeOf(key))).length;
    return count > bounds(members.length).faults;
  });
}

/**
 * Returns true if a scripted client that still signs has become a correct one: a stall of a demand that only the smaller
 * scenario has is another failure.
 */
export function demandsMore(before: Scenario, after: Scenario): boolean {
  const scripted = scriptedClients(after);
  const signing = new Set(
    (after.steps ?? []).map(({ submit }) => (submit === undefined ? undefined : signerOf(submit))),
  );
  return [...scriptedClients(before)].some((name) => signing.has(name) && !scripted.has(name));
}

function scriptedClients(scenario: Scenario): ReadonlySet<string> {
  const behaviours = Object.entries(scenario.clients ?? {}).flatMap(([name, { behaviour }]) =>
    behaviour === "scripted" ? [name] : [],
  );
  return new Set([...equivocators(scenario), ...behaviours]);
}
