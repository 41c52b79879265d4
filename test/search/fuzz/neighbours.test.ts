/**
 * Goal: every neighbour of a kept file is a valid scenario, depends on its seed alone, and is judged by nothing that only
 * the file's own schedule makes true. Method: drawn seeds over all kept files.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUGS } from "../../../src/bugs/catalogue.ts";
import type { KnownBadVariant } from "../../../src/bugs/known-bad-variant.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import { findScenarios, readText } from "../../../src/scenario/files.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { neighbourOf } from "../../../src/search/fuzz/neighbours.ts";
import { runSeed } from "../../../src/search/fuzz/seed-run.ts";
import { search } from "../../../src/search/hunt/search.ts";

const parser = createParser();
const kept = findScenarios(["scenarios"]).files.map(({ path }) => scenarioIn(path));
const written = fc.constantFrom(...kept);
const seed = fc.nat(1_000_000_000).map(String);

function scenarioIn(path: string): Scenario {
  const text = readText(path);
  const parsed = parser.parse(text.ok ? text.value : "");
  if (!parsed.ok) throw new Error(`${path}: ${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

test("a neighbour is valid, and the same for the same seed", () =>
  fc.assert(
    fc.property(written, seed, (scenario, number) => {
      const neighbour = neighbourOf(scenario, number, parser);
      expect(parser.takes(neighbour)).toBe(true);
      expect(neighbourOf(scenario, number, parser)).toEqual(neighbour);
    }),
    { numRuns: 300 },
  ));

test("most neighbours differ from their file in more than what they expect", () => {
  const differs = (scenario: Scenario, number: number): boolean => {
    const { steps, network, schedule } = neighbourOf(scenario, String(number), parser);
    const own = { steps: scenario.steps, network: scenario.network, schedule: scenario.schedule };
    return JSON.stringify({ steps, network, schedule }) !== JSON.stringify(own);
  };
  expect(kept.filter(differs).length).toBeGreaterThan(0.9 * kept.length);
});

test("the seeds of a campaign take the files in turn, and a mutation changes the neighbour of the seed before it", () => {
  const from = kept.slice(0, 3);
  const run = (number: string) => runToEnd(runSeed(number, { profile: "quick", bug: undefined, from }));
  expect(["3", "4", "5"].map((number) => run(number).scenario.name)).toEqual(from.map(({ name }) => name));
  expect(run("3~1").scenario).toEqual(neighbourOf(run("3").scenario, "3~1", parser));
});

test("neighbours of a single payment see a lock that is not shown, which the file itself cannot show", () => {
  const file = scenarioIn("scenarios/rules/payments/payment.yaml");
  const bug = BUGS.find(({ name }) => name === "hidden-locks") as KnownBadVariant;
  expect(runScenario({ ...file, bug: bug.name }, { seed: "1" }).violations).toEqual([]);
  const range = { first: 1n, budget: 400 };
  const method = { profile: "quick" as const, guided: true, from: [file] };
  expect(runToEnd(search({ bug, method, range, toEnd: false }, () => 0))?.first?.detection.invariant).toBe("amnesia");
});
