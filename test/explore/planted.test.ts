/**
 * Goal: planted mistakes are found within the bounds that the explorer prints, the real program survives their paths, and
 * where a smaller bound excludes a mistake, that bound is exhausted and says no more.
 */
import { expect, it } from "vitest";
import { type SearchResult, searchStates } from "../../src/explore/search/search.ts";
import { validatePath } from "../../src/explore/search/validate-path.ts";
import { PLANTED, type PlantedMistake } from "./planted.ts";
import { finished, scenarioOf } from "./support.ts";

function explored(mistake: PlantedMistake, rounds: number): SearchResult {
  const { name, variant, operations, validators, crashes = 0, byzantine, check } = mistake;
  return finished(
    searchStates(scenarioOf(operations, validators), {
      bounds: { rounds, crashes },
      byzantine,
      variant: { name, ...variant },
      states: 20_000,
      liveness: check === "liveness" ? "resting" : "off",
    }),
  );
}

it.each(PLANTED)("$name", (mistake) => {
  const { operations, validators, rounds = 0, crashes = 0, byzantine, check, isUnconfirmed } = mistake;
  const { counterexample } = explored(mistake, rounds);
  expect(counterexample?.check).toBe(check);
  const { path = [], validated } = counterexample ?? {};
  const isConfirmed = (validated?.violations ?? []).length > 0 || validated?.stall !== undefined;
  expect(isConfirmed).toBe(isUnconfirmed !== true);
  const system = { bounds: { rounds, crashes }, byzantine };
  const real = validatePath(scenarioOf(operations, validators), system, path, check);
  expect([real.violations, real.stall]).toEqual([[], undefined]);
});

const EXCLUDED = PLANTED.filter(({ isExcludedBelow }) => isExcludedBelow);
it.each(EXCLUDED)("needs round $rounds: $name", (mistake) => {
  const { rounds = 0 } = mistake;
  const below = explored(mistake, rounds - 1);
  expect(below).toMatchObject({ exhausted: true, counterexample: undefined });
  expect(below.reached.round).toBe(rounds - 1);
});
