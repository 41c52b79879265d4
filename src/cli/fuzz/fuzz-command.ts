/** `quorumlab fuzz`: many seeds, each a world of its own; keeps what fails. */
import { campaign, isOver } from "../../harness/fuzz/campaign.ts";
import { PROFILES } from "../../harness/fuzz/profile.ts";
import { runSeed, type SeedRun } from "../../harness/fuzz/seed-run.ts";
import { inTurn, type SeedSource } from "../../harness/fuzz/seeds.ts";
import { SteeredSeeds } from "../../harness/fuzz/steer.ts";
import { type Counted, type FailureClass, Tally } from "../../harness/fuzz/tally.ts";
import { finished } from "../../harness/sliced.ts";
import { type Paint, painter } from "../../report/paint.ts";
import { Attended } from "../attended.ts";
import { CiReport, JUNIT_OPTION } from "../ci.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION, OUT_OPTION, PROGRESS_OPTION, QUIET_OPTION, SEED_OPTION } from "../options.ts";
import { createProgress, type Progress } from "../progress.ts";
import { versions } from "../version.ts";
import { type FuzzOptions, fuzzOptions } from "./fuzz-options.ts";
import {
  failureLine,
  failureText,
  fuzzSummaryLine,
  fuzzSummaryText,
  markLines,
  type ToldFailure,
} from "./fuzz-tell.ts";
import { HAS_THREADS, runPool } from "./pool.ts";
import { saveFailure } from "./save-failure.ts";

const number = (
  description: string,
): { readonly type: "string"; readonly requiresArg: true; readonly description: string } => ({
  type: "string",
  requiresArg: true,
  description,
});

export const fuzzCommand: Command = {
  usage: "fuzz",
  description: "many seeds: random networks, workloads and faults; keeps what fails",
  examples: [
    ["$0 fuzz --seeds 2000", "two thousand worlds; what fails stands below reports/fuzz"],
    ["$0 fuzz --bug hidden-locks --stop-after 1", "how soon a known-bad variant is caught"],
    ["$0 fuzz --seeds 100000 --shard 2/8 --profile deep --json", "the second eighth of a night's campaign"],
  ],
  build: (yargs, env) =>
    yargs
      .option("seeds", fromEnv(env, "seeds", { ...number("how many seeds"), default: "200" }))
      .option("seed", fromEnv(env, "seed", { ...SEED_OPTION, description: "the number of the first seed" }))
      .option(
        "time",
        fromEnv(env, "time", number("seconds after which no seed begins; failures alone decide the exit code")),
      )
      .option("workers", fromEnv(env, "workers", number("threads; the results do not depend on it")))
      .option("shard", fromEnv(env, "shard", number("a part of the seeds: 2/8 is the second of eight")))
      .option(
        "profile",
        fromEnv(env, "profile", {
          type: "string",
          choices: PROFILES,
          default: "default",
          description: "how large the worlds are",
        }),
      )
      .option(
        "steer",
        fromEnv(env, "steer", {
          type: "boolean",
          default: false,
          description: "every second world is a mutation of one that reached what few others did",
        }),
      )
      .option("stop-after", fromEnv(env, "stop-after", number("failing runs after which it ends")))
      .option("bug", fromEnv(env, "bug", number("the known-bad variant that runs instead of the real program")))
      .option("out", fromEnv(env, "out", { ...OUT_OPTION, default: "reports/fuzz" }))
      .option("junit", fromEnv(env, "junit", JUNIT_OPTION))
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION)),
  run: async (args, io) => new Session(args, io).run(),
};

/** One call of the command. */
class Session {
  readonly #io: Io;
  readonly #options: FuzzOptions;
  readonly #seeds: readonly string[];
  readonly #source: SeedSource;
  readonly #json: boolean;
  readonly #quiet: boolean;
  readonly #paint: Paint;
  readonly #progress: Progress;
  readonly #ci: CiReport;
  readonly #start: number;
  #isInterrupted = false;

