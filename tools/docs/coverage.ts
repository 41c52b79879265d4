/** docs/coverage.md: the coverage points, with their meanings and the scenarios that name them. */
import { requireDefined } from "../../src/core/base/assert.ts";
import { COVERAGE_POINTS } from "../../src/core/validator/coverage-points.ts";
import { asSentence } from "../../src/report/explain.ts";
import { COMBINATIONS, type Combination } from "../../src/run/combinations.ts";
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
    "## 5 Combinations",
    `The operations of clients are counted in combinations of the operation, its signer's role, the accounts that the lists of its token exclude, and the state of the token: when an honest validator judges an operation with its account's next nonce, and, for a role that was lost after that, when a list carries it out. There are ${COMBINATIONS.length}; each row stands for all combinations of its columns. \`quorumlab fuzz\` says how many occurred and names some that did not, \`--json\` has a line for each.`,
    combinationTable(),
  ]);
}

/** Rows of combinations that differ in the last two columns only in full. */
function combinationTable(): string {
  const rows = new Map<
    string,
    { readonly first: Combination; readonly excluded: Set<string>; readonly tokens: Set<string> }
  >();
  for (const combination of COMBINATIONS) {
    const { operation, role, parties, token } = combination;
    const key = `${operation} ${role} ${parties === undefined} ${token === "missing"}`;
    const row = rows.get(key) ?? { first: combination, excluded: new Set(), tokens: new Set() };
    rows.set(key, row);
    if (parties !== undefined) row.excluded.add(parties.excluded.join(" and ") || "nobody");
    if (token !== undefined) row.tokens.add(token);
  }
  const count = [...rows.values()].reduce(
    (sum, { excluded, tokens }) => sum + Math.max(1, excluded.size) * Math.max(1, tokens.size),
    0,
  );
  requireDefined(count === COMBINATIONS.length || undefined, "rows that stand for all combinations");
  return table(
    ["operation", "signer's role", "excluded", "token"],
    [...rows.values()].map(({ first, excluded, tokens }) => [
      code(first.operation),
      first.role ?? "–",
      [...excluded].join(", ") || "–",
      [...tokens].join(", ") || "–",
    ]),
  );
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
