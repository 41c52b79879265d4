/** Start of the command, beside a start of `node` that does nothing. */
import { type Effort, interleaved, type Target, valuesOf } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, ratiosOf, spreadOf } from "../page/statistics.ts";
import { COMMAND, type ProgramRun, runNode } from "../support/cpu.ts";

const SCENARIO = "scenarios/rules/payments/payment.yaml";
const EMPTY = "node -e 0";
const COMMANDS = [
  { name: "`quorumlab --help`", words: [COMMAND, "--help"], goal: 3 },
  { name: "`quorumlab run` of one scenario", words: [COMMAND, "run", SCENARIO], goal: 5 },
] as const;

type Times = Pick<ProgramRun, "wallMs" | "cpuMs">;

export async function startFigures(effort: Effort): Promise<Section> {
  const targets = [repeated(EMPTY, ["-e", "0"]), ...COMMANDS.map(({ name, words }) => repeated(name, words))];
  const times = await interleaved(targets, effort);
  const empty = valuesOf(times, EMPTY);
  const wall = ({ wallMs }: Times): number => wallMs;
  const text = (all: readonly Times[]): string =>
    `${digits(spreadOf(all.map(wall)).median)} ms (CPU ${digits(spreadOf(all.map(({ cpuMs }) => cpuMs)).median)} ms)`;
  const rows = COMMANDS.map(({ name, goal }) => {
    const own = valuesOf(times, name);
    return {
      figure: `${name}, start to end`,
      state: "cold",
      reference: EMPTY,
      goal: { kind: "ceiling", value: goal },
      here: spreadOf(ratiosOf(own.map(wall), empty.map(wall))),
      absolute: `${text(own)} : ${text(empty)}`,
    } as const;
  });
  return { title: "Start", rows };
}

/** Starts a program again and again; returns the means of one start. */
function repeated(name: string, words: readonly string[]): Target<Times> {
  const measure = (ms: number): Times => {
    const runs: ProgramRun[] = [];
    for (let taken = 0; taken < ms; taken += runs.at(-1)?.wallMs ?? ms) runs.push(runNode(...words));
    const mean = (of: (run: ProgramRun) => number): number => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
    return { wallMs: mean(({ wallMs }) => wallMs), cpuMs: mean(({ cpuMs }) => cpuMs) };
  };
  return { name, measure, warmUp: () => runNode(...words) };
}
