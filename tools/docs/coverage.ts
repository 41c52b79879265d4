/** docs/coverage.md: the coverage points, with their meanings and the scenarios that name them. */
import { COVERAGE_POINTS } from "../../src/core/validator/coverage-points.ts";
import { asSentence } from "../../src/report/explain.ts";
import { WORLD_COVERAGE_POINTS } from "../../src/scenario/coverage-points.ts";
import { code, page, preface, type ScenarioText, scenarioTexts, table } from "./markdown.ts";

/** Scenarios named for one point. */
const NAMED_MAX = 2;

export function coverageDocument(root: string): string {
  const reached = scenariosByPoint(scenarioTexts(root));
  return page([
    preface(root, "coverage"),
    "## 3 Coverage points of validators",
    "A validator counts these points in its own step (`core/validator`).",
    pointTable(COVERAGE_POINTS, reached),
    "## 4 Coverage points of the world",
    "The run counts these points from the events of the simulator (`run`).",
    pointTable(WORLD_COVERAGE_POINTS, reached),
  ]);
}

function pointTable(points: Readonly<Record<string, string>>, reached: ReadonlyMap<string, readonly string[]>): string {
  const rows = Object.entries(points).map(([name, meaning]) => [
    code(name),
    asSentence(meaning),
    (reached.get(name) ?? []).slice(0, NAMED_MAX).map(code).join(", ") || "–",
  ]);
  return table(["coverage point", "meaning", "scenarios"], rows);
}

/** The scenarios that expect a point, and those in which a step waits for it. */
function scenariosByPoint(scenarios: readonly ScenarioText[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, bug, expect = [], steps = [] } of scenarios) {
    if (bug !== undefined) continue;
    const points = [
      ...expect.flatMap(({ coverage }) => coverage ?? []),
      ...steps.flatMap(({ after }) => after?.coverage ?? []),
    ];
    for (const point of new Set(points)) found.set(point, [...(found.get(point) ?? []), name]);
  }
  return found;
}
