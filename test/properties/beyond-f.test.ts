/**
 * Goal: more than f Byzantine validators may violate agreement, but no run ends in `error`, and no honest validator is
 * provably faulty. Method: generated scenarios in which f + 1 validators or more get strategies
 * that equivocate. QUORUMLAB_PROPERTY_RUNS raises the number of runs.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultyOf } from "../../src/core/consensus/committee.ts";
import { runScenario } from "../../src/run/run.ts";
import { validatorNames } from "../../src/scenario/declarations.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import type { Step } from "../../src/scenario/schema/step.ts";
import { drawWorld } from "../../src/search/fuzz/draw.ts";
import { runsFor } from "../depth.ts";

const RUNS = runsFor({ test: 15, nightly: 80, soak: 1_000 });
const EQUIVOCATES = ["double-vote", "double-commit", "false-choices", "false-checkpoint", "double-close"] as const;

/** The scenario with more than f Byzantine validators and without liveness. */
function beyond(scenario: Scenario, more: number): Scenario {
  const names = validatorNames(scenario);
  const count = Math.min(names.length, faultyOf(names.length) + 1 + more);
  const steps = names
    .slice(names.length - count)
    .flatMap((node): readonly Step[] => EQUIVOCATES.map((strategy) => ({ at: 0, byzantine: { node, strategy } })));
  const kept = (scenario.steps ?? []).filter((step) => !("heal" in step));
  return {
    ...scenario,
    steps: [...steps, ...kept],
    healing: { none: true },
    expect: [{ epoch: { at_least: 0 } }],
  };
}

describe("a network with more than f Byzantine validators", () => {
  test(`never makes an honest validator's program throw, in ${RUNS} runs`, () => {
    let halted = 0;
    fc.assert(
      fc.property(fc.nat(1_000_000_000).map(String), fc.nat(2), (seed, more) => {
        const { verdict, reason, coverage, violations } = runScenario(beyond(drawWorld(seed, "quick").scenario, more), {
          seed,
        });
        halted += (coverage.get("halted") ?? 0) > 0 ? 1 : 0;
        expect({ verdict, reason }).not.toMatchObject({ verdict: "error" });
        expect(violations.filter(({ invariant }) => invariant === "accountability")).toEqual([]);
      }),
      { numRuns: RUNS, seed: 1 },
    );
    expect(halted).toBeGreaterThan(0);
  });
});
