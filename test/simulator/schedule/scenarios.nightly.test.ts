/** Schedules on the real program: scenarios that pass in the order of time pass in any other, and bugs are found. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../../../src/run/run.ts";
import { findScenarios } from "../../../src/scenario/files.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import type { ScheduleSpec } from "../../../src/scenario/schema/schedule.ts";
import { WINDOW_DEFAULT_MS } from "../../../src/simulator/schedule/methods.ts";
import { seedsPerOrder } from "../../../src/simulator/schedule/schedule.ts";
import { GENESIS, parsed, scenarioIn } from "../../run/support.ts";

const METHODS: readonly ScheduleSpec[] = [
  { method: "pct", depth: 3 },
  { method: "delay-bounded" },
  { method: "pct", depth: 4, window_ms: 200 },
  { method: "delay-bounded", deviations: 8, window_ms: 100 },
];

/** Attacks that a network withstands. */
function withstood(): readonly (readonly [id: string, scenario: Scenario])[] {
  return findScenarios(["scenarios/attacks"]).files.flatMap(({ path, id }) => {
    const scenario = scenarioIn(path);
    const isTrouble = (scenario.expect ?? []).some(
      ({ violation, stalled }) => (violation !== undefined && violation !== "none") || stalled !== undefined,
    );
    return isTrouble ? [] : [[id, scenario] as const];
  });
}

test("no attack breaks anything, nor stalls anybody, under any method", () => {
  const found = withstood();
  expect(found.length).toBeGreaterThan(160);
  for (const [at, [id, scenario]] of found.entries()) {
    // Each file under one of them, with its own seed: all files under all methods would take a minute.
    const schedule = METHODS[at % METHODS.length] as ScheduleSpec;
    const { verdict, reason } = runScenario(
      { ...scenario, schedule, allow_idle: true, expect: [{ violation: "none" }] },
      { seed: `${at % 5}` },
    );
    // Where disks are lost, a run may decide nothing in another order.
    expect([id, reason === "empty" ? "pass" : verdict]).toEqual([id, "pass"]);
  }
});

/**
 * v2 receives a cancellation just after the lock of the payment. In the other order it leaves round 0 without a lock,
 * and then commits on it: that is the bug.
 */
const RACE = `name: n
bug: late-commit
network: { delay_ms: 10 }
${GENESIS}steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1] }
  - { at: 31, submit: { id: c, cancellation: { from: alice }, nonce: 0 }, only: [v2] }
expect:
  - { violation: none }
`;

describe("a bug that needs an order which equal delays do not bring", () => {
  const SEEDS = 40;
  const scenario = parsed(RACE);

  function seedsThatFind(schedule: ScheduleSpec): number {
    let found = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violations } = runScenario({ ...scenario, schedule }, { seed: `${seed}` });
      if (violations.some(({ invariant }) => invariant === "amnesia")) found += 1;
    }
    return found;
  }

  test("is never met in the order of time with equal delays", () => {
    expect(seedsThatFind({ method: "random" })).toBe(0);
  });

  test("is met by pct at least as often as its bound says", () => {
    const schedule = { method: "pct", depth: 2, steps: 5 } as const;
    const plan = { ...schedule, windowMs: WINDOW_DEFAULT_MS };
    // Four validators, a client each for alice, bob, issuer and operator, and the script.
    const seeds = seedsPerOrder(plan, 4 * 4 + 4 + 1);
    const found = seedsThatFind(schedule);
    expect(found).toBeGreaterThan(0);
    expect(BigInt(found) * seeds).toBeGreaterThanOrEqual(BigInt(SEEDS));
  });

  test("is met by departures from round robin", () => {
    expect(seedsThatFind({ method: "delay-bounded", steps: 5 })).toBeGreaterThan(0);
  });
});
