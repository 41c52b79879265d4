import { expect, test } from "vitest";
import { bounds } from "../../src/invariants/history/quorum.ts";

const SIZES = Array.from({ length: 200 }, (_, place) => place + 1);

test("f and q are those of protocol 1.1 for every committee of 1 to 200", () => {
  for (const n of SIZES) {
    const { faults, quorum } = bounds(n);
    expect(faults).toBe(Math.ceil(n / 3) - 1);
    expect(quorum).toBe(Math.ceil((2 * n) / 3));
  }
});

test("two quorums share an honest validator, and the honest alone make one", () => {
  for (const n of SIZES) {
    const { faults, quorum } = bounds(n);
    expect(2 * quorum - n).toBeGreaterThanOrEqual(faults + 1);
    expect(n - faults).toBeGreaterThanOrEqual(quorum);
    expect(quorum - faults).toBeGreaterThanOrEqual(faults + 1);
  }
});

test("an empty committee is refused", () => {
  expect(() => bounds(0)).toThrow(RangeError);
});
