/** `quorumlab explore`: exhaustive model checking of a small configuration of the real program within bounds. */

import { readFileSync } from "node:fs";
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
import type { Counterexample } from "../../explore/search/search.ts";
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
  textArgument,
  textOption,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { type CommandOutput, outputOf } from "../output.ts";
import { quoteForShell } from "../reproduce.ts";
import {
  boundsText,
  type CounterexampleReport,
  exploreLine,
  exploreText,
  levelText,
  remainingText,
  replayPath,
  savePath,
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
    /** File for the report of a counterexample. */
    report: textOf(args, "report"),
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
    await reportOnSaved(path, textOf(args, "report"), io);
    return code;
  }
  const options = exploreOptions(args);
  const scenario = scenarioIn(path, createParser(), io);
  if (scenario === undefined) return EXIT.usage;
  try {
    return await new ExplorationCall({ path, scenario, options }, outputOf(args, io), io).run();
  } catch (error) {
    if (error instanceof NotExplorable) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

type ExploreRequest = Readonly<{ path: string; scenario: Scenario; options: ExploreOptions }>;

/** Subject of an exploration, as a saved path names it. */
interface ExplorationSubject {
  readonly scenario: Scenario;
  readonly bug: string | undefined;
}

/** One call of the command: reports each finished level, and saves the counterexample. */
class ExplorationCall {
  readonly #io: Io;
  readonly #path: string;
  readonly #explored: ExplorationSubject;
  readonly #options: ExploreOptions;
  readonly #systemOptions: SystemOptions;
  readonly #output: CommandOutput;
  readonly #work: InterruptibleWork;
  #reportedAt: number;
  /** Start of the current level. */
  #levelFrom: number;

  constructor({ path, scenario, options }: ExploreRequest, output: CommandOutput, io: Io) {
    const { bounds, byzantine, bug = scenario.bug } = options;
    this.#io = io;
    this.#path = path;
    this.#explored = { scenario, bug };
    this.#options = options;
    this.#systemOptions = { bounds, byzantine, variant: variantOf(findBug(bug ?? "")) };
    this.#output = output;
    this.#work = new InterruptibleWork(io);
    this.#reportedAt = io.now();
    this.#levelFrom = this.#reportedAt;
  }

  async run(): Promise<ExitCode> {
    const start = this.#io.now();
    const { json, quiet, paint, progress } = this.#output;
    const { scenario, bug } = this.#explored;
    const levels = await this.#deepen();
    progress.done();
    const last = levels.at(-1);
    const found = last?.counterexample === undefined ? undefined : this.#save(last.counterexample, last);
    const exhausted = areAllExhausted(scenario, this.#systemOptions, levels);
    const bounds = boundsReport(scenario, this.#systemOptions, this.#options.liveness);
    const report = { id: this.#id, bug, levels, bounds, exhausted, found, wallMs: this.#io.now() - start };
    if (json) this.#io.out(exploreLine(report));
    else if (!quiet || !exhausted) this.#io.out(exploreText(report, paint));
    if (found !== undefined) await reportOnSaved(found.file, this.#options.report, this.#io);
    if (this.#work.isInterrupted) return EXIT.interrupted;
    return exhausted ? EXIT.expected : EXIT.failed;
  }

  get #id(): string {
    return findScenarios([this.#path]).files[0]?.id ?? this.#path;
  }

  async #deepen(): Promise<readonly Level[]> {
    const { states, liveness } = this.#options;
    const onLevel = (level: Level): void => this.#reportLevel(level);
    const running = deepen(this.#explored.scenario, { ...this.#systemOptions, states, liveness, onLevel });
    return this.#work.finish(running, (slice) => this.#show(slice));
  }

  #show({ states, frontier, ...level }: DeepeningProgress): void {
    const now = this.#io.now();
    if (now - this.#reportedAt < PROGRESS_MS) return;
    this.#reportedAt = now;
    const progress = `${boundsText(level)}: frontier ${frontier}, ${this.#perSecond(states, now)} a second`;
    this.#output.progress.upTo(states, this.#options.states, progress);
  }

  #reportLevel(level: Level): void {
    const now = this.#io.now();
    const { json, quiet, paint, progress } = this.#output;
    progress.clear();
    if (!json && (!quiet || !level.exhausted)) {
      this.#io.out(levelText(level, now - this.#levelFrom, this.#perSecond(level.states, now), paint));
      this.#io.out(remainingText(level, paint));
    }
    this.#levelFrom = now;
  }

  /** Returns the states per second in this level; 0 if no time has passed. */
  #perSecond(states: number, now: number): number {
    const elapsed = now - this.#levelFrom;
    return elapsed > 0 ? Math.round((states / elapsed) * 1_000) : 0;
  }

  #save(counterexample: Counterexample, { bounds, byzantine }: Level): CounterexampleReport {
    const chosen = { bounds, byzantine };
    const file = savePath(this.#options.out, this.#id, { ...this.#explored, ...chosen, breach: counterexample });
    return { counterexample, file, replay: `quorumlab explore ${quoteForShell(file)}` };
  }
}

async function reportOnSaved(file: string, out: string | undefined, io: Io): Promise<void> {
  if (out === undefined) return;
  const text = readFileSync(file, "utf8");
  (await import("../report-file.ts")).reportOnPath(file, text, out, io);
}
