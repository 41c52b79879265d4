/** The page: one table of all figures, how near each goal is, and a section for each question. */
import { availableParallelism, cpus, loadavg } from "node:os";
import type { Effort } from "./rounds.ts";
import type { Plot, Section } from "./section.ts";
import { digits, spreadText } from "./statistics.ts";
import { barChart } from "./svg.ts";
import { figureTable, nearness, type Outcome, outcomeOf, type Row, table } from "./table.ts";

/** Folder of the plots, beside the page. */
export const PLOTS = "bench";

export interface Measurement {
  readonly sections: readonly Section[];
  readonly effort: Effort;
  /** The command that gives the page. */
  readonly command: string;
  readonly minutes: number;
  /** Load of the machine before the first measurement. */
  readonly loadBefore: number;
  /** Day, as year, month and day. */
  readonly day: string;
  /** Commit, if it is known. */
  readonly commit: string | undefined;
}

/** Cores, model and version of Node. */
export function machineLine(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  return `${availableParallelism()} cores (${model}), ${process.platform} ${process.arch}, node ${process.version}`;
}

/** The load average of the last minute. */
export function machineLoad(): number {
  return loadavg()[0] ?? Number.NaN;
}

export function pageOf(measurement: Measurement): { readonly text: string; readonly plots: readonly Plot[] } {
  const { sections } = measurement;
  const rows = sections.flatMap(({ rows: own = [] }) => own);
  const overview = overviewOf(rows);
  const parts = [
    "# How fast quorumlab is",
    introOf(measurement),
    "## Figures and goals",
    legend(measurement.effort),
    figureTable(rows),
    outcomesOf(rows),
    imageOf(overview),
    ...sections.flatMap(({ title, text = [], plots = [] }) =>
      text.length + plots.length === 0 ? [] : [`## ${title}`, ...text, ...plots.map(imageOf)],
    ),
  ];
  return { text: `${parts.join("\n\n")}\n`, plots: [overview, ...sections.flatMap(({ plots = [] }) => plots)] };
}

function introOf({ command, minutes, loadBefore, day, commit, effort }: Measurement): string {
  const of = commit === undefined ? "" : `, commit ${commit}`;
  const short = effort.quick ? " This was a shortened run: its spreads are wide." : "";
  const shared =
    loadBefore > 0.5
      ? ` The machine was shared: its load was ${digits(loadBefore)} before the first measurement, so absolute rates are lower than on a free one, and ratios are the better measure.`
      : "";
  return [
    `\`${command}\` wrote this page in ${digits(minutes)} minutes on ${day}${of}; the same command renews it.${short}`,
    `Machine: ${machineLine()}.${shared}`,
  ].join("\n\n");
}

function legend({ rounds, ms }: Effort): string {
  return [
    `Each figure is measured in ${rounds} rounds or more, in which it and its reference take turns, in the other order in every second round; each works for ${digits(ms / 1_000)} s or longer in a round.`,
    "A ratio is formed within a round; the table has the least, the median and the greatest of the rounds, and the median decides.",
    "References run in the same call; they are asked for receipts without a pause. *Warm*: after the same work in the same process. *Cold*: in a fresh process.",
    "CPU seconds count user and system time of all threads. Bare is `node:http` alone.",
  ].join(" ");
}

function outcomesOf(rows: readonly Row[]): string {
  const count = (outcome: Outcome): number => rows.filter((row) => outcomeOf(row) === outcome).length;
  const missed = rows.filter((row) => outcomeOf(row) === "not reached" && row.here !== undefined);
  const line = `Of ${rows.length} figures ${count("reached")} are reached, ${count("not reached")} are not, ${count("not here")} could not be measured here.`;
  if (missed.length === 0) return line;
  const list = missed.map((row) => [
    plain(row),
    row.here === undefined ? "" : spreadText(row.here),
    `${digits(100 * nearness(row, row.here?.median ?? Number.NaN))} %`,
  ]);
  return `${line} Not reached:\n\n${table(["figure", "here", "of the goal"], list)}`;
}

const LABEL_LENGTH = 41;

/** Name of a row that stands alone: ratios name their reference. */
function plain({ figure, reference }: Row): string {
  return reference === "absolute" ? figure : `${figure} : ${reference}`;
}

function overviewOf(rows: readonly Row[]): Plot {
  const bars = rows.flatMap((row, at) => {
    if (row.here === undefined) return [];
    const ends = [nearness(row, row.here.min), nearness(row, row.here.max)];
    const value = nearness(row, row.here.median);
    return [
      {
        name: shortened(`${at + 1}. ${plain(row)}`),
        value,
        from: Math.min(...ends),
        to: Math.max(...ends),
        isReference: value < 1,
      },
    ];
  });
  const title = "How near each goal is: 1 is reached, more is better (grey: not reached)";
  const mark = { at: 1, name: "goal" };
  const svg = barChart({
    title,
    x: "measured, as a multiple of the goal (in the order of the table)",
    bars,
    mark,
    isLog: true,
  });
  return { file: "goals", alt: "each figure as a multiple of its goal", svg };
}

/** Fits beside a bar. Figures of one kind differ at their ends, so the middle goes. */
function shortened(text: string): string {
  const bare = text.replaceAll("`", "");
  return bare.length <= LABEL_LENGTH
    ? bare
    : `${bare.slice(0, 21).trimEnd()}…${bare.slice(22 - LABEL_LENGTH).trimStart()}`;
}

function imageOf({ file, alt }: Plot): string {
  return `![${alt}](${PLOTS}/${file}.svg)`;
}
