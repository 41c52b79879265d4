/** Goal: the summary of a campaign names what its runs missed, where they missed little. */
import { expect, test } from "vitest";
import { coverageText } from "../../../src/cli/fuzz/report.ts";

const PLAIN = (_: string, text: string): string => text;

/** Points of which the first are reached. */
function counted(reached: number, all: number): ReadonlyMap<string, number> {
  return new Map(Array.from({ length: all }, (_, at) => [`point ${at + 1}`, at < reached ? 1 : 0]));
}

test.each([
  [4, 4, "4 of 4 coverage points reached\n"],
  [2, 4, "2 of 4 coverage points reached; missing: point 3, point 4\n"],
  [1, 4, "1 of 4 coverage points reached\n"],
  [9, 18, "9 of 18 coverage points reached; missing: MANY and 1 more\n"],
])("%i of %i", (reached, all, line) => {
  const many = Array.from({ length: 8 }, (_, at) => `point ${at + 10}`).join(", ");
  expect(coverageText(counted(reached, all), PLAIN)).toBe(line.replace("MANY", many));
});
