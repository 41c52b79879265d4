/** The program that a user's code runs instead of the real one. */
import type { ValidatorProgram } from "../bugs/bug.ts";
import type { Variant } from "../bugs/variant.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { Program } from "../simulator/plan.ts";

/** What may be changed. All of it may be left out. */
export interface Changes {
  /** Other decision functions for every validator: gets the real ones. */
  readonly rules?: (real: Rules) => Rules;
  /** Another program for a validator, by name: gets the real one, whose steps, inputs and outputs it may wrap. */
  readonly program?: (real: ValidatorProgram, validator: string) => ValidatorProgram;
}

/** `undefined` where nothing is changed. */
export function variantIn({ rules, program }: Changes): Variant | undefined {
  if (rules === undefined && program === undefined) return undefined;
  return {
    name: "changed",
    ...(rules === undefined ? {} : { rules }),
    ...(program === undefined
      ? {}
      : { program: (real: Program, node: string) => program(real as ValidatorProgram, node) as Program }),
  };
}
