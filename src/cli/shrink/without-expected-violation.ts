/** Removal of expected violations, so that a scenario fails by them and can be minimized. */
import type { Scenario } from "../../scenario/scenario.ts";

/** Returns the scenario without expected violations and stalls; its only expectation is that there is none. */
export function withoutExpectedViolation(scenario: Scenario): Scenario {
  const { expect = [], ...rest } = scenario;
  const isTrouble = expect.some(({ violation, stalled }) => stalled !== undefined || (violation ?? "none") !== "none");
  return isTrouble || expect.length === 0 ? { ...rest, expect: [{ violation: "none" }] } : scenario;
}
