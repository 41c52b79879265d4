/**
 * Goal: the corpus keeps the coverage of all candidates without redundant scenarios; collected ones pass, are small and
 * deterministic. Method: arbitrary sets of coverage points, and a few seeds.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import type { AnyCoveragePoint } from "../../../src/scenario/coverage-points.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { collectScenarios } from "../../../src/search/corpus/collect.ts";
import { type CorpusScenario, coverageOf, newCoverage, withScenario } from "../../../src/search/corpus/corpus.ts";
import { drawScenario } from "../../../src/search/fuzz/draw.ts";

const MARKS = ["a", "b", "c", "d", "e", "f"];

const candidates: fc.Arbitrary<readonly CorpusScenario[]> = fc
  .array(fc.record({ marks: fc.subarray(MARKS, { minLength: 1 }), steps: fc.nat(9), events: fc.nat(99) }), {
    minLength: 1,
  })
  .map((all) =>
    all.map(({ marks, steps, events }, index) => ({
      name: `m${index}`,
      scenario: { name: "drawn", steps: Array.from({ length: steps }, () => ({ at: 0, heal: true as const })) },
      coverage: new Set(marks),
      events,
    })),
  );

function corpusOf(all: readonly CorpusScenario[]): readonly CorpusScenario[] {
  return all.reduce<readonly CorpusScenario[]>(withScenario, []);
}

describe("the corpus", () => {
  test("reaches whatever its candidates reached, and every scenario has coverage of its own", () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const members = corpusOf(all);
        for (const { coverage: reached } of all) expect(newCoverage(reached, members)).toEqual([]);
        for (const member of members) {
          const others = members.filter((other) => other !== member);
          expect(newCoverage(member.coverage, others)).not.toEqual([]);
        }
      }),
    );
  });

  test("ignores candidates without new coverage, and takes a smaller one with equal coverage", () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const members = corpusOf(all);
        for (const member of members) expect(withScenario(members, { ...member, name: "repeat" })).toBe(members);
        const [first] = members as [CorpusScenario, ...CorpusScenario[]];
        const smaller = { ...first, name: "smaller", events: first.events - 1 };
        expect(withScenario(members, smaller).map(({ name }) => name)).toContain("smaller");
      }),
    );
  });
});

test("coverage items of validators distinguish the kinds of faults in the scenario", () => {
  const marks = new Map<AnyCoveragePoint, number>([
    ["lock carried", 2],
    ["message lost", 1],
  ]);
  const steps = [
    { at: 0, crash: { node: "v1" } },
    { at: 0, hold: { kinds: ["vote" as const] } },
  ];
  expect([...coverageOf({ name: "x", steps }, marks)]).toEqual([
    "lock carried",
    "lock carried beside crash",
    "lock carried beside order",
  ]);
  expect([...coverageOf({ name: "x", network: { loss: "1/9" } }, marks)]).toEqual([
    "lock carried",
    "lock carried beside loss",
  ]);
});

test("collected scenarios pass on their own, and are smaller than the generated ones", () => {
  const parser = createParser();
  const gathered = (): readonly CorpusScenario[] =>
    runToEnd(collectScenarios([], { seeds: ["11"], profile: "quick", parser }));
  const members = gathered();
  expect(members.length).toBeGreaterThan(0);
  const stepsIn = ({ steps = [] }: Scenario): number => steps.length;
  for (const { name, scenario, coverage: reached } of members) {
    const result = runScenario(scenario, { seed: "1" });
    expect([result.verdict, [...coverageOf(scenario, result.coverage)]]).toEqual(["pass", [...reached]]);
    const seed = /\d+$/.exec(name)?.[0] ?? "";
    expect(stepsIn(scenario)).toBeLessThanOrEqual(stepsIn(drawScenario(seed, "quick")));
  }
  expect(gathered()).toEqual(members);
});
