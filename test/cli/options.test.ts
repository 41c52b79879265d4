/** Goal: numbers among the arguments are taken within their bounds, and everything else is refused by the name of its option. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/cli/command.ts";
import { wholeNumber } from "../../src/cli/options.ts";

const outside = (least: number, most: number, text: string): UsageError =>
  new UsageError(`--x: expected a whole number from ${least} to ${most}, got "${text}"`);

describe("an option that is a whole number", () => {
  it("is taken from its least to its most, and refused below and above", () => {
    const bounds = fc
      .tuple(fc.nat(999), fc.nat(999))
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
    fc.assert(
      fc.property(bounds, fc.nat(1_200), ([least, most], value) => {
        const read = (): number | undefined => wholeNumber({ x: String(value) }, "x", least, most);
        if (value >= least && value <= most) expect(read()).toBe(value);
        else expect(read).toThrow(outside(least, most, String(value)));
      }),
    );
  });

  it("is none where it is not given, and nothing but digits", () => {
    expect(wholeNumber({}, "x", 1, 9)).toBeUndefined();
    for (const text of ["", "-1", "1.5", "1e1", " 1", "0x1", "2000000001"])
      expect(() => wholeNumber({ x: text }, "x", 0, 2_000_000_000)).toThrow(outside(0, 2_000_000_000, text));
  });
});
