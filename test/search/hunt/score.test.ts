/**
 * Goal: rates and clean runs follow from the measurements. Method: the definitions against the functions, for random
 * counts.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanRuns, probabilityOfAtLeast, quantile, rateAtLeast } from "../../../src/search/hunt/score.ts";

const counts = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 200 }))
  .map(([seeds, hits]) => ({ seeds, detections: Math.min(seeds, hits) }));

describe("a rate's lower bound", () => {
  test("is the rate at which so many detections or more come up once in twenty", () => {
    fc.assert(
      fc.property(counts, ({ seeds, detections }) => {
        const bound = rateAtLeast(detections, seeds);
        if (detections === 0) expect(bound).toBe(0);
        else expect(probabilityOfAtLeast(detections, seeds, bound)).toBeCloseTo(0.05, 6);
      }),
    );
  });

  test("never exceeds the measured rate", () => {
    fc.assert(
      fc.property(counts, ({ seeds, detections }) => {
        expect(rateAtLeast(detections, seeds)).toBeLessThanOrEqual(detections / seeds);
      }),
    );
  });

  test("equals the published tables", () => {
    // All of n: the n-th root of 0.05. One of n: the rate that is missed n times with 95 %.
    expect(rateAtLeast(10, 10)).toBeCloseTo(0.05 ** (1 / 10), 9);
    expect(rateAtLeast(1, 100)).toBeCloseTo(1 - 0.95 ** (1 / 100), 9);
    expect(rateAtLeast(5, 50)).toBeCloseTo(0.0402, 3);
  });
});

describe("the number of clean runs", () => {
  test("is the smallest that leaves one case in a hundred", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), (thousandths) => {
        const rate = thousandths / 1_000;
        const runs = cleanRuns(rate) ?? Number.NaN;
        expect((1 - rate) ** runs).toBeLessThanOrEqual(0.01 + 1e-12);
        expect((1 - rate) ** (runs - 1)).toBeGreaterThan(0.01);
      }),
    );
  });

  test("is undefined without a detection", () => {
    expect(cleanRuns(0)).toBeUndefined();
    expect(cleanRuns(1)).toBe(1);
  });
});

describe("a quantile", () => {
  test("treats missing measurements as infinite", () => {
    expect(quantile([3, undefined, 1, 2, undefined], 1, 2)).toBe(3);
    expect(quantile([undefined, 1, undefined], 1, 2)).toBeUndefined();
    expect(quantile([1, 2, undefined], 95, 100)).toBeUndefined();
    expect(quantile([], 1, 2)).toBeUndefined();
  });

  test("is one of the measurements, and the right number of them is no larger", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.integer({ min: 1, max: 100 }), (values, percent) => {
        const found = quantile(values, percent, 100) as number;
        expect(values).toContain(found);
        const within = values.filter((value) => value <= found).length;
        expect(within * 100).toBeGreaterThanOrEqual(percent * values.length);
      }),
    );
  });
});
