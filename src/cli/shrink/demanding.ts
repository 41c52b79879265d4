/** What a file expects to go wrong is what shrinking is after: without the expectation it fails by it. */
import type { Scenario } from "../../scenario/scenario.ts";

/** The scenario without expected violations and stalls; nothing else about it is expected but that none is seen. */
export function demanding(scenario: Scenario): Scenario {
  const { expect = [], ...rest } = scenario;
  const isTrouble = expect.some(({ violation, stalled }) => stalled !== undefined || (violation ?? "none") !== "none");
  return isTrouble || expect.length === 0 ? { ...rest, expect: [{ violation: "none" }] } : scenario;
}
