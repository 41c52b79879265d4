/** A cost by some size: measured in interleaved rounds, with the exponent of its growth, as a table and a plot. */
import { type Effort, interleaved, type Target, valuesOf } from "./rounds.ts";
import { linesPlot, type Section } from "./section.ts";
import { digits, growthExponent, type Spread, spreadOf } from "./statistics.ts";
import { table } from "./table.ts";

export interface CurvePoint {
  readonly size: number;
  /** Cost of one unit of work at this size. */
  readonly measure: Target["measure"];
  readonly warmUp?: Target["warmUp"];
}

export interface Curve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

export interface CurveSetup {
  /** Name of the plot's file. */
  readonly file: string;
  readonly title: string;
  /** With its unit. */
  readonly size: string;
  /** With its unit. */
  readonly cost: string;
  readonly curves: readonly Curve[];
}

interface Measured {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly cost: Spread }[];
}

/** Curves show shapes: a third of the work of a figure is enough for each point. */
const SHARE = 3;

export async function curveSection(setup: CurveSetup, effort: Effort): Promise<Section> {
  const measured: Measured[] = [];
  for (const { name, points } of setup.curves) {
    const targets: Target[] = points.map(({ size, measure, warmUp }) => ({
      name: String(size),
      measure,
      ...(warmUp === undefined ? {} : { warmUp }),
    }));
    const values = await interleaved(targets, { rounds: effort.rounds, ms: effort.ms / SHARE });
    measured.push({
      name,
      points: points.map(({ size }) => ({ size, cost: spreadOf(valuesOf(values, String(size))) })),
    });
  }
  return drawnCurves(setup, measured);
}

/** The table and the plot of curves that are measured already. */
export function drawnCurves(
  { file, title, size, cost }: Omit<CurveSetup, "curves">,
  curves: readonly Measured[],
): Section {
  const sizes = [...new Set(curves.flatMap(({ points }) => points.map((point) => point.size)))].sort((a, b) => a - b);
  const rows = curves.map(({ name, points }) => [
    name,
    ...sizes.map((at) => digits(points.find((point) => point.size === at)?.cost.median ?? Number.NaN)),
    exponentText(points.map((point) => ({ x: point.size, y: point.cost.median }))),
  ]);
  const head = [`${cost}, by ${size}`, ...sizes.map((at) => at.toLocaleString("en")), "growth exponent"];
  const series = curves.map(({ name, points }) => ({
    name,
    points: points.map((point) => ({ x: point.size, y: point.cost.median })),
  }));
  return {
    title,
    text: [table(head, rows)],
    plots: [linesPlot(file, `${cost}, by ${size}`, { title, x: size, y: cost, series })],
  };
}

function exponentText(points: Parameters<typeof growthExponent>[0]): string {
  const exponent = growthExponent(points);
  return exponent === undefined ? "-" : exponent.toFixed(2);
}
