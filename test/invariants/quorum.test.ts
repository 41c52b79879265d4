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

test("an empty committee is refused", () => {
  expect(() => bounds(0)).toThrow(RangeError);
});
