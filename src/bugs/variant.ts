/** The narrow seam for known-bad variants: what they may replace, and nothing else. */

import type { Rules } from "../core/validator/rules.ts";
import type { NodeName, Program, WorldPlan } from "../simulator/plan.ts";
import type { Bug, ValidatorProgram } from "./bug.ts";

/** Runs instead of the real thing; absent members leave it alone. */
export interface Variant {
  readonly name: string;
  /** Replaces decision functions of every validator. */
  readonly rules?: (real: Rules) => Rules;
  /** Replaces the bytes that validators sign. */
  readonly statement?: NonNullable<Bug["statement"]>;
  /** Wraps the program of a node: its steps, inputs, outputs. */
  readonly program?: (real: Program, node: NodeName) => Program;
  /** Changes clients, disks, links. */
  readonly plan?: (real: WorldPlan) => WorldPlan;
}

/** A known-bad variant of the catalogue, as the compiler takes it. */
export function variantOf(bug: Bug | undefined): Variant | undefined {
  if (bug === undefined) return undefined;
  const { name, rules, statement, program } = bug;
  return {
    name,
    ...(rules === undefined ? {} : { rules }),
    ...(statement === undefined ? {} : { statement }),
    ...(program === undefined ? {} : { program: (real: Program) => program(real as ValidatorProgram) as Program }),
  };
}
