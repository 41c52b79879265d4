/** A campaign that lost a fault, the healing, an oracle or all that it decides, or that excuses too much, is no pass. */
import { expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import {
  countsOfCategory,
  type Occurrence,
  occurrencesIn,
  shortcomingsOf,
} from "../../../src/search/fuzz/occurrences.ts";
import { runSeed } from "../../../src/search/fuzz/seed-run.ts";
import { countsOf, type RunCounts, Tally } from "../../../src/search/fuzz/tally.ts";
import { runCommand } from "../../cli/support.ts";

const ONE = countsOf(runToEnd(runSeed("1", { profile: "quick", bug: undefined })));
const ALL: readonly Occurrence[] = (["phase", "fault", "oracle", "strategy", "generator", "order"] as const).flatMap(
  (category) => countsOfCategory(new Map(), category).map(([name]) => `${category} ${name}` as Occurrence),
);
const GOOD: RunCounts = { ...ONE, finals: 1, operations: 2, occurrences: new Set(ALL) };

/** Returns the shortcomings of two hundred runs that each have these counts. */
function lacking(counts: Partial<RunCounts>, runs = 200): readonly string[] {
  const tally = new Tally();
  for (let count = 0; count < runs; count++) tally.add({ ...GOOD, ...counts });
  return shortcomingsOf(tally);
}

function without(...names: readonly string[]): Partial<RunCounts> {
  return { occurrences: new Set(ALL.filter((name) => !names.includes(name))) };
}

test("what every run lacks is named, from two hundred runs on", () => {
  expect(lacking({})).toEqual([]);
  expect(lacking(without("phase healing"))).toEqual([
    "faults ended in 0 of 200 runs, and liveness is demanded from then on",
  ]);
  expect(lacking({ occurrences: new Set([...ALL, "excuse agreement"]) })).toEqual([
    "agreement was excused in 100 % of the runs",
  ]);
  expect(lacking(without("fault crash", "fault disk"))).toEqual(["no run had crash"]);
  expect(lacking(without("oracle recovery", "strategy silence"))).toEqual(["recovery was judged in 0 of 200 runs"]);
  expect(lacking({ occurrences: new Set() })).toHaveLength(21);
  expect(lacking({ occurrences: new Set() }, 199)).toEqual([]);
  expect(lacking({ finals: 0 }, 20)).toEqual(["not one operation of all these runs is final"]);
});

test("a step without an effect is no occurrence", () => {
  const steps = [
    { at: 0, crash: { node: "v1" } },
    { at: 1, byzantine: { node: "v2", strategy: "silence" as const } },
  ];
  const result = { healed: false, judged: [], excused: [], idle: [{ step: 1, reason: "" }] };
  expect([...occurrencesIn({ scenario: { name: "n", steps }, drawn: new Set() }, result)]).toEqual([
    "fault byzantine",
    "strategy silence",
  ]);
});

test("drawn worlds lack nothing", async () => {
  const few = await runCommand(["fuzz", "--seeds", "25", "--profile", "quick", "--no-guided", "--json"]);
  const [end] = few.lines.slice(-1) as [
    { readonly shortcomings: object; readonly occurrences: Record<string, number> },
  ];
  expect(end.shortcomings).toEqual([]);
  expect(end.occurrences["phase healing"]).toBeGreaterThan(12);
});
