/** Form of every refused request. */
import { expect } from "vitest";
import { restErrorData } from "../../../src/server/wire/errors.ts";
import type { Answer } from "../client/reference-client.ts";
import { expectShape } from "./shapes.ts";

/** JSON of the one shape of errors, with exactly this status and code, and no member that misleads clients (wire 2.3). */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, (answer.body as { readonly error_code?: string }).error_code]).toEqual([status, code]);
  expect(answer.contentType).toMatch(/^application\/json/);
  expectShape(restErrorData, answer.body);
  expect(Object.keys(answer.body as object).sort()).toEqual(["error_code", "message"]);
}
