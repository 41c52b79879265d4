/** `quorumlab explore`: exhaustive model checking of a small configuration of the real program within bounds. */
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/known-bad-variant.ts";
import { CRASHES_MAX, ROUNDS_MAX, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT, LIVENESS_MODES } from "../../explore/liveness/liveness.ts";
import { type ExplorationBounds, NotExplorable, type SystemOptions } from "../../explore/model/system.ts";
import {
  areAllExhausted,
  boundsReport,
  type DeepeningProgress,
  deepen,
  type Level,
} from "../../explore/search/deepen.ts";
import { findScenarios } from "../../scenario/files.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type Args, type Command, type CommandOptions, EXIT, type ExitCode, textOf, UsageError } from "../command.ts";
import { scenarioIn } from "../files.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import {
  BUG_OPTION,
  OUTPUT_OPTIONS,
  reportOption,
  reportRun,
  textArgument,
  textOption,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { outputOf } from "../output.ts";
import {
  boundsText,
  exploreLine,
  exploreText,
  levelText,
  remainingText,
  replayPath,
  saveCounterexample,
} from "./report.ts";

/** Default bounds. */
const USUAL: ExplorationBounds = { rounds: 1, crashes: 0 };
const OUT = "reports/explore";

/** Options in the order of the help text. */
const EXPLORE_OPTIONS: CommandOptions = {
  rounds: textOption("highest round that a slot may reach", USUAL.rounds),
  crashes: textOption("most crashes in one schedule, of all honest validators together", USUAL.crashes),
  byzantine: textOption("name of the Byzantine validator; default: each in turn, interchangeable ones once"),
  bug: BUG_OPTION,
  liveness: {
    ...textOption(
      "states from which a run without further faults must decide everything: those in which no honest validator can sign more (resting), all (every), or none (off)",
      LIVENESS_DEFAULT,
    ),
    choices: LIVENESS_MODES,
  },
  states: textOption(
    "most states for one combination of rounds and crashes; beyond it the search stops with exit code 1",
    STATES_MAX,
  ),
  out: textOption("folder for counterexamples", OUT),
  report: reportOption("the run that leads to a violation"),
  ...OUTPUT_OPTIONS,
};

/** @throws UsageError for invalid options. */
function exploreOptions(args: Args) {
  const rounds = wholeNumber(args, "rounds", 0, ROUNDS_MAX) ?? USUAL.rounds;
  const crashes = wholeNumber(args, "crashes", 0, CRASHES_MAX) ?? USUAL.crashes;
  return {
    bounds: { rounds, crashes },
    byzantine: textOf(args, "byzantine"),
    bug: variantOption(args),
    // yargs rejects all other values.
    liveness: LIVENESS_MODES.find((mode) => mode === textOf(args, "liveness")) ?? LIVENESS_DEFAULT,
    /** Limit of states of one level. */
    states: wholeNumber(args, "states", 1, STATES_MAX) ?? STATES_MAX,
    out: textOf(args, "out") ?? OUT,
  };
}

type ExploreOptions = ReturnType<typeof exploreOptions>;

/** Milliseconds between two lines of progress. */
const PROGRESS_MS = 1_000;

export const exploreCommand: Command = {
  examples: [
    ["$0 explore scenarios/explore/conflict-and-cancellation.yaml", "all schedules with two rounds for each slot"],
    [
      "$0 explore mine.yaml --rounds 0 --crashes 1 --bug vote-before-persist",
      "a known-bad variant, up to its first counterexample",
    ],
    [
      "$0 explore scenarios/explore/equivocation-and-recovery.yaml --liveness every",
      "whether everything can still be decided from every state",
    ],
    ["$0 explore reports/explore/mine-agreement.json", "reproduce a counterexample"],
  ],
  positionals: { file: textArgument("a scenario file or a saved counterexample") },
  options: EXPLORE_OPTIONS,
  run: exploreFile,
};

async function exploreFile(args: Args, io: Io): Promise<ExitCode> {
  const path = textOf(args, "file") ?? "";
  if (path.endsWith(".json")) {
    const code = replayPath(path, args["json"] === true, io);
    await reportRun(args, { explored: path }, io);
    return code;
  }
  const options = exploreOptions(args);
  const scenario = scenarioIn(path, createParser(), io);
  if (scenario === undefined) return EXIT.usage;
  try {
    return await exploreScenario(path, scenario, options, args, io);
  } catch (error) {
    if (error instanceof NotExplorable) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

/** Explores a scenario of a file: reports each finished level, and saves the counterexample. */
async function exploreScenario(
  path: string,
  scenario: Scenario,
  { bounds, byzantine, bug = scenario.bug, states, liveness, out }: ExploreOptions,
  args: Args,
  io: Io,
): Promise<ExitCode> {
  const systemOptions: SystemOptions = { bounds, byzantine, variant: variantOf(findBug(bug ?? "")) };
  const { json, quiet, paint, progress } = outputOf(args, io);
  const start = io.now();
  let [levelFrom, shownAt] = [start, start];
  /** Returns the states per second in the current level; 0 if no time has passed. */
  const perSecond = (count: number, now: number): number =>
    now > levelFrom ? Math.round((count / (now - levelFrom)) * 1_000) : 0;
  const show = ({ states: count, frontier, ...level }: DeepeningProgress): void => {
    const now = io.now();
    if (now - shownAt < PROGRESS_MS) return;
    shownAt = now;
    const text = `${boundsText(level)}: frontier ${frontier}, ${perSecond(count, now)} a second`;
    progress.upTo(count, states, text);
  };
  const onLevel = (level: Level): void => {
    const now = io.now();
    progress.clear();
    if (!json && (!quiet || !level.exhausted)) {
      io.out(levelText(level, now - levelFrom, perSecond(level.states, now), paint));
      io.out(remainingText(level, paint));
    }
    levelFrom = now;
  };
  const work = new InterruptibleWork(io);
  const levels = await work.finish(deepen(scenario, { ...systemOptions, states, liveness, onLevel }), show);
  progress.clear();
  const id = findScenarios([path]).files[0]?.id ?? path;
  const last = levels.at(-1);
  const found = last?.counterexample && saveCounterexample(out, id, { scenario, bug }, last, last.counterexample);
  const exhausted = areAllExhausted(scenario, systemOptions, levels);
  const reached = boundsReport(scenario, systemOptions, liveness);
  const report = { id, bug, levels, bounds: reached, exhausted, found, wallMs: io.now() - start };
  if (json) io.out(exploreLine(report));
  else if (!quiet || !exhausted) io.out(exploreText(report, paint));
  await reportRun(args, found && { explored: found.file }, io);
  if (work.isInterrupted) return EXIT.interrupted;
  return exhausted ? EXIT.expected : EXIT.failed;
}
