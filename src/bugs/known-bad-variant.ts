/** Known-bad variant: the real program with one mistake. Wraps rules or steps; the core has no switch for it. */

import type { StatementDigest } from "../core/consensus/authenticator.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { Program } from "../simulator/plan.ts";

/** Program of one validator. */
export type ValidatorProgram = Program<ValidatorState>;

export interface KnownBadVariant {
  /** Name in scenarios. */
  readonly name: string;
  /** The mistake in one sentence. */
  readonly mistake: string;
  /** Description of the mistake: a section of docs/protocol.md, or a row of docs/bugs.md. */
  readonly source: string;
  /** Invariants that may detect it. */
  readonly caughtBy: readonly InvariantName[];
  /** Replaces decision functions. */
  readonly rules?: (real: Rules) => Rules;
  /** Replaces the bytes that validators sign. */
  readonly statement?: (real: StatementDigest) => StatementDigest;
  /** Wraps the program of each validator; with the attack, where there is one. */
  readonly program?: (real: ValidatorProgram) => ValidatorProgram;
  /**
   * Part of `program` that a Byzantine peer plays to exploit the mistake, if no strategy of the scenario language does:
   * the last validator of the committee (attack.ts). The real program must withstand it.
   */
  readonly attack?: (real: ValidatorProgram) => ValidatorProgram;
}
