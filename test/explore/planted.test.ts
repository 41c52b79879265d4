/** Goal: planted mistakes are found within the bounds that the explorer prints, and the real program survives their paths. */
import { expect, it } from "vitest";
import { searchStates } from "../../src/explore/search/search.ts";
import { validatePath } from "../../src/explore/search/validate-path.ts";
import { PLANTED } from "./planted.ts";
import { finished, scenarioOf } from "./support.ts";

it.each(PLANTED)("$name", ({ name, variant, operations, rounds, crashes = 0, byzantine, check }) => {
  const scenario = scenarioOf(operations);
  const system = { bounds: { rounds, crashes }, byzantine };
  const options = { ...system, variant: { name, ...variant }, states: 20_000, liveness: "resting" } as const;
  const { counterexample } = finished(searchStates(scenario, options));
  expect(counterexample?.check).toBe(check);
  const path = counterexample?.path ?? [];
  const real = validatePath(scenario, system, path, check);
  expect([real.violations, real.stall]).toEqual([[], undefined]);
});
