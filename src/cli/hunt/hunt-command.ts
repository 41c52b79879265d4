/** `quorumlab hunt`: turns known-bad variants on, one at a time, and measures how soon each is caught. */
import type { Options } from "yargs";
import type { Bug } from "../../bugs/bug.ts";
import { CANARY, CONTROL } from "../../bugs/canary.ts";
import { PROFILES } from "../../harness/fuzz/profile.ts";
import { dishonestyOf } from "../../harness/hunt/honesty.ts";
import type { Job } from "../../harness/hunt/jobs.ts";
import { REPEATS, SEEDS_BUDGET, SHRINK_BUDGET } from "../../harness/hunt/limits.ts";
import { type Measured, type Score, scoreOf } from "../../harness/hunt/score.ts";
import type { Strategy } from "../../harness/hunt/strategy.ts";
import { type Paint, painter } from "../../report/paint.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, QUIET_OPTION, SEED_OPTION } from "../options.ts";
import { createProgress, type Progress } from "../progress.ts";
import { versions } from "../version.ts";
import { doJobs } from "./do-jobs.ts";
import { saveMatrix, saveSmall } from "./hunt-files.ts";
import { type HuntOptions, huntOptions } from "./hunt-options.ts";
import {
  asideText,
  confidenceText,
  type Row,
  rowObject,
  type ShrunkRow,
  summaryLine,
  summaryText,
  tableHead,
  tableRow,
} from "./hunt-tell.ts";

function number(description: string, by: number): Options {
  return { type: "string", requiresArg: true, description, default: String(by) };
}

export const huntCommand: Command = {
  usage: "hunt [bugs..]",
  description: "turns known-bad variants on, one at a time, and measures how soon each is caught",
  examples: [
    ["$0 hunt", "all of them: the matrix stands in reports/hunt.json"],
    ["$0 hunt hidden-locks late-commit --repeats 20", "two of them, measured better"],
    ["$0 hunt hidden-locks --confidence", "how many clean runs say that this bug is gone"],
  ],
  build: (yargs, env) =>
    yargs
      .positional("bugs", { type: "string", array: true, description: "variants by name; default: all" })
      .option("seeds", fromEnv(env, "seeds", number("the budget of one range: its seeds", SEEDS_BUDGET)))
      .option("repeats", fromEnv(env, "repeats", number("independent ranges of seeds for each variant", REPEATS)))
      .option("seed", fromEnv(env, "seed", { ...SEED_OPTION, description: "the number of the first seed" }))
      .option(
        "profile",
        fromEnv(env, "profile", {
          type: "string",
          choices: PROFILES,
          default: "default",
          description: "how large the drawn worlds are",
        }),
      )
      .option(
        "confidence",
        fromEnv(env, "confidence", {
          type: "boolean",
          default: false,
          description: "look at whole ranges, and say how many clean runs a fix takes",
        }),
      )
      .option(
        "shrink-runs",
        fromEnv(env, "shrink-runs", number("the most runs to make a finding smaller with; 0: none", SHRINK_BUDGET)),
      )
      .option("workers", fromEnv(env, "workers", { type: "string", requiresArg: true, description: "threads" }))
      .option("out", fromEnv(env, "out", { ...OUT_OPTION, default: "reports" }))
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION)),
  run: async (args, io) => new Hunt(args, io).run(),
};

/** A variant and the way in which it is looked for. */
interface Pair {
  readonly bug: Bug;
  readonly strategy: Strategy;
}

/** One call of the command. */
class Hunt {
  readonly #io: Io;
  readonly #options: HuntOptions;
  readonly #json: boolean;
  readonly #quiet: boolean;
  readonly #paint: Paint;
  readonly #progress: Progress;
  readonly #start: number;

  constructor(args: Readonly<Record<string, unknown>>, io: Io) {
    this.#io = io;
    this.#options = huntOptions(args);
    this.#json = args["json"] === true;
    this.#quiet = args["quiet"] === true;
    this.#paint = painter(wantsColours(io));
    this.#progress = createProgress(io, this.#quiet ? "none" : (textOf(args, "progress") ?? "auto"));
    this.#start = io.now();
  }

