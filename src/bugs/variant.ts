/** Interface of known-bad variants: everything that they may replace. */
import { definedMembers } from "../core/base/given.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { Program, WorldPlan } from "../simulator/plan.ts";
import type { NodeName } from "../simulator/settings.ts";
import type { KnownBadVariant, ValidatorProgram } from "./known-bad-variant.ts";

/** Replaces parts of the program; absent members leave them unchanged. */
export interface Variant {
  readonly name: string;
  /** Replaces decision functions of every validator. */
  readonly rules?: (real: Rules) => Rules;
  /** Replaces the bytes that validators sign. */
  readonly statement?: NonNullable<KnownBadVariant["statement"]>;
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
export function realProgram({ attack }: KnownBadVariant): Variant {
  return { name: "real", ...definedMembers({ program: attack && adaptProgram(attack) }) };
}

function adaptProgram(program: NonNullable<KnownBadVariant["program"]>): NonNullable<Variant["program"]> {
  return (real) => program(real as ValidatorProgram) as Program;
}
