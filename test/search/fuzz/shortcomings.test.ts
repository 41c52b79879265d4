/** A campaign whose generator lost a kind of fault, the healing, or all that it decides is no pass. */
import { expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runSeed } from "../../../src/search/fuzz/seed-run.ts";
import { countsOf, FAULT_KINDS, type RunCounts, shortcomingsOf, Tally } from "../../../src/search/fuzz/tally.ts";
import { runCommand } from "../../cli/support.ts";

const ONE = countsOf(runToEnd(runSeed("1", { profile: "quick", bug: undefined })));
const GOOD: RunCounts = { ...ONE, finals: 1, operations: 2, healed: true, excused: false, faults: FAULT_KINDS };

/** Returns the shortcomings of two hundred runs that each have these counts. */
function lacking(counts: Partial<RunCounts>, runs = 200): readonly string[] {
  const tally = new Tally();
  for (let count = 0; count < runs; count++) tally.add({ ...GOOD, ...counts });
  return shortcomingsOf(tally);
}

test("what every run lacks is named, from two hundred runs on", () => {
  const withoutCrash = FAULT_KINDS.filter((kind) => kind !== "crash");
  expect(lacking({})).toEqual([]);
  expect(lacking({ healed: false })).toEqual([
    "faults ended in 0 of 200 runs only, and liveness is demanded from then on",
  ]);
  expect(lacking({ excused: true })).toEqual(["more than f Byzantine validators excuse violations in 200 of 200 runs"]);
  expect(lacking({ faults: withoutCrash })).toEqual(["no run had crash"]);
  expect(lacking({ faults: [] })[0]).toMatch(/^no run had loss, duplicate, .*closing$/);
  expect(lacking({ faults: [], healed: false }, 199)).toEqual([]);
  expect(lacking({ finals: 0 }, 20)).toEqual(["not one operation of all these runs is final"]);
});

test("drawn worlds lack nothing", async () => {
  const few = await runCommand(["fuzz", "--seeds", "25", "--profile", "quick", "--no-guided", "--json"]);
  expect(few.lines.at(-1)).toMatchObject({ type: "summary", runs: 25, shortcomings: [] });
  expect(few.lines.at(-1)?.["healed"]).toBeGreaterThan(12);
});
