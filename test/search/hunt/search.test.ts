/**
 * Goal: a hunt detects broken variants, ignores failures of the real program, and depends on seeds alone. Method: small
 * ranges of the canary, the control, and variants that fail at once or never.
 */
import { describe, expect, test } from "vitest";
import { CANARY, CONTROL, findBug } from "../../../src/bugs/catalogue.ts";
import type { KnownBadVariant } from "../../../src/bugs/known-bad-variant.ts";
import { requireDefined } from "../../../src/core/base/assert.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { confidenceOf, scoreOf, selfCheckFailures, type TimedSearch } from "../../../src/search/hunt/score.ts";
import {
  minimize,
  type RangeResult,
  type SearchMethod,
  type SeedRange,
  search,
  seedRanges,
} from "../../../src/search/hunt/search.ts";

const QUICK: SearchMethod = { profile: "quick", guided: false };

function searched(bug: KnownBadVariant, range: SeedRange, toEnd = false): RangeResult {
  return runToEnd(search({ bug, method: QUICK, range, toEnd }));
}

function scored(bug: KnownBadVariant, budget: number, repeats = 1): ReturnType<typeof scoreOf> {
  const ranges = seedRanges(1n, budget, repeats).map((range): TimedSearch => ({ ...searched(bug, range), wallMs: 1 }));
  return scoreOf(bug, ranges);
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

  test("drops the seed that is stopped inside", () => {
    const running = search({ bug: SHOWN, method: QUICK, range: { first: 1n, budget: 3 }, toEnd: false });
    running.next();
    const slice = running.next(true);
    expect(slice.done === true && slice.value.seeds).toBe(0);
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
  test("detects the canary and not the control", () => {
    const [canary, control] = [scored(CANARY, 4), scored(CONTROL, 4)];
    expect(canary.isFound).toBe(true);
    expect([control.detections, control.errors, control.others]).toEqual([0, [], []]);
    expect(selfCheckFailures(canary, control)).toEqual([]);
  });

  test("fails its self-check in the opposite case", () => {
    const [canary, control] = [scored(CANARY, 4), scored(CONTROL, 1)];
    const words = selfCheckFailures({ ...control, bug: CANARY }, { ...canary, bug: CONTROL });
    expect(words).toHaveLength(2);
    expect(words[0]).toContain("detected in 0 of 1 ranges");
    expect(words[1]).toContain("the control failed with seed");
  });

  test("counts a variant as missed that fewer than half of its ranges detect", () => {
    const found = searched(SHOWN, { first: 1n, budget: 10 });
    const missed: RangeResult = { ...found, first: undefined, detections: 0 };
    const of = (...ranges: readonly RangeResult[]): ReturnType<typeof scoreOf> =>
      scoreOf(
        SHOWN,
        ranges.map((range) => ({ ...range, wallMs: 1 })),
      );
    expect(of(found, missed, missed)).toMatchObject({ isFound: false, rangesFound: 1, seeds: undefined });
    expect(of(found, found, missed)).toMatchObject({ isFound: true, rangesFound: 2, seeds95: undefined });
    expect(confidenceOf(of(missed))).toEqual({ rateAtLeast: 0, cleanRuns: undefined });
  });
});

test("a minimized detection violates the same invariant", () => {
  const { first } = searched(SHOWN, { first: 1n, budget: 10 });
  const { seed, detection } = requireDefined(first, "finding");
  const job = { bug: SHOWN.name, profile: QUICK.profile, seed, signature: detection.signature, runs: 30 };
  const small = requireDefined(runToEnd(minimize(job)), "minimized detection");
  expect(small.scenario.bug).toBe(SHOWN.name);
  expect(small.scenario.steps?.length).toBeLessThanOrEqual(2);
});
