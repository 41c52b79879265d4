/** What `fuzz` prints: failing runs, marks, and the end. */

import { counted } from "../../invariants/words.ts";
import type { Paint } from "../../report/paint.ts";
import { runLine, type ToldRun } from "../../report/run-lines.ts";
import { runText } from "../../report/run-text.ts";
import { FAULT_KINDS } from "../../search/fuzz/fault-kinds.ts";
import type { SeedRun, Worlds } from "../../search/fuzz/seed-run.ts";
import type { FailureClass, Tally } from "../../search/fuzz/tally.ts";
import { reachText, unfinishedText, worldsText } from "./campaign-text.ts";

/** A failing run as it is told. */
export interface ToldFailure {
  readonly run: SeedRun;
  readonly failure: FailureClass;
  readonly told: ToldRun;
  /** `undefined` of one that fails like an earlier one. */
  readonly shrink: string | undefined;
}

/** A run line with what only campaigns know. */
export function failureLine({ failure, told, shrink }: ToldFailure, { profile, bug }: Worlds): string {
  const [first = told.result.seed] = failure.seeds;
  const more = { profile, ...(bug === undefined ? {} : { bug }), place: failure.key, same_as: first };
  const line = JSON.parse(runLine(told)) as object;
  return JSON.stringify({ ...line, ...more, ...(shrink === undefined ? {} : { shrink }) });
}

/** In full for the first of a kind; a line for all others. */
export function failureText({ run, failure, told, shrink }: ToldFailure, paint: Paint): string {
  const [first] = failure.seeds;
  if (shrink === undefined) return `${paint("dim", `seed ${run.seed} fails like seed ${first}`)}\n`;
  return `${runText(told, paint)}    ${paint("dim", "smaller:")} ${shrink}\n`;
}

/** One line for each mark, also for those that nothing reached; `by` counts the runs with each kind of fault. */
export function markLines(tally: Tally): string {
  return tally.marks
    .map(({ mark, hits, runs, faults }) => {
      const by = Object.fromEntries(
        FAULT_KINDS.flatMap((kind) => (faults.has(kind) ? [[kind, faults.get(kind)]] : [])),
      );
      return `${JSON.stringify({ type: "mark", name: mark, hits, runs, by })}\n`;
    })
    .join("");
}

/** The time that a campaign took, in milliseconds: by the clock, and of the CPU over all threads. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** The program that ran a campaign. */
export interface ProgramVersion {
  readonly quorumlab: string;
  /** `undefined` where the program is not in a git clone. */
  readonly commit: string | undefined;
}

/** The last line for programs. */
export function fuzzSummaryLine(tally: Tally, { wallMs, cpuMs }: Cost, program: ProgramVersion): string {
  const { runs, failed, empty, events, operations, finals, unfinished, classes } = tally;
  const counts = { runs, passed: runs - failed, failed, distinct: classes.length, empty, events };
  const simulated = { operations, final: finals, unfinished_seeds: unfinished };
  const times = { wall_ms: Math.round(wallMs * 10) / 10, cpu_ms: Math.round(cpuMs * 10) / 10 };
  return `${JSON.stringify({ type: "summary", ...counts, ...simulated, ...times, ...program })}\n`;
}

/** The end for people: what failed how often, and which marks nothing reached. */
export function fuzzSummaryText(tally: Tally, { wallMs, cpuMs }: Cost, program: ProgramVersion, paint: Paint): string {
  const { runs, failed, empty, events, operations, finals, unfinished, classes, marks } = tally;
  const seconds = wallMs / 1_000;
  const kinds = classes.map(
    ({ key, seeds }) => `  ${String(seeds.length).padStart(4)} ${key} ${paint("dim", `(seed ${seeds[0]})`)}\n`,
  );
  const rate =
    seconds > 0 ? `, ${(runs / seconds).toFixed(1)} worlds and ${Math.round(events / seconds)} events a second` : "";
  return [
    `\n${worldsText(runs, failed, classes.length, paint)}`,
    paint("dim", ` in ${seconds.toFixed(1)} s${rate}${empty > 0 ? `; in ${empty} nothing became final` : ""}`),
    `\n${unfinishedText(unfinished, paint)}${kinds.join("")}`,
    paint(
      "dim",
      `${counted(operations, "operation")}, ${finals} final; ${(cpuMs / 1_000).toFixed(1)} s of CPU time; ${programText(program)}\n`,
    ),
    reachText(new Map(marks.map(({ mark, hits }) => [mark, hits])), paint),
  ].join("");
}

function programText({ quorumlab, commit }: ProgramVersion): string {
  return commit === undefined ? `version ${quorumlab}` : `version ${quorumlab}, commit ${commit}`;
}
