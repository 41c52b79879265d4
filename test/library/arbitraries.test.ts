/**
 * Goal: the arbitraries draw valid scenarios with at most f Byzantine validators, and failures shrink well. Method:
 * samples of fragments and whole scenarios; known-bad rules with a known minimal case.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  byzantineStrategies,
  combine,
  committeeChanges,
  faultPlans,
  networks,
  type ScenarioConstraints,
  type ScenarioFragment,
  scenarios,
  schedules,
  workloads,
} from "../../src/fast-check.ts";
import { type Rules, simulate } from "../../src/index.ts";
import { createParser } from "../../src/scenario/parse.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import type { Step } from "../../src/scenario/schema/step.ts";

const parser = createParser();
const RUNS = { numRuns: 60, seed: 1 };

function taken(scenario: Scenario): void {
  const checked = parser.check(scenario);
  if (!checked.ok) throw new Error(`${JSON.stringify(checked.error)}\n${JSON.stringify(scenario)}`);
}

function all(scenarios: readonly Scenario[], verb: keyof Step): readonly Step[] {
  return scenarios.flatMap(({ steps = [] }) => steps.filter((step) => step[verb] !== undefined));
}

describe("whole scenarios", () => {
  test("are valid, and cover every feature", () => {
    const drawn = fc.sample(scenarios(), { numRuns: 150, seed: 1 });
    for (const one of drawn) taken(one);
    for (const verb of ["submit", "workload", "byzantine", "crash", "partition", "drop", "hold", "govern"] as const)
      expect([verb, all(drawn, verb).length > 5]).toEqual([verb, true]);
    expect(new Set(all(drawn, "byzantine").map(({ byzantine }) => byzantine?.strategy)).size).toBeGreaterThan(12);
  });

  test.each<[string, ScenarioConstraints, readonly (keyof Step)[]]>([
    ["schedules", { schedules: false }, ["hold", "delay"]],
    ["Byzantine validators", { byzantine: false }, ["byzantine"]],
    ["faults", { faults: false }, ["crash", "partition", "cut", "drop"]],
    ["changes of the committee", { committees: false }, ["govern"]],
  ])("have no %s if they are excluded", (_, constraints, verbs) => {
    const drawn = fc.sample(scenarios({ ...constraints, validators: [5], maxActs: 3 }), RUNS);
    for (const verb of verbs) expect(all(drawn, verb)).toEqual([]);
    expect(drawn.every(({ network }) => network?.validators === 5)).toBe(true);
  });

  test("have as many client actions as they are allowed", () => {
    const traffic: ScenarioConstraints = { byzantine: false, faults: false, schedules: false, committees: false };
    const drawn = fc.sample(scenarios({ ...traffic, minActs: 6 }), RUNS);
    for (const { steps = [] } of drawn) expect(steps.length).toBeGreaterThanOrEqual(6);
  });
});

describe("fragments", () => {
  const SEVEN: ScenarioFragment = { network: { validators: 7 } };
  test.each<[string, fc.Arbitrary<ScenarioFragment>]>([
    ["networks", networks()],
    ["schedules", schedules(SEVEN)],
    ["workloads", workloads(SEVEN)],
    ["fault plans", faultPlans(SEVEN)],
    ["Byzantine strategies", byzantineStrategies(SEVEN)],
    ["changes of the committee", committeeChanges(SEVEN, new Set(["v7"]))],
  ])("of every kind make valid scenarios: %s", (_, piece) => {
    fc.assert(
      fc.property(piece, (part) => taken(combine("piece", SEVEN, part))),
      RUNS,
    );
  });

  test("have at most f Byzantine members in every committee", () => {
    for (const [validators, faults] of [
      [1, 0],
      [4, 1],
      [6, 1],
      [7, 2],
    ] as const) {
      const drawn = fc.sample(byzantineStrategies({ network: { validators } }), RUNS);
      const counts = drawn.map(
        ({ steps = [] }) => new Set(steps.flatMap(({ byzantine }) => byzantine?.node ?? [])).size,
      );
      expect(Math.max(...counts)).toBe(faults);
    }
  });

  test("are combined in the order of their times, with all their members", () => {
    const parts = fc.tuple(faultPlans(SEVEN), workloads(SEVEN), schedules(SEVEN));
    for (const [faults, traffic, schedule] of fc.sample(parts, RUNS)) {
      const { steps = [], network } = combine("all", SEVEN, schedule, traffic, faults);
      const times = steps.flatMap(({ at }) => at ?? []);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(steps).toHaveLength([faults, traffic, schedule].flatMap((part) => part.steps ?? []).length);
      expect(network).toEqual({ ...SEVEN.network, ...schedule.network });
    }
  });
});

describe("a failing scenario", () => {
  const half = (real: Rules): Rules => ({
    ...real,
    consensus: { ...real.consensus, quorumOf: (n) => Math.max(1, n >> 1) },
  });

  test.each([1, 2, 3])("shrinks to one or two steps without unrelated members: seed %s", (seed) => {
    const breaks = fc.property(scenarios({ validators: [4] }), (drawn) =>
      simulate(drawn, { rules: half, events: 20_000 }).violations.every(({ invariant }) => invariant !== "agreement"),
    );
    const { failed, counterexample } = fc.check(breaks, { seed });
    expect(failed).toBe(true);
    const [smallest] = counterexample as [Scenario];
    expect(smallest.steps?.length).toBeLessThanOrEqual(2);
    expect(smallest.steps?.every(({ submit, workload }) => (submit ?? workload) !== undefined)).toBe(true);
    expect(smallest.network ?? {}).toEqual({});
  });
});
