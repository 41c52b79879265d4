import { expect, test } from "vitest";
import { checkScenario } from "../../../src/scenario/check/check.ts";
import { runTwinCases, type TwinOptions, type TwinRun } from "../../../src/search/twins/run-twins.ts";

const SIZES = { n: 4, twins: 1, rounds: 2 };
const CASES = 740;

function ran(options: Omit<TwinOptions, "seed">): readonly TwinRun[] {
  return [...runTwinCases(SIZES, 0, CASES, { seed: "1", ...options })];
}

function failed(runs: readonly TwinRun[]): readonly string[] {
  return runs.flatMap(({ scenario, result }) =>
    result.verdict === "pass" ? [] : [`${scenario.name}: ${result.verdict} ${result.reason}`],
  );
}

/** Returns the invariants that some case violates. */
function broken(runs: readonly TwinRun[]): ReadonlySet<string> {
  return new Set(
    runs.flatMap(({ result }) => [...result.violations, ...result.expected].map(({ invariant }) => invariant)),
  );
}

test("one pair of twins violates no invariant and blocks no account, and each case is a valid scenario", () => {
  const runs = ran({ every: 20 });
  expect(runs).toHaveLength(37);
  expect(failed(runs)).toEqual([]);
  expect(runs.flatMap(({ scenario }) => checkScenario(scenario))).toEqual([]);
  expect(runs.map(({ number }) => number)).toEqual(runs.map((_, at) => at * 20));
});

test("nor does it if each round's proposer crashes after its first signature", () => {
  const runs = ran({ every: 30, crashes: true });
  expect(runs).toHaveLength(25);
  expect(failed(runs)).toEqual([]);
});

test("a quorum of one too few is detected", () => {
  expect(broken(ran({ every: 60, bug: "quorum-off-by-one" }))).toContain("agreement");
});

test("a vote sent before it is durable is detected if proposers crash", () => {
  expect(broken(ran({ every: 60, bug: "vote-before-persist", crashes: true }))).toContain("amnesia");
  expect(broken(ran({ every: 60, bug: "vote-before-persist" }))).toEqual(new Set());
});

test("a case is the same by its number alone", () => {
  const [first] = [...runTwinCases(SIZES, 40, 41, { seed: "1" })];
  const same = ran({ every: 40 }).find(({ number }) => number === 40);
  expect(first?.result.hash).toBe(same?.result.hash);
  expect(first?.scenario).toEqual(same?.scenario);
});
