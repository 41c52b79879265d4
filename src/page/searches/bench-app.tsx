/** The report of a bench: figures with their goals, and costs by sizes. */
import { useMemo } from "preact/hooks";
import type { BenchCurve, BenchData, BenchFigure, Spread } from "../../report/searches/bench-data.ts";
import { Commands } from "../commands.tsx";
import { Plot } from "../plot.tsx";
import { Head } from "./head.tsx";
import { digits, Table, whole } from "./table.tsx";

/** Sizes are in one row up to this multiple of its least. */
const SAME_ROW = 1.05;

export function BenchApp({ data }: { readonly data: BenchData }) {
  const { title, command, day, minutes, commit, machine, loadBefore, isQuick, figures, curves } = data;
  const reached = figures.filter(isReached).length;
  return (
    <main>
      <Head
        {...{
          title,
          version: commit === undefined ? undefined : `commit ${commit}`,
          isGood: reached === figures.length,
        }}
        outcome={`${reached} of ${figures.length} goals reached`}
        facts={{
          Measured: `${day}, in ${digits(minutes)} minutes${isQuick ? ", shortened: spreads are wide" : ""}`,
          Machine: machine,
          "Load before": digits(loadBefore),
        }}
      >
        <Commands commands={[command]} />
      </Head>
      <Figures figures={figures} />
      {curves.map((curve) => (
        <Curve key={curve.title} curve={curve} />
      ))}
    </main>
  );
}

function isReached({ ofGoal }: BenchFigure): boolean {
  return ofGoal !== null && ofGoal.median >= 1;
}

function Figures({ figures }: { readonly figures: readonly BenchFigure[] }) {
  const bars = useMemo(() => {
    const numbers = figures.map((_, at) => at + 1);
    const values = (isWanted: (one: BenchFigure) => boolean): (number | null)[] =>
      figures.map((one) => (isWanted(one) ? (one.ofGoal?.median ?? null) : null));
    return [numbers, values(isReached), values((one) => !isReached(one))];
  }, [figures]);
  if (figures.length === 0) return null;
  return (
    <section class="plots" aria-label="Figures and goals">
      <h2>Figures and goals</h2>
      <Plot
        title="As a multiple of the goal: 1 and more is reached"
        unit="number of the figure"
        names={["reached", "not reached"]}
        tones={["vote", "byzantine"]}
        data={bars}
        kind="bars"
        base={1}
        logarithmic="y"
        spans={[0.1, 10]}
      />
      <Table
        caption="Each figure with its reference and its goal; here: least, median and greatest of the rounds"
        head={["Figure", "State", "Reference", "Goal", "Here", "Of the goal", "Absolute"]}
        texts={[0, 1, 2, 6]}
        marked={new Set(figures.flatMap((one, at) => (isReached(one) ? [] : [at])))}
        rows={figures.map(({ figure, state, reference, goal, here, ofGoal, absolute }, at) => [
          `${at + 1}. ${figure.replaceAll("`", "")}`,
          state,
          reference,
          `${goal.kind === "floor" ? "≥" : "≤"} ${digits(goal.value)}`,
          here === null ? "not here" : spreadText(here),
          ofGoal === null ? "" : `${digits(100 * ofGoal.median)} %`,
          absolute,
        ])}
      />
    </section>
  );
}

function spreadText({ min, median, max }: Spread): string {
  return `${digits(min)} / ${digits(median)} / ${digits(max)}`;
}

function Curve({ curve: { title, x, y, series } }: { readonly curve: BenchCurve }) {
  const sizes = useMemo(
    () => [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b),
    [series],
  );
  const medians = useMemo(
    () => series.map(({ points }) => sizes.map((at) => points.find((point) => point.x === at)?.y ?? null)),
    [series, sizes],
  );
  const data = useMemo(() => [sizes, ...medians], [sizes, medians]);
  return (
    <section class="plots" aria-label={title}>
      <h2>{title}</h2>
      <Plot title={y} unit={x} names={series.map(({ name }) => name)} data={data} kind="lines" logarithmic="xy" />
      <Table
        caption={`${y}, by ${x}; an exponent of 0 is constant, 1 linear, 2 quadratic`}
        head={[x, ...series.map(({ name }) => name)]}
        rows={[
          ...rowsOf(sizes).map((row) => [
            row.map(whole)[0],
            ...series.map(({ points }) => textOf(points.find((point) => row.includes(point.x))?.y)),
          ]),
          ["Growth exponent", ...series.map(({ exponent }) => (exponent === null ? "–" : exponent.toFixed(2)))],
        ]}
      />
    </section>
  );
}

function textOf(cost: number | undefined): string {
  return cost === undefined ? "" : digits(cost);
}

/** Returns ascending sizes in rows: series that were measured at nearly the same sizes share a row. */
function rowsOf(sizes: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const size of sizes) {
    const row = rows.at(-1);
    if (row?.[0] !== undefined && size < row[0] * SAME_ROW) row.push(size);
    else rows.push([size]);
  }
  return rows;
}
