/** Result of a run: verdict, violations, final operations, coverage. */
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import type { ChainLink } from "./checkpoint-chain.ts";

/** The verdicts of the command-line contract; every one but `pass` has a reason. */
export type Verdict = "pass" | "violation" | "stalled" | "unmet" | "error";

/** A violation with names instead of keys. */
export interface NamedViolation {
  readonly invariant: InvariantName;
  readonly step: number;
  readonly virtualMs: number;
  readonly detail: string;
  readonly faulty: readonly string[];
  /** More than f validators are Byzantine, which excuses it. */
  readonly beyondF: boolean;
}

/** A decided effect and its proof. */
export interface FinalOperation {
  readonly id: string;
  readonly name: string | undefined;
  readonly virtualMs: number;
  readonly certificate: FinalityCertificate;
}

/** One run of one scenario. */
export interface RunResult {
  readonly seed: string;
  readonly verdict: Verdict;
  /** Empty for `pass`. */
  readonly reason: string;
  readonly hash: string;
  readonly steps: number;
  readonly virtualMs: number;
  /** Operations decided in the slot of their effect, cancellations and recoveries included. */
  readonly finals: readonly FinalOperation[];
  /** Number of distinct operations that clients submitted. */
  readonly operations: number;
  /** The final checkpoints after the genesis, with what each listed slot did. */
  readonly checkpoints: readonly ChainLink[];
  /** Violations that decide the verdict; neither expected ones nor excused ones. */
  readonly violations: readonly NamedViolation[];
  /** Violations that the file expects; under a known-bad variant, all others of the same run too. */
  readonly expected: readonly NamedViolation[];
  readonly beyondF: readonly NamedViolation[];
  /** Unmet expectations, as sentences. */
  readonly unmet: readonly string[];
  /** Why the run stopped early, so that its end was not judged; `undefined` if it became quiescent. */
  readonly cutShort: string | undefined;
  readonly coverage: ReadonlyMap<AnyCoveragePoint, number>;
  /** The schedule and its detection probability, as a sentence; absent if the order follows from the delays. */
  readonly schedule?: string;
  readonly transcript: readonly string[];
}
