/** The measurement as data, which `quorumlab report` draws. */
import type { BenchCurve, BenchData, BenchFigure, Spread } from "../../src/report/searches/bench-data.ts";
import { type Measurement, machineLine } from "./page.ts";
import { growthExponent } from "./statistics.ts";
import type { Lines } from "./svg.ts";
import { nearness, type Row } from "./table.ts";

export function dataOf({ sections, effort, commit, ...about }: Measurement): BenchData {
  return {
    ...{ type: "quorumlab bench", format: 1, title: "How fast quorumlab is", ...about },
    ...(commit === undefined ? {} : { commit }),
    ...{ machine: machineLine(), isQuick: effort.quick },
    figures: sections.flatMap(({ rows = [] }) => rows.map(figureOf)),
    curves: sections.flatMap(({ plots = [] }) =>
      plots.flatMap(({ lines }) => (lines === undefined ? [] : [curveOf(lines)])),
    ),
  };
}

function figureOf(row: Row): BenchFigure {
  const { here = null } = row;
  return { ...row, here, ofGoal: here === null ? null : ofGoal(row, here) };
}

function curveOf({ series, ...names }: Lines): BenchCurve {
  return { ...names, series: series.map((one) => ({ ...one, exponent: growthExponent(one.points) ?? null })) };
}

/** A cost that is half of its goal is twice the goal: the ends change sides. */
function ofGoal(row: Row, { min, median, max }: Spread): Spread {
  const ends = [nearness(row, min), nearness(row, max)];
  return { min: Math.min(...ends), median: nearness(row, median), max: Math.max(...ends) };
}
