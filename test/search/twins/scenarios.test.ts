import { expect, test } from "vitest";
import { runScenario } from "../../../src/run/run.ts";
import type { RunResult } from "../../../src/run/verdict.ts";
import { checkScenario } from "../../../src/scenario/check/check.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { type TwinOptions, twinScenarios } from "../../../src/search/twins/scenarios.ts";

interface TwinRun {
  readonly scenario: Scenario;
  readonly result: RunResult;
}

/** Runs every n-th case. */
function ran(every: number, options: TwinOptions = {}): readonly TwinRun[] {
  return [...twinScenarios({ n: 4, twins: 1, rounds: 2 }, options)]
    .filter((_, number) => number % every === 0)
    .map((scenario) => ({ scenario, result: runScenario(scenario, { seed: "1" }) }));
}

function failed(runs: readonly TwinRun[]): readonly string[] {
  return runs.flatMap(({ scenario, result }) =>
    result.verdict === "pass" ? [] : [`${scenario.name}: ${result.verdict} ${result.reason}`],
  );
}

/** Returns the invariants that some case violates. */
function broken(runs: readonly TwinRun[]): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ result }) => [...result.violations, ...result.expected].map(({ invariant }) => invariant)),
  );
}

test("one pair of twins violates no invariant and blocks no account, and each case is a valid scenario", () => {
  const runs = ran(20);
  expect(runs).toHaveLength(37);
  expect(failed(runs)).toEqual([]);
  expect(runs.flatMap(({ scenario }) => checkScenario(scenario))).toEqual([]);
});

test("nor does it if each round's proposer crashes after its first signature", () => {
  const runs = ran(30, { crashes: true });
  expect(runs).toHaveLength(25);
  expect(failed(runs)).toEqual([]);
});

test("a quorum of one too few is detected", () => {
  expect(broken(ran(60, { bug: "quorum-off-by-one" }))).toContain("agreement");
});

test("a vote sent before it is durable is detected if proposers crash", () => {
  expect(broken(ran(60, { bug: "vote-before-persist", crashes: true }))).toContain("amnesia");
  expect(broken(ran(60, { bug: "vote-before-persist" }))).toEqual(new Set());
});
