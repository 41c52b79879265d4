/** Checks a response against the shape that its schema promises, and a refusal against the one form of all. */
import { expect } from "vitest";
import type { Shape } from "../../../src/schema/shape.ts";
import { restErrorData } from "../../../src/server/wire/errors.ts";
import { type Validator, validatorOf } from "../../../src/server/wire/schemas/schema-types.ts";
import type { Answer } from "../client/reference-client.ts";

const compiled = new Map<Shape<unknown>, Validator>();

/** Fails with the member that is not as the schema says. */
export function expectShape(schema: Shape<unknown>, value: unknown): void {
  const validate = compiled.get(schema) ?? validatorOf(schema);
  compiled.set(schema, validate);
  expect(validate(value, "answer")?.message).toBeUndefined();
}

/** JSON of the one shape of errors, with exactly this status and code, and no member that misleads clients (wire 2.3). */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, (answer.body as { readonly error_code?: string }).error_code]).toEqual([status, code]);
  expect(answer.contentType).toMatch(/^application\/json/);
  expectShape(restErrorData, answer.body);
  expect(Object.keys(answer.body as object).sort()).toEqual(["error_code", "message"]);
}
