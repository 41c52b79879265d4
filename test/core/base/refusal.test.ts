import { describe, expect, test } from "vitest";
import { REFUSAL_CODES, REFUSALS } from "../../../src/core/base/refusal.ts";

describe("the table of refusals", () => {
  // holds: 123
  test.each(REFUSAL_CODES)("%s has the status that its prefix promises", (code) => {
    const byPrefix = { validation: 400, resource: 404, business: 422, system: 429 } as const;
    expect(REFUSALS[code].status).toBe(byPrefix[code.split("_")[0] as keyof typeof byPrefix]);
  });

  test("names a different rule for every code", () => {
    expect(new Set(REFUSAL_CODES.map((code) => REFUSALS[code].rule)).size).toBe(REFUSAL_CODES.length);
  });
});
