/**
 * Goal: a hunt detects broken variants, ignores failures of the real program, and depends on seeds alone. Method: small
 * ranges of the control, and of variants that fail at once or never.
 */
import { describe, expect, test } from "vitest";
import { CONTROL, findBug } from "../../../src/bugs/catalogue.ts";
import type { KnownBadVariant } from "../../../src/bugs/known-bad-variant.ts";
import { requireDefined } from "../../../src/core/base/assert.ts";
import { INVARIANTS } from "../../../src/invariants/catalogue.ts";
import type { InvariantName } from "../../../src/invariants/observation.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { drawWorld } from "../../../src/search/fuzz/draw.ts";
import { faultKindsIn } from "../../../src/search/fuzz/occurrences.ts";
import { confidenceOf, scoreOf, selfCheckFailures } from "../../../src/search/hunt/score.ts";
import {
  probeJobs,
  type RangeResult,
  type SearchMethod,
  type SeedRange,
  search,
  searchRange,
  seedRanges,
} from "../../../src/search/hunt/search.ts";

const QUICK: SearchMethod = { profile: "quick", guided: false };
const PLAN = { method: QUICK, toEnd: false };

const still = (): number => 0;

function searched(bug: KnownBadVariant, range: SeedRange, toEnd = false): RangeResult {
  return requireDefined(runToEnd(search({ bug, method: QUICK, range, toEnd }, still)), "result");
}

function scored(bug: KnownBadVariant, budget: number, repeats = 1): ReturnType<typeof scoreOf> {
  return scoreOf(
    bug,
    seedRanges(1n, budget, repeats).map((range) => searched(bug, range)),
  );
}

const SHOWN = requireDefined(findBug("hasty-refusal"), "hasty-refusal");

describe("a range", () => {
  test("ends with the first detection, by an invariant that may catch the variant", () => {
    const found = searched(SHOWN, { first: 1n, budget: 10 });
    expect(found.detections).toBe(1);
    expect(found.first?.detection.invariant).toBe("irreversibility");
    expect(found.seedsToFirst).toBe(found.seeds);
    expect(found.first?.seed).toBe(String(found.seeds));
  });

  test("is run whole to measure rates, with the same first detection", () => {
    const range = { first: 1n, budget: 4 };
    const [first, whole] = [searched(SHOWN, range), searched(SHOWN, range, true)];
    expect(whole.seeds).toBe(4);
    expect(whole.detections).toBeGreaterThan(1);
    expect([whole.first, whole.seedsToFirst]).toEqual([first.first, first.seedsToFirst]);
  });

  test("has no detection if no invariant may catch the variant", () => {
    const none: KnownBadVariant = { ...SHOWN, caughtBy: ["amnesia"] };
    const found = searched(none, { first: 1n, budget: 3 });
    expect([found.first, found.detections]).toEqual([undefined, 0]);
    expect(found.otherFailures.length).toBeGreaterThan(0);
  });

  test("has no result if it is stopped inside, and else the time to its first detection", () => {
    const range = { first: 1n, budget: 3 };
    const running = search({ bug: SHOWN, method: QUICK, range, toEnd: false }, still);
    running.next();
    expect(running.next(true)).toEqual({ done: true, value: undefined });
    let clock = 0;
    const timed = runToEnd(search({ bug: SHOWN, method: QUICK, range, toEnd: true }, () => clock++));
    expect(timed?.wallMs).toBe(1);
  });

  test("does not overlap the next one", () => {
    expect(seedRanges(5n, 10, 3)).toEqual([
      { first: 5n, budget: 10 },
      { first: 15n, budget: 10 },
      { first: 25n, budget: 10 },
    ]);
  });
});

describe("a hunt", () => {
  test("passes its self-check where an oracle reports its variant, and none the control", () => {
    const [shown, control] = [scored(SHOWN, 4), scored(CONTROL, 4)];
    expect([control.detections, control.errors, control.others]).toEqual([0, [], []]);
    expect(selfCheckFailures([], control)).toEqual([]);
    expect(selfCheckFailures(probeJobs(QUICK, 1n).slice(0, 1), { ...shown, bug: CONTROL })).toEqual([
      "agreement did not report commit-is-vote in 400 runs: the hunt misses failures",
      expect.stringContaining("the control failed with seed"),
    ]);
  });

  test("counts in a self-check what the oracle reports in its own words, beside a Byzantine validator if those may excuse it", () => {
    const jobs = probeJobs(QUICK, 1n);
    expect(jobs.map(({ probed }) => probed)).toEqual(INVARIANTS);
    const found = (probed: InvariantName, bug: string, budget: number): RangeResult["first"] =>
      runToEnd(searchRange({ ...PLAN, bug, range: { first: 1n, budget }, probed }, undefined, still))?.first;
    expect(found("conservation", "lost-fee", 20)?.detection.detail).toContain("is not conserved");
    expect(found("fees", "keeps-subscribers", 2)).toBeUndefined();
    const { seed = "" } = found("irreversibility", SHOWN.name, 40) ?? {};
    expect(faultKindsIn(drawWorld(seed, "quick").scenario)).toContain("byzantine");
  });

  test("counts a variant as missed that fewer than half of its ranges detect", () => {
    const found = searched(SHOWN, { first: 1n, budget: 10 });
    const missed: RangeResult = { ...found, first: undefined, detections: 0 };
    const of = (...ranges: readonly RangeResult[]): ReturnType<typeof scoreOf> => scoreOf(SHOWN, ranges);
    expect(of(found, missed, missed)).toMatchObject({ isFound: false, rangesFound: 1, seeds: undefined });
    expect(of(found, found, missed)).toMatchObject({ isFound: true, rangesFound: 2, seeds95: undefined });
    expect(confidenceOf(of(missed))).toEqual({ rateAtLeast: 0, cleanRuns: undefined });
  });
});
