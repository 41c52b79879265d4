/**
 * Goal: no network with at most f Byzantine validators violates an invariant, liveness included, under any clients and
 * faults. Method: arbitrary scenarios, judged by all oracles, the reference ledger
 * among them.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scenarios } from "../../src/library/arbitraries.ts";
import { runScenario } from "../../src/run/run.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { runsFor } from "../depth.ts";

const RUNS = runsFor({ test: 40, nightly: 300, soak: 3_000 });

describe("an arbitrary network", () => {
  test(`keeps every invariant, in ${RUNS} runs`, () => {
    const parser = createParser();
    let final = 0;
    let listed = 0;
    let closed = 0;
    fc.assert(
      fc.property(scenarios({ minActs: 3 }), fc.nat(1_000_000).map(String), (drawn, seed) => {
        const parsed = parser.check(drawn);
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
        const { verdict, reason, finals, violations, coverage, checkpoints } = runScenario(parsed.value, { seed });
        final += finals.length;
        closed += checkpoints.filter(({ content }) => content.value.type === "closing").length;
        listed += coverage.get("checkpoint proposed") ?? 0;
        // A run without a final operation is no failure: all operations may have been refused.
        if (reason !== "empty") expect({ verdict, reason, violations }).toMatchObject({ verdict: "pass" });
      }),
      { numRuns: RUNS, seed: 1 },
    );
    expect(final).toBeGreaterThan(RUNS);
    expect(listed).toBeGreaterThan(RUNS);
    expect(closed).toBeGreaterThan(RUNS / 2);
  });
});
