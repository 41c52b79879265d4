/** Runs of a failing scenario with a change, and whether the same violation comes in them. */
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/known-bad-variant.ts";
import type { Finding } from "../../invariants/judge.ts";
import { type Interruptible, unlessStopped } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { RUN_EVENTS } from "../../scenario/limits.ts";
import type { Intervention } from "../../simulator/engine.ts";
import type { Arrival } from "../../simulator/listener.ts";
import type { WorldPlan } from "../../simulator/plan.ts";
import { type FailingRun, ShrinkStop } from "../shrink/attempts.ts";
import { actionKey, isOrder, keysInTurn, type RecordedRun } from "./causes.ts";

/** Change of a run, by the keys of its causes. */
export interface Change extends Pick<Intervention, "reseed"> {
  /** Causes that are left out. */
  readonly omits?: ReadonlySet<string>;
  /** Causes that alone remain; in a stall, of those before the healing. */
  readonly keeps?: ReadonlySet<string>;
  /** Two deliveries to one party: the second one comes right before the first one, unless it follows from it. */
  readonly swaps?: readonly [first: string, second: string];
}

/** Virtual time for which a run goes on after the time of the violation, which may come later in it. */
const LATE_MS = 3_000;
/** The same where causes that alone remain have arrived by then: nothing is sent again. */
const LATE_KEPT_MS = 50;

const [FAILS, PASSES] = ["f", "p"];

/** Runs with changes. `fails` throws `ShrinkStop` on an interruption. */
export class Trials {
  readonly #failing: FailingRun;
  readonly #finding: Finding | undefined;
  readonly #events: number;
  readonly #at: number;
  readonly #earlier: string;
  #outcomes = "";

  /** `earlier`: outcomes of an earlier search, which are not run again. */
  constructor(failing: FailingRun, { finding, result }: RecordedRun, earlier = "") {
    const isAtEnd = finding === undefined || finding.step >= result.steps;
    this.#failing = failing;
    this.#finding = finding;
    this.#earlier = earlier;
    // A violation in the course of a run may come later in another one; one at the end needs the end.
    const needed = isAtEnd ? result.steps * 4 + 10_000 : finding.step * 3 + 500;
    this.#events = Math.min(failing.scenario.events ?? RUN_EVENTS, needed);
    this.#at = isAtEnd ? Number.POSITIVE_INFINITY : finding.at;
  }

  /** Outcomes so far, a letter for each run. */
  get outcomes(): string {
    return this.#outcomes;
  }

  /** Returns true if the same violation comes with the change: of the same invariant, in the same slot. @throws ShrinkStop */
  *fails(change: Change): Interruptible<boolean> {
    const known = this.#earlier[this.#outcomes.length];
    const isFailure = known === undefined ? yield* this.#run(change) : known === FAILS;
    this.#outcomes += isFailure ? FAILS : PASSES;
    return isFailure;
  }

  *#run(change: Change): Interruptible<boolean> {
    const { scenario, seed, programs } = this.#failing;
    const isStall = this.#finding?.invariant === "liveness";
    const last = this.#at + (change.keeps === undefined ? LATE_MS : LATE_KEPT_MS);
    let [now, isHealed, isFound] = [0, false, false];
    // Where the second delivery follows from the first one, there is no other order.
    let isChanged = change.swaps === undefined;
    const variant = variantOf(findBug(scenario.bug ?? "")) ?? { name: "real" };
    const run = runInSlices(scenario, {
      seed,
      programs,
      events: this.#events,
      variant: { ...variant, plan: (plan) => planWith(plan, change) },
      intervention: interventionOf(
        change,
        () => isStall && isHealed,
        () => {
          isChanged = true;
        },
      ),
      violated: (finding) => {
        isFound ||= isSame(finding, this.#finding);
      },
      watch: () => ({
        eventBegins: (_step, at) => {
          now = at;
        },
        healed: () => {
          isHealed = true;
        },
      }),
    });
    const result = yield* unlessStopped(run, () => isFound || now > last);
    if (result === undefined || (yield)) throw new ShrinkStop("interrupted");
    return !isChanged || isFound || (this.#finding === undefined && result.verdict === "error");
  }
}

/** Returns true for a violation of one invariant in the same slot, checkpoint or epoch. */
function isSame(a: Finding, b: Finding | undefined): boolean {
  return a.invariant === b?.invariant && !a.beyondF && subjectOf(a) === subjectOf(b);
}

/** Returns what a violation names first: `slot 0 of account 0x12345678…`. */
function subjectOf({ detail }: Finding): string | undefined {
  return /\b(slot|version|checkpoint|epoch) \d+( of (account |token )?\w+)?/i.exec(detail)?.[0];
}

function remains({ omits, keeps }: Change, key: string): boolean {
  return omits?.has(key) !== true && keeps?.has(key) !== false;
}

function planWith(plan: WorldPlan, change: Change): WorldPlan {
  const actions = plan.actions.filter(({ action }, place) => isOrder(action) || remains(change, actionKey(place)));
  return { ...plan, actions };
}

/** `swapped`: called when the second one of two deliveries has come before the first one. */
function interventionOf({ reseed, ...change }: Change, isOver: () => boolean, swapped: () => void): Intervention {
  const keyOf = keysInTurn();
  const [first, second] = change.swaps ?? [];
  let waiting: readonly Arrival[] = [];
  const arrivalsFor = (arrival: Arrival): readonly Arrival[] => {
    const key = keyOf(arrival);
    if (!remains(change, key) && !isOver()) return [];
    if (key === first) {
      waiting = [arrival];
      return [];
    }
    if (key !== second) return [arrival];
    swapped();
    return [arrival, ...waiting];
  };
  return reseed === undefined ? { arrivalsFor } : { arrivalsFor, reseed };
}