  async run(): Promise<ExitCode> {
    const { strategies, bugs } = this.#options;
    const pairs = strategies.flatMap((strategy) => [CANARY, CONTROL, ...bugs].map((bug): Pair => ({ bug, strategy })));
    const scores = await this.#search(pairs);
    if (scores === undefined) return EXIT.interrupted;
    const isReal = ({ bug }: Score): boolean => bug !== CANARY && bug !== CONTROL;
    const dishonesty = strategies.flatMap((strategy) => this.#dishonesty(scores, strategy));
    const found = scores.filter(isReal);
    const shrunk = await this.#shrink(found);
    this.#progress.done();
    if (shrunk === undefined) return EXIT.interrupted;
    const rows = found.map((score, place): Row => ({ score, replay: this.#replay(score), shrunk: shrunk[place] }));
    const file = saveMatrix(this.#options, rows, { dishonesty, versions: versions() });
    this.#tell(rows, dishonesty, file);
    return rows.every(({ score }) => score.isFound) && dishonesty.length === 0 ? EXIT.expected : EXIT.failed;
  }

  /** All ranges of all pairs; `undefined` where somebody stopped it. */
  async #search(pairs: readonly Pair[]): Promise<readonly Score[] | undefined> {
    const { ranges, threads, confidence } = this.#options;
    const jobs = pairs.flatMap(({ bug, strategy }) =>
      ranges.map((range): Job => ({ kind: "search", bug: bug.name, strategy, range, toEnd: confidence })),
    );
    const measured: Measured[] = [];
    const ended = await doJobs(jobs, {
      io: this.#io,
      threads,
      heard: ({ answer, wallMs }, place) => {
        if (answer.kind === "searched") measured.push({ ...answer.searched, wallMs });
        this.#progress.at(place + 1, jobs.length, `searched for ${jobs[place]?.bug}`);
      },
    });
    if (ended === "interrupted") return undefined;
    return pairs.map(({ bug, strategy }, place) =>
      scoreOf(bug, strategy, measured.slice(place * ranges.length, (place + 1) * ranges.length)),
    );
  }

  #dishonesty(scores: readonly Score[], strategy: Strategy): readonly string[] {
    const of = (bug: Bug): Score | undefined =>
      scores.find((score) => score.bug === bug && score.strategy === strategy);
    const [canary, control] = [of(CANARY), of(CONTROL)];
    return canary === undefined || control === undefined ? ["nothing was hunted"] : dishonestyOf(canary, control);
  }

  /** The first finding of each, smaller; `undefined` where somebody stopped it. */
  async #shrink(scores: readonly Score[]): Promise<readonly (ShrunkRow | undefined)[] | undefined> {
    const { shrinkRuns, threads, out } = this.#options;
    const rows: (ShrunkRow | undefined)[] = scores.map(() => undefined);
    if (shrinkRuns === 0) return rows;
    const places: number[] = [];
    const jobs = scores.flatMap(({ bug, strategy, first }, place): readonly Job[] => {
      if (first === undefined) return [];
      places.push(place);
      const { seed, sighting } = first;
      return [{ kind: "shrink", bug: bug.name, strategy, seed, place: sighting.place, runs: shrinkRuns }];
    });
    const ended = await doJobs(jobs, {
      io: this.#io,
      threads,
      heard: ({ answer }, at) => {
        const place = places[at];
        const score = place === undefined ? undefined : scores[place];
        if (place !== undefined && score !== undefined && answer.kind === "shrunk" && answer.small !== undefined)
          rows[place] = saveSmall(out, score, answer.small);
        this.#progress.at(at + 1, jobs.length, `made smaller: ${jobs[at]?.bug}`);
      },
    });
    return ended === "interrupted" ? undefined : rows;
  }

  #replay({ bug, strategy, first }: Score): string | undefined {
    if (first === undefined) return undefined;
    return `quorumlab fuzz --bug ${bug.name} --seed ${first.seed} --seeds 1 --profile ${strategy.profile}`;
  }

  #tell(rows: readonly Row[], dishonesty: readonly string[], file: string): void {
    const told = { rows, dishonesty, wallMs: this.#io.now() - this.#start };
    const { confidence } = this.#options;
    if (this.#json) {
      for (const row of rows) this.#io.out(`${JSON.stringify(rowObject(row, confidence))}\n`);
      this.#io.out(summaryLine(told));
      return;
    }
    const shown = this.#quiet ? rows.filter(({ score }) => !score.isFound) : rows;
    if (shown.length > 0) this.#io.out(tableHead(this.#paint));
    for (const row of shown) this.#io.out(tableRow(row, this.#paint));
    if (confidence) this.#io.out(confidenceText(shown, this.#paint));
    if (!this.#quiet) this.#io.out(asideText(rows, this.#paint));
    if (!this.#quiet || shown.length > 0 || dishonesty.length > 0) {
      this.#io.out(summaryText(told, this.#paint));
      this.#io.out(`${this.#paint("dim", `the matrix: ${file}`)}\n`);
    }
  }
}
