/** The page of the benchmarks: what its numbers, its table, its order and its plots say. No test of time. */
import { describe, expect, test } from "vitest";
import { interleaved, orderOf, valuesOf } from "../../bench/page/rounds.ts";
import { digits, growthExponent, ratiosOf, spreadOf } from "../../bench/page/statistics.ts";
import { barChart, decades, evenTicks, lineChart } from "../../bench/page/svg.ts";
import { figureTable, nearness, outcomeOf, type Row, table } from "../../bench/page/table.ts";
import { percentile } from "../../src/report/timeline/measures.ts";

const ROW: Row = {
  figure: "payments/s",
  state: "warm",
  reference: "hardhat",
  goal: { kind: "floor", value: 2.5 },
  here: { min: 2, median: 2.5, max: 3 },
  absolute: "250 : 100 payments/s",
};
const COST: Row = { ...ROW, figure: "memory", goal: { kind: "ceiling", value: 3 } };

describe("the rounds", () => {
  const target = (name: string, order: string[]) => ({
    name,
    warmUp: () => order.push(`warm ${name}`),
    measure: () => order.push(name),
  });

  test("turn the order of the targets around each time", () => {
    expect([0, 1, 2, 3].map((round) => orderOf(["a", "b", "c"], round).join(""))).toEqual(["abc", "cba", "abc", "cba"]);
  });

  test("take each target once, after all are warm, and keep its values in the order of rounds", async () => {
    const order: string[] = [];
    const values = await interleaved([target("a", order), target("b", order)], { rounds: 3, ms: 1 });
    expect(order).toEqual(["warm a", "warm b", "a", "b", "b", "a", "a", "b"]);
    expect([valuesOf(values, "a"), valuesOf(values, "b")]).toEqual([
      [3, 6, 7],
      [4, 5, 8],
    ]);
    expect(() => valuesOf(values, "c")).toThrow("nothing called c");
  });
});

describe("the statistics", () => {
  test("give the ends and the middle of values in any order", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spreadOf([10, 9])).toEqual({ min: 9, median: 9, max: 10 });
    expect(() => spreadOf([])).toThrow(RangeError);
    expect([50, 99, 100].map((part) => percentile([1, 2, 3, 4], part))).toEqual([2, 4, 4]);
  });

  test("form ratios within a round", () => {
    expect(ratiosOf([2, 9, 8], [1, 3, 2])).toEqual([2, 3, 4]);
  });

  test("find the exponent of a power law, and the nearest of a bent curve", () => {
    const power = (exponent: number) => [1, 10, 100].map((x) => ({ x, y: 7 * x ** exponent }));
    for (const exponent of [-1, 0, 0.5, 1, 2]) expect(growthExponent(power(exponent))).toBeCloseTo(exponent, 10);
    const bent = [...power(1), { x: 1_000, y: 7 * 1_000 ** 2 }];
    expect(growthExponent(bent)).toBeGreaterThan(1);
    expect(growthExponent([...power(1), { x: 5, y: 0 }])).toBeCloseTo(1, 10);
  });

  test("find no exponent for one size", () => {
    expect(growthExponent([{ x: 4, y: 1 }])).toBeUndefined();
    expect(growthExponent([1, 2, 3].map((y) => ({ x: 4, y })))).toBeUndefined();
  });

  test("write three digits that count", () => {
    const written = [0, 0.01234, 0.5, 1.004, 12.34, 999.6, 1_234, 123_456, -2.5, Number.NaN].map(digits);
    expect(written).toEqual(["0", "0.012", "0.500", "1.00", "12.3", "1,000", "1,230", "123,000", "-2.50", "-"]);
  });
});

