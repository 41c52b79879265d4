/** Goal: normalization changes nothing that can be signed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainSigned, reducedSigned, scenarioOf, signedAlong } from "../support.ts";

describe("an exploration with normalization", () => {
  it("lets a validator sign exactly what it signs without normalization and with single messages", () => {
    const bounds = { rounds: 0, crashes: 0 };
    for (const [names, least] of [
      [["x"], 2],
      [["x", "y"], 4],
    ] as const) {
      const plain = plainSigned(scenarioOf(names, 2), bounds);
      expect([...reducedSigned(scenarioOf(names, 2), bounds)].sort()).toEqual([...plain].sort());
      expect(plain.size).toBeGreaterThan(least);
    }
  });

  it("reaches whatever is signed in a run of single messages without normalization, in two rounds", () => {
    const scenario = scenarioOf(["x", "c"], 3);
    const bounds = { rounds: 1, crashes: 0 };
    const reduced = reducedSigned(scenario, bounds);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 30, maxLength: 40 }), (choices) => {
        for (const text of signedAlong(scenario, bounds, choices)) expect(reduced.has(text)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
