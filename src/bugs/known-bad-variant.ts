/** Known-bad variant: the real program with one mistake. Wraps rules or steps; the core has no switch for it. */
import { definedMembers } from "../core/base/defined-members.ts";
import type { StatementDigest } from "../core/consensus/authenticator.ts";
import type { Output } from "../core/validator/output.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { Program, WorldPlan } from "../simulator/plan.ts";
import type { NodeName } from "../simulator/settings.ts";

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
  /** Replaces decision functions of every validator. */
  readonly rules?: RulesChange;
  /** Replaces the bytes that validators sign. */
  readonly statement?: (real: StatementDigest) => StatementDigest;
  /** Wraps the program of each validator. */
  readonly program?: ProgramChange;
  /**
   * Stands in place of `program` where no strategy of the scenario language exploits the mistake: the last validator of
   * the committee is a Byzantine peer that does (byzantine-peer.ts). The real program must withstand it.
   */
  readonly attack?: ProgramChange;
}

export type RulesChange = (real: Rules) => Rules;
export type ProgramChange = (real: ValidatorProgram) => ValidatorProgram;

/** Variants of a theme by name. */
export type VariantTable = Readonly<Record<string, Omit<KnownBadVariant, "name">>>;

/** Replaces decision functions of one part. */
export function replaceRules<P extends keyof Rules>(
  part: P,
  change: (real: Rules[P]) => Partial<Rules[P]>,
): RulesChange {
  return (real) => ({ ...real, [part]: { ...real[part], ...change(real[part]) } });
}

/** Replaces the step of each validator. */
export function replaceStep(
  step: (real: ValidatorProgram, state: ValidatorState, input: Input) => readonly Output[],
): ProgramChange {
  return (real) => ({ ...real, step: (state, input) => step(real, state, input) });
}

/** Replaces each output of a step, by others or by none. `state`: after the step. */
export function replaceOutputs(
  change: (output: Output, input: Input, state: ValidatorState) => Output | readonly Output[],
): ProgramChange {
  return replaceStep((real, state, input) => real.step(state, input).flatMap((output) => change(output, input, state)));
}

/** Leaves out the outputs of a step that fail a test. */
export function keepOutputs(isKept: (output: Output, input: Input, state: ValidatorState) => boolean): ProgramChange {
  return replaceOutputs((output, input, state) => (isKept(output, input, state) ? output : []));
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

/** Replaces parts of the program; absent members leave them unchanged. */
export interface Variant extends Pick<KnownBadVariant, "name" | "rules" | "statement"> {
  /** Wraps the program of a node: its steps, inputs, outputs. */
  readonly program?: (real: Program, node: NodeName) => Program;
  /** Changes clients, disks, links. */
  readonly plan?: (real: WorldPlan) => WorldPlan;
}

/** Returns a known-bad variant of the catalogue in the compiler's form. */
export function variantOf(bug: KnownBadVariant | undefined): Variant | undefined {
  if (bug === undefined) return undefined;
  const { name, rules, statement, attack, program = attack } = bug;
  return { name, ...definedMembers({ rules, statement, program: program && adaptProgram(program) }) };
}

/** Returns the real program, with the Byzantine peer that plays the variant's attack, if it has one. */
export function realVariantOf({ attack }: KnownBadVariant): Variant {
  return { name: "real", ...definedMembers({ program: attack && adaptProgram(attack) }) };
}

function adaptProgram(program: ProgramChange): NonNullable<Variant["program"]> {
  return (real) => program(real as ValidatorProgram) as Program;
}
