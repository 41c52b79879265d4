/** Validation of scenario data by the published schema. In a bundle, code that the build generates stands in its place. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { scenarioShape } from "./schema.ts";

/** Options of the validator that decide what its errors say. */
export const VALIDATOR_OPTIONS = { allErrors: true, verbose: true, strict: false, validateFormats: false } as const;

/**
 * Returns the schema as plain JSON, without what its makers attach. Each choice is negated twice: within a negation the
 * validator makes no error for each word of the choice.
 */
export function plainSchema(): object {
  return JSON.parse(JSON.stringify(scenarioShape), (_key, node) =>
    node.oneOf === undefined ? node : { ...node, oneOf: undefined, not: { not: { oneOf: node.oneOf } } },
  ) as object;
}

let compiled: ValidateFunction | undefined;

/** Returns the compiled schema; the first call takes some tenths of a second. */
export function scenarioValidator(): ValidateFunction {
  // Optimising the validation code takes longer than the validation of one file.
  compiled ??= new Ajv2020({ ...VALIDATOR_OPTIONS, code: { optimize: false } }).compile(plainSchema());
  return compiled;
}
