/** A known-bad variant: the real program with one mistake. It wraps rules or steps; the core holds no switch for it. */

import type { statementDigest } from "../core/consensus/statement.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { Program } from "../simulator/plan.ts";

/** The code of one validator. */
export type ValidatorProgram = Program<ValidatorState>;

export interface Bug {
  /** As scenarios name it. */
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly wrong: string;
  /** Where the mistake is described: a section of docs/protocol.md, or a row of the bugs . */
  readonly source: string;
  /** The invariants that may catch it. */
  readonly caughtBy: readonly InvariantName[];
  /** Replaces decision functions. */
  readonly rules?: (real: Rules) => Rules;
  /** Replaces the bytes that validators sign. */
  readonly statement?: (real: typeof statementDigest) => typeof statementDigest;
  /** Wraps the program of each validator; with the attack, where there is one. */
  readonly program?: (real: ValidatorProgram) => ValidatorProgram;
  /**
   * The part of `program` that a Byzantine peer plays to make use of the mistake, where no strategy of the scenario
   * language does: the last validator of the committee (attack.ts). The real program must withstand it.
   */
  readonly attack?: (real: ValidatorProgram) => ValidatorProgram;
}
