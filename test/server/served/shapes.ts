/** Checks a response against the shape that its schema promises. */
import { expect } from "vitest";
import type { Shape } from "../../../src/schema/shape.ts";
import { type Validator, validatorOf } from "../../../src/server/wire/schemas/schema-types.ts";

const compiled = new Map<Shape<unknown>, Validator>();

/** Fails with the member that is not as the schema says. */
export function expectShape(schema: Shape<unknown>, value: unknown): void {
  const validate = compiled.get(schema) ?? validatorOf(schema);
  compiled.set(schema, validate);
  expect(validate(value, "answer")?.message).toBeUndefined();
}
