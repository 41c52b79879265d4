/** Custom rules and programs of users in place of the real ones. */
import type { ValidatorProgram, Variant } from "../bugs/known-bad-variant.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { Program } from "../simulator/plan.ts";

/** Custom rules and programs; both optional. */
export interface CustomProgram {
  /** Returns the rules of every validator, given the real ones. */
  readonly rules?: (real: Rules) => Rules;
  /** Returns the program of the named validator, given the real one, whose inputs and outputs it may wrap. */
  readonly program?: (real: ValidatorProgram, validator: string) => ValidatorProgram;
}

/** The variant with these changes; `undefined` without any. */
export function variantIn({ rules, program }: CustomProgram): Variant | undefined {
  if (rules === undefined && program === undefined) return undefined;
  return {
    name: "changed",
    ...(rules === undefined ? {} : { rules }),
    ...(program === undefined
      ? {}
      : { program: (real: Program, node: string) => program(real as ValidatorProgram, node) as Program }),
  };
}
