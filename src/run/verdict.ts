/** What came of a run. */

import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { AnyMark } from "../scenario/coverage-points.ts";
import type { Link } from "./checkpoint-chain.ts";

/** The verdicts of the contract; every one but `pass` has a reason. */
export type Verdict = "pass" | "violation" | "stalled" | "unmet" | "error";

/** A broken invariant with names instead of keys. */
export interface NamedViolation {
  readonly invariant: InvariantName;
  readonly step: number;
  readonly virtualMs: number;
  readonly detail: string;
  readonly blame: readonly string[];
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
  /** Operations that clients handed in, each once however often it was retried. */
  readonly operations: number;
  /** The final checkpoints after the genesis, with what each listed slot did. */
  readonly checkpoints: readonly Link[];
  /** Those that the run was judged by; expected ones are not among them. */
  readonly violations: readonly NamedViolation[];
  /** Those that the file expects; of a known-bad variant, whatever else its mistake broke too. */
  readonly expected: readonly NamedViolation[];
  readonly beyondF: readonly NamedViolation[];
  /** Expectations that were not met, in words. */
  readonly unmet: readonly string[];
  /** Why the run was stopped before its end, and what must hold there not judged; `undefined` where it came to rest. */
  readonly cutShort: string | undefined;
  readonly marks: ReadonlyMap<AnyMark, number>;
  /** Who went next, and what that promises over seeds, in words; absent where it was as the delays fell. */
  readonly schedule?: string;
  readonly transcript: readonly string[];
}
