/** `quorumlab explore`: every schedule of a small configuration of the real program, or as many as a budget allows. */
import { findBug } from "../../bugs/catalogue.ts";
import { NotExplorable } from "../../harness/explore/arena.ts";
import { toldBounds } from "../../harness/explore/bounds-told.ts";
import { confirm } from "../../harness/explore/confirm.ts";
import { type Deepening, type DoneLevel, deepen, type Level, levelsUpTo } from "../../harness/explore/deepen.ts";
import { findScenarios, readText } from "../../harness/files.ts";
import { createParser } from "../../harness/parse.ts";
import { problemText } from "../../harness/problem.ts";
import type { Scenario } from "../../harness/scenario.ts";
import { variantOf } from "../../harness/variant.ts";
import { type Paint, painter } from "../../report/paint.ts";
import { Attended } from "../attended.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, QUIET_OPTION } from "../options.ts";
import { createProgress, type Progress } from "../progress.ts";
import { readLevels, writeLevels } from "./done-levels.ts";
import { type ExploreOptions, exploreOptions } from "./explore-options.ts";
import { boundsName, exploreLine, exploreText, levelText, type ToldBreach } from "./explore-tell.ts";
import { PROGRESS_MS } from "./limits.ts";
import { replayPath } from "./replay-path.ts";
import { savePath } from "./saved-path.ts";

const text = (
  description: string,
): { readonly type: "string"; readonly requiresArg: true; readonly description: string } => ({
  type: "string",
  requiresArg: true,
  description,
});

export const exploreCommand: Command = {
  usage: "explore <file>",
  description: "every schedule of a small configuration of the real program, one of its validators Byzantine",
  examples: [
    ["$0 explore scenarios/explore/conflict-and-cancellation.yaml", "two rounds, every order of everything"],
    ["$0 explore mine.yaml --rounds 0 --crashes 1 --bug vote-before-persist", "how soon a known-bad variant is caught"],
    ["$0 explore reports/explore/mine-agreement.json", "a path that was found, again"],
  ],
  build: (yargs, env) =>
    yargs
      .positional("file", { type: "string", demandOption: true, description: "a scenario, or a path that was saved" })
      .option("rounds", fromEnv(env, "rounds", { ...text("the highest round of a slot"), default: "1" }))
      .option(
        "crashes",
        fromEnv(env, "crashes", { ...text("crashes of honest validators, all together"), default: "0" }),
      )
      .option("byzantine", fromEnv(env, "byzantine", text("who is Byzantine; default: the last validator")))
      .option("bug", fromEnv(env, "bug", text("the known-bad variant that runs instead of the real program")))
      .option("states", fromEnv(env, "states", text("states of one level after which it gives up: that fails, too")))
      .option(
        "resume",
        fromEnv(env, "resume", text("a file for the levels that are exhausted, which are not explored again")),
      )
      .option("out", fromEnv(env, "out", { ...OUT_OPTION, default: "reports/explore" }))
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION)),
  run: exploreFile,
};

type Args = Readonly<Record<string, unknown>>;

