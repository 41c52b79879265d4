/** `quorumlab explore`: exhaustive model checking of a small configuration of the real program within bounds. */

import { readFileSync } from "node:fs";
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/variant.ts";
import {
  areAllExhausted,
  areSame,
  boundsReport,
  type Deepening,
  type DoneLevel,
  deepen,
  type Level,
  levelsUpTo,
  type SavedLevel,
} from "../../explore/deepen.ts";
import { CRASHES_MAX, ROUNDS_MAX, STATES_DEFAULT, STATES_MAX } from "../../explore/limits.ts";
import { LIVENESS_DEFAULT, LIVENESS_MODES, type LivenessMode } from "../../explore/liveness.ts";
import { type Counterexample, NotResumable, statesIn } from "../../explore/search.ts";
import { type Bounds, NotExplorable, type SystemOptions } from "../../explore/system.ts";
import { validatePath } from "../../explore/validate-path.ts";
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
  threadsOf,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { type Output, outputOf } from "../output.ts";
import { shellQuoted } from "../reproduce.ts";
import { boundsText, type CounterexampleReport, exploreLine, exploreText, levelText, remainingText } from "./report.ts";
import { dropSaved, type Explored, readLevels, readSaved, savedFile, writeLevels, writeSaved } from "./saved-levels.ts";
import { replayPath, savePath } from "./saved-path.ts";
import { aheadIn } from "./threads.ts";

/** Default bounds. */
const USUAL: Bounds = { rounds: 1, crashes: 0 };
const OUT = "reports/explore";

/** Options in the order of the help text. */
const EXPLORE_OPTIONS: CommandOptions = {
  rounds: textOption("highest round that a slot may reach", USUAL.rounds),
  crashes: textOption("most crashes in one schedule, of all honest validators together", USUAL.crashes),
  byzantine: textOption("name of the Byzantine validator; default: the last one"),
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
    STATES_DEFAULT,
  ),
  resume: textOption(
    "file that keeps what has been searched, which the next call skips; FILE.part keeps an unfinished search, which the next call resumes",
  ),
  workers: textOption("threads of a large search; they do not affect the results", 1),
  out: textOption("folder for counterexamples", OUT),
  report: reportOption("the run that leads to a violation"),
  ...OUTPUT_OPTIONS,
};

interface ExploreOptions {
  readonly bounds: Bounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  /** States that are continued. */
  readonly liveness: LivenessMode;
  /** Limit of states of one level. */
  readonly states: number;
  readonly out: string;
  /** File for the report of a counterexample. */
  readonly report: string | undefined;
  readonly threads: number;
  /** File of exhausted levels. */
  readonly resume: string | undefined;
}

/** @throws UsageError for invalid options. */
function exploreOptions(args: Args): ExploreOptions {
  const bug = variantOption(args);
  const rounds = wholeNumber(args, "rounds", 0, ROUNDS_MAX) ?? USUAL.rounds;
  const crashes = wholeNumber(args, "crashes", 0, CRASHES_MAX) ?? USUAL.crashes;
  return {
    bounds: { rounds, crashes },
    byzantine: textOf(args, "byzantine"),
    bug,
    // yargs rejects all other values.
    liveness: LIVENESS_MODES.find((one) => one === textOf(args, "liveness")) ?? LIVENESS_DEFAULT,
    states: wholeNumber(args, "states", 1, STATES_MAX) ?? STATES_DEFAULT,
    out: textOf(args, "out") ?? OUT,
    report: textOf(args, "report"),
    threads: textOf(args, "workers") === undefined ? 1 : threadsOf(args),
    resume: textOf(args, "resume"),
  };
}

