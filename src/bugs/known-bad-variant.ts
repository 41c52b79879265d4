/** Known-bad variant: the real program with one mistake. Wraps rules or steps; the core has no switch for it. */
import type { StatementDigest } from "../core/consensus/authenticator.ts";
import type { Output } from "../core/validator/output.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
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
  /** Wraps the program of each validator. */
  readonly program?: (real: ValidatorProgram) => ValidatorProgram;
  /**
   * Stands in place of `program` where no strategy of the scenario language exploits the mistake: the last validator of
   * the committee is a Byzantine peer that does (byzantine-peer.ts). The real program must withstand it.
   */
  readonly attack?: (real: ValidatorProgram) => ValidatorProgram;
}

/** Replaces decision functions of one part. */
export function replaceRules<P extends keyof Rules>(
  part: P,
  change: (real: Rules[P]) => Partial<Rules[P]>,
): NonNullable<KnownBadVariant["rules"]> {
  return (real) => ({ ...real, [part]: { ...real[part], ...change(real[part]) } });
}

/** Replaces the step of each validator. */
export function replaceStep(
  step: (real: ValidatorProgram, state: ValidatorState, input: Input) => readonly Output[],
): NonNullable<KnownBadVariant["program"]> {
  return (real) => ({ ...real, step: (state, input) => step(real, state, input) });
}

/** Volatile state of a variant's validator beside its real state: copied by forks, lost in a crash. */
export interface VariantState<T> {
  of(state: object): T | undefined;
  keep(state: object, value: T): void;
}

/** Returns storage with one value for each state. */
export function createVariantState<T>(name: string): VariantState<T> {
  // A member of the state itself, so that copies of the state copy it.
  const key = Symbol(name);
  return {
    of: (state) => (state as { readonly [key]?: T })[key],
    keep: (state, value) => void Object.assign(state, { [key]: value }),
  };
}