async function exploreFile(args: Args, io: Io): Promise<ExitCode> {
  const path = textOf(args, "file") ?? "";
  if (path.endsWith(".json")) return replayPath(path, args["json"] === true, io);
  const options = exploreOptions(args);
  const scenario = scenarioIn(path, io);
  if (scenario === undefined) return EXIT.usage;
  try {
    return await new Session(path, scenario, options, args, io).run();
  } catch (error) {
    if (error instanceof NotExplorable) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

function scenarioIn(path: string, io: Io): Scenario | undefined {
  const read = readText(path);
  const parsed = read.ok ? createParser().parse(read.value) : { ok: false as const, error: [read.error] };
  if (parsed.ok) return parsed.value;
  for (const problem of parsed.error) io.err(`${problemText(path, problem)}\n`);
  return undefined;
}

/** One call of the command. */
class Session {
  readonly #io: Io;
  readonly #path: string;
  readonly #scenario: Scenario;
  readonly #options: ExploreOptions;
  readonly #bug: string | undefined;
  readonly #isJson: boolean;
  readonly #isQuiet: boolean;
  readonly #paint: Paint;
  readonly #progress: Progress;
  readonly #attended: Attended;
  #levelStart: number;
  #shown: number;
  #done: readonly DoneLevel[];

  constructor(path: string, scenario: Scenario, options: ExploreOptions, args: Args, io: Io) {
    this.#io = io;
    this.#path = path;
    this.#scenario = scenario;
    this.#options = options;
    this.#bug = options.bug ?? scenario.bug;
    this.#isJson = args["json"] === true;
    this.#isQuiet = args["quiet"] === true;
    this.#paint = painter(wantsColours(io));
    this.#progress = createProgress(io, this.#isQuiet ? "none" : (textOf(args, "progress") ?? "auto"));
    this.#attended = new Attended(io);
    this.#levelStart = io.now();
    this.#shown = this.#levelStart;
    this.#done = options.resume === undefined ? [] : readLevels(options.resume, this.#explored);
  }

  get #explored(): Parameters<typeof readLevels>[1] {
    return { scenario: this.#scenario, bug: this.#bug, byzantine: this.#options.byzantine };
  }

  get #arena(): Parameters<typeof confirm>[1] {
    const { bounds, byzantine } = this.#options;
    return { bounds, byzantine, variant: variantOf(findBug(this.#bug ?? "")) };
  }

  async run(): Promise<ExitCode> {
    const start = this.#io.now();
    const before = this.#done;
    const levels = await this.#deepen(before);
    this.#progress.done();
    const breach = levels.at(-1)?.breach;
    const found = breach === undefined ? undefined : this.#save(breach, levels.at(-1) as Level);
    const exhausted =
      breach === undefined &&
      levels.length + before.length >= levelsUpTo(this.#options.bounds).length &&
      levels.every((one) => one.exhausted);
    const told = {
      id: this.#id,
      bug: this.#bug,
      levels,
      done: before,
      bounds: toldBounds(this.#scenario, this.#arena),
      exhausted,
      found,
      wallMs: this.#io.now() - start,
    };
    if (this.#isJson) this.#io.out(exploreLine(told));
    else if (!this.#isQuiet || !exhausted) this.#io.out(exploreText(told, this.#paint));
    if (this.#attended.isInterrupted) return EXIT.interrupted;
    return exhausted ? EXIT.expected : EXIT.failed;
  }

  get #id(): string {
    return findScenarios([this.#path]).files[0]?.id ?? this.#path;
  }

  async #deepen(done: readonly DoneLevel[]): Promise<readonly Level[]> {
    const { states } = this.#options;
    const running = deepen(this.#scenario, { ...this.#arena, states, done, heard: (level) => this.#heard(level) });
    return this.#attended.finish(running, (slice) => this.#show(slice));
  }

  #show({ bounds, states, frontier }: Deepening): void {
    const now = this.#io.now();
    if (now - this.#shown < PROGRESS_MS) return;
    this.#shown = now;
    const rate = Math.round((states / Math.max(1, now - this.#levelStart)) * 1_000);
    const what = `${boundsName(bounds)}: frontier ${frontier}, ${rate} a second`;
    this.#progress.at(states, this.#options.states, what);
  }

  #heard(level: Level): void {
    const now = this.#io.now();
    this.#progress.clear();
    if (!this.#isJson && !this.#isQuiet) this.#io.out(levelText(level, now - this.#levelStart, this.#paint));
    this.#levelStart = now;
    const { resume } = this.#options;
    if (level.exhausted && resume !== undefined) this.#done = writeLevels(resume, this.#explored, this.#done, level);
  }

  #save(breach: NonNullable<Level["breach"]>, { bounds }: Level): ToldBreach {
    const { byzantine, out } = this.#options;
    const arena = { ...this.#arena, bounds };
    const file = savePath(out, this.#id, { scenario: this.#scenario, bounds, byzantine, bug: this.#bug, breach });
    return {
      breach,
      confirmed: confirm(this.#scenario, arena, breach.path),
      file,
      replay: `quorumlab explore ${file}`,
    };
  }
}