/** Returns the command, with twice the limit of states if `reached` exceeds the current one. */
function resumeCommand(path: string, options: ExploreOptions, reached: number): string {
  const { bounds, byzantine, bug, liveness, resume } = options;
  if (resume === undefined) return "not saved; call it with --resume FILE to save the search and resume it later";
  const states = reached > options.states ? Math.min(2 * (reached - 1), STATES_MAX) : options.states;
  const words = [
    ["--rounds", String(bounds.rounds)],
    ["--crashes", String(bounds.crashes)],
    ...(byzantine === undefined ? [] : [["--byzantine", byzantine]]),
    ...(bug === undefined ? [] : [["--bug", bug]]),
    ...(liveness === LIVENESS_DEFAULT ? [] : [["--liveness", liveness]]),
    ...(states === STATES_DEFAULT ? [] : [["--states", String(states)]]),
    ["--resume", resume],
  ];
  return ["quorumlab explore", shellQuoted(path), ...words.flat().map(shellQuoted)].join(" ");
}

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
    if (error instanceof NotResumable)
      throw new UsageError(`--resume: ${savedFile(options.resume ?? "")}: ${error.message}`);
    throw error;
  }
}

type ExploreRequest = Readonly<{ path: string; scenario: Scenario; options: ExploreOptions }>;

/** One call of the command: reports each finished level, and saves counterexamples and searches. */
class ExplorationCall {
  readonly #io: Io;
  readonly #path: string;
  readonly #explored: Explored;
  readonly #options: ExploreOptions;
  readonly #systemOptions: SystemOptions;
  readonly #output: Output;
  readonly #work: InterruptibleWork;
  readonly #pace: Throughput;
  readonly #begun: SavedLevel | undefined;
  #reportedAt: number;
  #done: readonly DoneLevel[];

  constructor({ path, scenario, options }: ExploreRequest, output: Output, io: Io) {
    const { bounds, byzantine, resume, liveness, bug = scenario.bug } = options;
    this.#io = io;
    this.#path = path;
    this.#explored = { scenario, bug, byzantine, liveness };
    this.#options = options;
    this.#systemOptions = { bounds, byzantine, variant: variantOf(findBug(bug ?? "")) };
    this.#output = output;
    this.#work = new InterruptibleWork(io);
    this.#reportedAt = io.now();
    this.#pace = new Throughput(this.#reportedAt);
    this.#done = resume === undefined ? [] : readLevels(resume, this.#explored);
    this.#begun = resume === undefined ? undefined : begunIn(savedFile(resume), this.#explored, bounds);
    this.#levelBegins(this.#reportedAt);
  }

