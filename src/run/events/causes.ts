/** Causes of a violation, found by leaving them out: plain data for programs, terminals and pages. */
import type { RunEventOf } from "./run-event.ts";

/** A delivery between two parties, or an action of the scenario on the network. */
export interface Cause {
  /** Names it in every run of the scenario in which it happens. */
  readonly key: string;
  /** The event as a sentence. */
  readonly text: string;
  readonly event: RunEventOf<"delivered" | "action">;
}

/** First event of a step. */
export interface StepText {
  readonly step: number;
  /** Virtual milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** Answer to the question why a run fails; each statement about causes is a run (docs/guides/reproduce-a-consensus-bug.md). */
export interface Why {
  /** Invariant of the first violation; `error` if the program aborts. */
  readonly invariant: string;
  readonly reason: string;
  readonly step: number;
  /** Virtual milliseconds. */
  readonly at: number;
  /** Number of causes up to the violation. */
  readonly causes: number;
  /** Without any one of them the violation does not come. In the order of time. */
  readonly essential: readonly Cause[];
  /** With all others left out it comes. In the order of time. */
  readonly sufficient: readonly Cause[];
  /** True if none of `sufficient` can be left out of it. */
  readonly minimal: boolean;
  /** Deliveries of `sufficient` to one party without whose order it does not come. */
  readonly orders: readonly (readonly [first: Cause, second: Cause])[];
  /** `null` if it was not tried. */
  readonly chance: Chance | null;
  /** First step that the real program would not take, of a known-bad variant. */
  readonly deviation: (StepText & { readonly party: string }) | null;
  readonly runs: number;
  /** Outcomes of the runs with a change, in their order: `f` where it fails, `p` where it does not. A later search begins with them. */
  readonly outcomes: string;
  /** Searches that did not end, as sentence parts. */
  readonly untried: readonly string[];
}

/** Numbers of runs that fail if chance is another one after an event. */
export interface Chance {
  /** Runs for each number. */
  readonly reseeds: number;
  /** If it is another one from the start. */
  readonly failing: number;
  /** The event after which most of the further runs fail, and the number `before` it; `null` if all fail from the start. */
  readonly from: (StepText & { readonly failing: number; readonly before: number }) | null;
}
