/** Speed of the searches: worlds of `fuzz`, the gain of a second worker, states of `explore` and of other checkers. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { searchStates } from "../../src/explore/search/search.ts";
import { scenario } from "../../src/library/scenario.ts";
import { runToEnd } from "../../src/run/interruptible.ts";
import { type Effort, interleaved, type Target, valuesOf } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, ratiosOf, spreadOf } from "../page/statistics.ts";
import type { Row } from "../page/table.ts";
import { COMMAND, cpuMsEach, type ProgramRun, runNode } from "../support/cpu.ts";
import { MODEL_CHECKERS, type ModelChecker } from "./model-checkers.ts";

const CONFIGURATION = "scenarios/explore/conflict-and-cancellation.yaml";
/** Seeds of the run that says how many are needed. */
const TRIAL_SEEDS = 5;
/** Worlds of a campaign that is warm for most of them, as a multiple of those that a cold one is measured by. */
const LONGER = 8;
const STATES = 1_000_000;
const THREADS = fileURLToPath(new URL("../support/bare-threads.js", import.meta.url));

export async function searchFigures(effort: Effort): Promise<Section> {
  return { title: "Searches", rows: [...(await fuzzRows(effort)), ...(await exploreRows(effort))] };
}

async function fuzzRows(effort: Effort): Promise<readonly Row[]> {
  const trial = fuzz(TRIAL_SEEDS, 1);
  const seeds = Math.max(TRIAL_SEEDS, Math.ceil((TRIAL_SEEDS * effort.ms) / trial.cpuMs));
  const many = LONGER * seeds;
  const targets: Target<ProgramRun>[] = [
    { name: "start", measure: () => fuzz(seeds, 1) },
    { name: "one worker", measure: () => fuzz(many, 1) },
    { name: "two workers", measure: () => fuzz(many, 2) },
    { name: "one loop", measure: () => runNode(THREADS, "1") },
    { name: "two loops", measure: () => runNode(THREADS, "2") },
  ];
  const runs = await interleaved(targets, effort);
  const [starts, ones] = [valuesOf(runs, "start"), valuesOf(runs, "one worker")];
  const gain = (one: string, two: string): readonly number[] =>
    ratiosOf(
      valuesOf(runs, one).map(({ wallMs }) => wallMs),
      valuesOf(runs, two).map(({ wallMs }) => wallMs),
    );
  const wall = (name: string): string =>
    digits(many / (spreadOf(valuesOf(runs, name).map(({ wallMs }) => wallMs)).median / 1_000));
  const ideal = digits(spreadOf(gain("one loop", "two loops")).median);
  const rate = (state: "cold" | "warm", rates: readonly number[], of: string): Row => ({
    figure: "worlds of `fuzz` per CPU second, one worker, default profile",
    state,
    reference: "absolute",
    goal: { kind: "floor", value: 60 },
    here: spreadOf(rates),
    absolute: `${digits(spreadOf(rates).median)} worlds/s of CPU time, ${of}`,
  });
  const later = ones.map(({ cpuMs }, round) => (1_000 * (many - seeds)) / (cpuMs - (starts[round]?.cpuMs ?? 0)));
  return [
    rate(
      "cold",
      starts.map(({ cpuMs }) => (1_000 * seeds) / cpuMs),
      `the start of the command included (${seeds} worlds)`,
    ),
    rate("warm", later, `the worlds from the ${seeds + 1}th to the ${many}th of a campaign`),
    {
      figure: `\`fuzz\` with two workers, on the clock, ${many} worlds`,
      state: "warm",
      reference: "one worker",
      goal: { kind: "floor", value: 1.6 },
      here: spreadOf(gain("one worker", "two workers")),
      absolute: `${wall("two workers")} : ${wall("one worker")} worlds/s; two threads of a bare loop gain ${ideal} here at the same time`,
    },
  ];
}

function fuzz(seeds: number, workers: number): ProgramRun {
  const folder = mkdtempSync(join(tmpdir(), "quorumlab-bench-"));
  try {
    const words = ["--seeds", String(seeds), "--workers", String(workers), "--out", folder, "--quiet"];
    return runNode(COMMAND, "fuzz", ...words, "--progress", "none");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function exploreRows(effort: Effort): Promise<readonly Row[]> {
  const read = scenario(readFileSync(CONFIGURATION, "utf8"));
  const options = { bounds: { rounds: 1, crashes: 0 }, byzantine: undefined, variant: undefined, states: STATES };
  const explored = (): number => {
    const { states, exhausted, counterexample } = runToEnd(searchStates(read, options));
    if (!exhausted || counterexample !== undefined) throw new Error(`${CONFIGURATION}: the search did not pass`);
    return states;
  };
  const inside = (ms: number): number => 1_000 / cpuMsEach(explored, ms);
  const command = (ms: number): number => {
    let [states, taken] = [0, 0];
    while (taken < ms) {
      const { cpuMs, output } = runNode(COMMAND, "explore", CONFIGURATION, "--json", "--progress", "none");
      const { levels } = JSON.parse(output.trim().split("\n").at(-1) ?? "") as {
        levels: readonly { states: number }[];
      };
      states += levels.reduce((sum, level) => sum + level.states, 0);
      taken += cpuMs;
    }
    return (1_000 * states) / taken;
  };
  const others = MODEL_CHECKERS.filter(({ isInstalled }) => isInstalled);
  const also = new Map<string, string>();
  const targets: Target[] = [
    { name: "warm", measure: inside, warmUp: inside },
    { name: "cold", measure: command },
    ...others.map(({ name, check }) => ({
      name,
      measure: (): number => {
        const { states, cpuMs, also: more } = check();
        also.set(name, more);
        return (1_000 * states) / cpuMs;
      },
    })),
  ];
  const rates = await interleaved(targets, effort);
  const goal = { kind: "floor", value: 60_000 } as const;
  const row = (state: "warm" | "cold", figure: string): Row => {
    const here = spreadOf(valuesOf(rates, state));
    return { figure, state, reference: "absolute", goal, here, absolute: `${digits(here.median)} states/s` };
  };
  const compared = ({ name, counts, isInstalled }: ModelChecker): Row => {
    const [ours, theirs] = [valuesOf(rates, "cold"), isInstalled ? valuesOf(rates, name) : undefined];
    return {
      figure: `distinct states of that command against ${name}'s on a model of the same slot (${counts}), per CPU second`,
      state: "cold",
      reference: name,
      goal: { kind: "floor", value: 1 },
      here: theirs && spreadOf(ratiosOf(ours, theirs)),
      absolute:
        theirs === undefined
          ? "see bench/models/README.md"
          : `${digits(spreadOf(ours).median)} : ${digits(spreadOf(theirs).median)} states/s; ${also.get(name)}`,
    };
  };
  return [
    row("warm", "states of `explore conflict-and-cancellation` per CPU second, safety alone"),
    row("cold", "the same for the whole command, liveness and its start included"),
    ...MODEL_CHECKERS.map(compared),
  ];
}