describe("the table", () => {
  test("says whether the median reaches the goal, from its side", () => {
    const at = (row: Row, median: number): string => outcomeOf({ ...row, here: { min: 0, median, max: 9 } });
    expect([at(ROW, 2.5), at(ROW, 2.4), at(COST, 3), at(COST, 3.1)]).toEqual([
      ...["reached", "not reached"],
      ...["reached", "not reached"],
    ]);
    expect(outcomeOf({ ...ROW, here: undefined })).toBe("not here");
    expect([nearness(ROW, 5), nearness(COST, 6)]).toEqual([2, 0.5]);
  });

  test("has figure, reference, goal, the rounds and the absolute rates in each row", () => {
    const lines = figureTable([ROW, { ...COST, here: undefined, state: "any" }]).split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[2]).toBe(
      "| payments/s | warm | hardhat | ≥ 2.50 | 2.00 / **2.50** / 3.00 | 250 : 100 payments/s | reached |",
    );
    expect(lines[3]).toBe("| memory | – | hardhat | ≤ 3.00 | not here | 250 : 100 payments/s | not here |");
  });

  test("keeps a bar or a line break inside its cell", () => {
    expect(table(["a"], [["b|c\nd"]])).toBe("| a |\n|---|\n| b\\|c d |");
  });
});

describe("the plots", () => {
  const lines = lineChart({
    title: "a < b",
    x: "validators",
    y: "CPU ms",
    series: [{ name: "all & none", points: [1, 10, 100].map((x) => ({ x, y: 2 * x })) }],
  });
  const bars = barChart({
    title: "rates",
    x: "payments per second",
    bars: [
      { name: "ours", value: 100, from: 90, to: 110 },
      { name: "theirs", value: 50, isReference: true },
    ],
    mark: { at: 80, name: "goal" },
  });

  test("are closed SVG with a name, axes with their units, colours for light and dark, and escaped text", () => {
    for (const svg of [lines, bars]) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
      expect(svg.trimEnd().endsWith("</svg>")).toBe(true);
      expect(svg).toContain("prefers-color-scheme: dark");
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
    expect(lines).toContain("<title>a &lt; b</title>");
    expect(lines).toContain("all &amp; none");
    for (const text of [">validators<", ">CPU ms<"]) expect(lines).toContain(text);
    for (const text of [">payments per second<", ">ours<", ">theirs<", ">goal<"]) expect(bars).toContain(text);
  });

  test("draw a power law as a straight line, and greater values higher", () => {
    const points =
      /points="([^"]+)"/
        .exec(lines)?.[1]
        ?.split(" ")
        .map((pair) => pair.split(",").map(Number)) ?? [];
    expect(points).toHaveLength(3);
    const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = points;
    expect([x2 - x1, y2 - y1]).toEqual([expect.closeTo(x1 - x0, 0), expect.closeTo(y1 - y0, 0)]);
    expect(y2).toBeLessThan(y0);
  });

  test("draw bars as long as their values, references in another colour, and a whisker where there is a spread", () => {
    const found = [...bars.matchAll(/<rect class="f(\d)"[^>]* width="([\d.]+)"/g)];
    const [ours, theirs] = found.map(([, colour, width]) => ({ colour, width: Number(width) }));
    expect(ours?.width).toBeCloseTo(2 * (theirs?.width ?? 0), 0);
    expect(ours?.colour).not.toBe(theirs?.colour);
    expect(bars.match(/class="whisker"/g)).toHaveLength(1);
  });

  test("leave out what a logarithm does not have", () => {
    const points = [0, 10, 1_000].map((x) => ({ x, y: x }));
    const svg = lineChart({ title: "t", x: "x", y: "y", series: [{ name: "s", points }] });
    expect(svg.match(/<circle/g)).toHaveLength(2);
    expect(svg).not.toContain("NaN");
  });

  test("have ticks around their values", () => {
    expect(decades([3, 250])).toEqual([1, 10, 100, 1_000]);
    expect(decades([10])).toEqual([10, 100]);
    expect(decades([0])).toEqual([1, 10]);
    expect(evenTicks(110)).toEqual([0, 50, 100, 150]);
    expect(evenTicks(0)).toEqual([0, 1]);
  });
});