  constructor(args: Readonly<Record<string, unknown>>, io: Io) {
    this.#io = io;
    this.#options = fuzzOptions(args);
    const { seeds, steers } = this.#options;
    this.#seeds = seeds;
    this.#source = steers ? new SteeredSeeds(this.#seeds) : inTurn(this.#seeds);
    this.#json = args["json"] === true;
    this.#quiet = args["quiet"] === true;
    this.#paint = painter(wantsColours(io));
    this.#progress = createProgress(io, this.#quiet ? "none" : (textOf(args, "progress") ?? "auto"));
    this.#ci = new CiReport(io, "quorumlab fuzz", textOf(args, "junit"), this.#json);
    this.#start = io.now();
  }

  async run(): Promise<ExitCode> {
    const { threads } = this.#options;
    const tally = threads > 1 && HAS_THREADS ? await this.#runThreads() : await this.#runHere();
    this.#progress.done();
    this.#ci.write();
    const wallMs = this.#io.now() - this.#start;
    if (this.#json) this.#io.out(`${markLines(tally)}${fuzzSummaryLine(tally, wallMs)}`);
    else if (!this.#quiet || tally.failed > 0) this.#io.out(fuzzSummaryText(tally, wallMs, this.#paint));
    if (this.#isInterrupted) return EXIT.interrupted;
    return tally.failed > 0 ? EXIT.failed : EXIT.expected;
  }

  async #runHere(): Promise<Tally> {
    const { worlds, stopAfter } = this.#options;
    let runs = 0;
    let failed = 0;
    const heard = (run: SeedRun, failure: FailureClass | undefined): void => {
      runs += 1;
      if (failure !== undefined) {
        failed += 1;
        this.#tell(run, failure);
      }
      this.#show(runs, failed);
    };
    const attended = new Attended(this.#io);
    const running = campaign({ worlds, seeds: this.#source, mayBegin: () => this.#hasTime(), stopAfter, heard });
    const tally = await attended.finish(running);
    this.#isInterrupted = attended.isInterrupted;
    return tally;
  }

  #hasTime(): boolean {
    const { milliseconds } = this.#options;
    return milliseconds === undefined || this.#io.now() - this.#start < milliseconds;
  }

  async #runThreads(): Promise<Tally> {
    const { worlds, stopAfter, threads } = this.#options;
    const tally = new Tally();
    const heard = async (counted: Counted): Promise<"on" | "end"> => {
      this.#source.told(counted);
      const failure = tally.add(counted);
      if (failure !== undefined) this.#tell(this.#again(counted), failure);
      this.#show(tally.runs, tally.failed);
      this.#isInterrupted = await this.#io.interrupted();
      return this.#isInterrupted || isOver(tally, stopAfter) ? "end" : "on";
    };
    const worker = new URL("./worker.js", import.meta.url);
    const mayBegin = (): boolean => this.#hasTime();
    await runPool({ worker, data: worlds, take: () => this.#source.take(), threads, heard, mayBegin });
    return tally;
  }

  /** The same run in this thread, whole. @throws where it is another one. */
  #again({ seed, hash }: Counted): SeedRun {
    const run = finished(runSeed(seed, this.#options.worlds));
    if (run.result.hash === hash) return run;
    throw new Error(`seed ${seed} had the hash ${hash} in a thread and has ${run.result.hash} here`);
  }

  #tell(run: SeedRun, failure: FailureClass): void {
    const { worlds, out } = this.#options;
    const { seed, scenario, result } = run;
    const isFirst = failure.seeds[0] === seed;
    const bug = worlds.bug === undefined ? "" : ` --bug ${worlds.bug}`;
    const drawn = `quorumlab fuzz --seed ${seed} --seeds 1 --profile ${worlds.profile}${bug}`;
    const saved = isFirst
      ? saveFailure(out, run, failure, { worlds, versions: versions() })
      : { file: "", replay: drawn, shrink: undefined };
    const { file, replay, shrink } = saved;
    const told = { id: scenario.name, file, result, wallMs: 0, versions: versions(), replay };
    const one: ToldFailure = { run, failure, told, shrink };
    this.#progress.clear();
    this.#io.out(this.#json ? `${failureLine(one, worlds)}\n` : failureText(one, this.#paint));
    this.#ci.ran(told);
  }

  #show(runs: number, failed: number): void {
    const seconds = Math.max(1, this.#io.now() - this.#start) / 1_000;
    this.#progress.at(runs, this.#seeds.length, `${(runs / seconds).toFixed(0)} a second, ${failed} failed`);
  }
}