  async run(): Promise<ExitCode> {
    const start = this.#io.now();
    const { json, quiet, paint, progress } = this.#output;
    const { scenario, bug } = this.#explored;
    const done = this.#done;
    const levels = await this.#deepen(done);
    progress.done();
    const last = levels.at(-1);
    const found = last?.counterexample === undefined ? undefined : this.#save(last.counterexample, last.bounds);
    const exhausted = areAllExhausted(this.#options.bounds, levels, done);
    const bounds = boundsReport(scenario, this.#systemOptions, this.#options.liveness);
    const report = { id: this.#id, bug, levels, done, bounds, exhausted, found, wallMs: this.#io.now() - start };
    if (json) this.#io.out(exploreLine(report));
    else if (!quiet || !exhausted) this.#io.out(exploreText(report, paint));
    if (found !== undefined) await reportOnSaved(found.file, this.#options.report, this.#io);
    if (this.#work.isInterrupted) return EXIT.interrupted;
    return exhausted ? EXIT.expected : EXIT.failed;
  }

  get #id(): string {
    return findScenarios([this.#path]).files[0]?.id ?? this.#path;
  }

  async #deepen(done: readonly DoneLevel[]): Promise<readonly Level[]> {
    const { states, liveness, threads } = this.#options;
    const onLevel = (level: Level): void => this.#reportLevel(level);
    const begun = this.#begun;
    const running = deepen(this.#explored.scenario, {
      ...this.#systemOptions,
      states,
      liveness,
      exhausted: done,
      resumed: begun,
      aheadOf: (bounds) => aheadIn(threads, { ...this.#explored, bounds }),
      onLevel,
    });
    return this.#work.finish(running, (slice) => this.#show(slice));
  }

  #show({ bounds, states, frontier }: Deepening): void {
    const now = this.#io.now();
    if (now - this.#reportedAt < PROGRESS_MS) return;
    this.#reportedAt = now;
    const progress = `${boundsText(bounds)}: frontier ${frontier}, ${this.#pace.rate(states, now)} a second`;
    this.#output.progress.upTo(states, this.#options.states, progress);
  }

  #reportLevel(level: Level): void {
    const now = this.#io.now();
    const { json, quiet, paint, progress } = this.#output;
    const { resume } = this.#options;
    if (resume !== undefined) this.#keep(resume, level);
    progress.clear();
    if (!json && (!quiet || !level.exhausted)) {
      this.#io.out(levelText(level, this.#pace.lasted(now), this.#pace.rate(level.states, now), paint));
      this.#io.out(remainingText(level, resumeCommand(this.#path, this.#options, level.states), paint));
    }
    this.#levelBegins(now);
  }

  /** Saves exhausted levels, and the search of a level that is not exhausted. */
  #keep(resume: string, { bounds, ...level }: Level): void {
    const file = savedFile(resume);
    if (level.exhausted) this.#done = writeLevels(resume, this.#explored, this.#done, { bounds, ...level });
    if (level.left !== undefined) writeSaved(file, this.#explored, { bounds, saved: level.left.keep() });
    else if (this.#begun !== undefined && areSame(this.#begun.bounds, bounds)) dropSaved(file);
  }

  #levelBegins(now: number): void {
    const next = levelsUpTo(this.#options.bounds).find((level) => !this.#done.some((done) => areSame(done, level)));
    const isBegun = this.#begun !== undefined && next !== undefined && areSame(this.#begun.bounds, next);
    this.#pace.begin(now, isBegun ? statesIn(this.#begun.saved) : 0);
  }

  #save(counterexample: Counterexample, bounds: Bounds): CounterexampleReport {
    const file = savePath(this.#options.out, this.#id, { ...this.#explored, bounds, breach: counterexample });
    const confirmed = validatePath(
      this.#explored.scenario,
      { ...this.#systemOptions, bounds },
      counterexample.path,
      counterexample.check,
    );
    return { counterexample, validated: confirmed, file, replay: `quorumlab explore ${shellQuoted(file)}` };
  }
}

async function reportOnSaved(file: string, out: string | undefined, io: Io): Promise<void> {
  if (out === undefined) return;
  const text = readFileSync(file, "utf8");
  (await import("../report-file.ts")).reportOnPath(file, text, out, io);
}

/** Returns the level that an earlier call began. @throws UsageError if it is outside the requested bounds. */
function begunIn(file: string, explored: Explored, bounds: Bounds): SavedLevel | undefined {
  const begun = readSaved(file, explored);
  if (begun === undefined || levelsUpTo(bounds).some((level) => areSame(level, begun.bounds))) return begun;
  const asked = `rounds up to ${bounds.rounds} and crashes up to ${bounds.crashes}`;
  throw new UsageError(`--resume: ${file}: it holds a search of ${boundsText(begun.bounds)}, got ${asked}`);
}

/** Rate of an exploration's level, without the states that an earlier call reached. */
class Throughput {
  #since: number;
  #from = 0;

  /** Times are milliseconds of one clock. */
  constructor(now: number) {
    this.#since = now;
  }

  /** Starts a level with `reached` states. */
  begin(now: number, states: number): void {
    this.#since = now;
    this.#from = states;
  }

  /** Milliseconds in this level. */
  lasted(now: number): number {
    return now - this.#since;
  }

  /** States per second; 0 if no time has passed. */
  rate(states: number, now: number): number {
    const lasted = this.lasted(now);
    return lasted > 0 ? Math.round(((states - this.#from) / lasted) * 1_000) : 0;
  }
}
