/** `quorumlab fuzz`: runs generated scenarios of many seeds and saves failures. */
import { join } from "node:path";
import { INVARIANTS } from "../../invariants/catalogue.ts";
import { painter } from "../../report/paint.ts";
import { seedSource, seedsOf } from "../../search/fuzz/guided-seeds.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import { type GeneratorOptions, runSeed, type SeedRun } from "../../search/fuzz/seed-run.ts";
import { Course, type FailureClass, Tally } from "../../search/fuzz/tally.ts";
import {
  type Args,
  type Command,
  type CommandOptions,
  EXIT,
  type ExitCode,
  textOf,
  texts,
  UsageError,
} from "../command.ts";
import { writeInFolder } from "../files.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import { runJobs, workersFor } from "../jobs/workers.ts";
import {
  BUG_OPTION,
  FIRST_SEED_OPTION,
  firstSeedOf,
  GUIDED_OPTION,
  JUNIT_OPTION,
  NODE_OPTION,
  nodesOption,
  OUT_OPTION,
  OUTPUT_OPTIONS,
  PROFILE_OPTION,
  profileIn,
  reportOption,
  reportRun,
  SEEDS_MAX,
  textOption,
  threadsOf,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { CiReport, type CommandOutput, outputOf } from "../output.ts";
import type { ReportedRun } from "../report-file.ts";
import { drawCommandLine, nodesText, quoteForShell, reportOfRun, versions } from "../reproduce.ts";
import { FROM_OPTION, fromOption } from "../written-scenarios.ts";
import {
  coverageLines,
  type FailureReport,
  failureLine,
  failureText,
  fuzzSummaryLine,
  fuzzSummaryText,
  METRIC_NAMES,
  progressLine,
  requestOf,
  runsText,
  slowLines,
  thresholdOf,
} from "./report.ts";

/** Maximum of the time limit in seconds: eleven days. */
const SECONDS_MAX = 1_000_000;
const OUT = "reports/fuzz";

/** Options in the order of the help text. */
const FUZZ_OPTIONS: CommandOptions = {
  seeds: textOption("number of seeds", "200"),
  seed: FIRST_SEED_OPTION,
  time: textOption(
    "time limit in seconds; a run stopped inside counts as unfinished and does not affect the exit code",
  ),
  workers: textOption("threads; they do not affect the results"),
  profile: PROFILE_OPTION,
  from: FROM_OPTION,
  guided: GUIDED_OPTION,
  "stop-after": textOption("stop after this many failing runs"),
  threshold: {
    ...textOption(`condition on percentages of operations or runs: ${METRIC_NAMES.join(", ")}; repeatable`),
    array: true,
  },
  bug: BUG_OPTION,
  node: NODE_OPTION,
  out: { ...OUT_OPTION, default: OUT },
  report: reportOption("the first failure"),
  junit: JUNIT_OPTION,
  ...OUTPUT_OPTIONS,
};

export const fuzzCommand: Command = {
  examples: [
    ["$0 fuzz --seeds 2000", "two thousand runs; failures are saved in reports/fuzz"],
    ["$0 fuzz --bug hidden-locks --stop-after 1", "how soon a known-bad variant is detected"],
    ["$0 fuzz --threshold 'final>=40'", "exit code 1 too if fewer of the drawn operations become final"],
    ["$0 fuzz --from mine.yaml --seeds 60", "sixty neighbours of a scenario that you wrote"],
    ["$0 fuzz --seeds 100000 --profile deep --time 18000 --json", "large networks for up to five hours"],
  ],
  options: FUZZ_OPTIONS,
  run: async (args, io) => new Campaign(args, io).run(),
};

/** One call of the command: runs the seeds, and reports and saves the results. */
class Campaign {
  readonly #args: Args;
  readonly #io: Io;
  readonly #options: FuzzOptions;
  readonly #output: CommandOutput;
  readonly #ci: CiReport;
  readonly #start: number;
  readonly #cpuStart: number;
  readonly #course = new Course();
  readonly #tally: Tally;
  #first: ReportedRun | undefined;

  constructor(args: Args, io: Io) {
    this.#args = args;
    this.#io = io;
    this.#options = fuzzOptions(args);
    this.#output = outputOf(args, io);
    this.#ci = new CiReport(io, "quorumlab fuzz", args);
    this.#start = io.now();
    this.#cpuStart = io.cpu();
    const { nodes, from } = this.#options.generator;
    // Shortcomings are judged only for whole profiles: external nodes lack parts of a world, and a neighbour follows its file.
    this.#tally = new Tally(nodes === undefined && from === undefined);
  }

  async run(): Promise<ExitCode> {
    const tally = this.#tally;
    const isInterrupted = await this.#runSeeds();
    this.#output.progress.clear();
    const notRun = isInterrupted ? this.#options.seeds.length - tally.runs : 0;
    const missed = this.#options.thresholds.filter(({ isMet }) => !isMet(tally));
    const shortcomings = [
      ...tally.shortcomings,
      ...missed.map(({ text, valueIn }) => `${text} is missed, at ${valueIn(tally).toFixed(1)} %`),
    ];
    await this.#ci.write({
      notRun,
      checks: { names: INVARIANTS, shortcomings },
      result: [runsText(tally.runs, tally.failed, tally.classes.length, painter(false)), ...shortcomings].join("; "),
    });
    this.#end({ shortcomings, notRun });
    await reportRun(this.#args, this.#first, this.#io);
    if (isInterrupted) return EXIT.interrupted;
    return tally.failed > 0 || shortcomings.length > 0 ? EXIT.failed : EXIT.expected;
  }

  /**
   * Runs seeds until their end, a limit or an interrupt; returns true after an interrupt. A run stopped inside counts as
   * unfinished, neither passed nor failed. The first run of a failure class is repeated. @throws the errors of workers.
   */
  async #runSeeds(): Promise<boolean> {
    const { generator, seeds, isGuided, stopAfter, threads } = this.#options;
    const [source, tally, work] = [seedSource(seeds, isGuided), this.#tally, new InterruptibleWork(this.#io)];
    const end = this.#start + (this.#options.milliseconds ?? Number.POSITIVE_INFINITY);
    const isStopped = async (): Promise<boolean> => (await work.isStopped()) || this.#io.now() >= end;
    await runJobs({
      workers: workersFor({ kind: "fuzz", settings: generator, threads, isStopped, now: () => this.#io.now() }),
      take: () => source.take(),
      onResult: async (run, seed) => {
        if (run === undefined) {
          tally.unfinished.push(seed);
          return undefined;
        }
        const { counts, failing, ms } = run;
        source.onRun(counts);
        const failure = tally.add(counts);
        if (failing !== undefined && failure !== undefined) {
          if (failure.seeds[0] === seed) await repeatRun(failing, generator, this.#io);
          this.#report(failing, failure, ms);
        }
        this.#course.noteSlowRun({ seed, events: counts.events, ms });
        if (this.#output.json && this.#course.isDue(tally.runs)) this.#io.out(this.#progressLine());
        this.#show();
        return stopAfter !== undefined && tally.failed >= stopAfter ? "end" : undefined;
      },
    });
    return work.isInterrupted;
  }

  #report(run: SeedRun, failure: FailureClass, wallMs: number): void {
    const { generator, out } = this.#options;
    const { json, paint, progress } = this.#output;
    const { seed, scenario, result } = run;
    const isFirst = failure.seeds[0] === seed;
    const path = pathOf(out, failure);
    const file = isFirst ? `${path}.yaml` : "";
    this.#first ??= { path: file, seed };
    const saved = reportOfRun({ id: scenario.name, file, result, wallMs }, generator.nodes);
    const shrink = isFirst ? saveFailure(path, run, failure, generator, saved.replay) : undefined;
    const drawn = drawCommandLine(generator, seed, this.#options.from);
    const report = isFirst ? saved : { ...saved, replay: drawn, explain: undefined };
    const failureReport: FailureReport = { run, failure, report, shrink };
    progress.clear();
    this.#io.out(json ? `${failureLine(failureReport, generator)}\n` : failureText(failureReport, paint));
    this.#ci.noteRun({ ...report, file: `${path}.yaml` }, { check: failure.signature.invariant });
  }

  #progressLine(): string {
    return progressLine(this.#tally, this.#io.now() - this.#start);
  }

  #show(): void {
    const { runs, failed } = this.#tally;
    const { seeds, milliseconds } = this.#options;
    const { progress } = this.#output;
    if (milliseconds === undefined) {
      progress.at(runs, seeds.length, `${failed} failed`);
      return;
    }
    const elapsed = this.#io.now() - this.#start;
    const rate = (runs / (Math.max(1, elapsed) / 1_000)).toFixed(0);
    const left = Math.max(0, Math.ceil((milliseconds - elapsed) / 1_000));
    progress.upTo(runs, seeds.length, `${rate} a second, ${failed} failed, ${left} s left`);
  }

  #end(results: { readonly shortcomings: readonly string[]; readonly notRun: number }): void {
    const tally = this.#tally;
    const { json, quiet, paint } = this.#output;
    const end = { ...results, wallMs: this.#io.now() - this.#start, cpuMs: this.#io.cpu() - this.#cpuStart };
    const { format: _format, node: _node, ...program } = versions();
    if (json) {
      const { generator, seeds } = this.#options;
      const request = requestOf(generator, seeds[0] ?? "", seeds.length);
      const course = `${this.#course.isOpen(tally.runs) ? this.#progressLine() : ""}${slowLines(this.#course)}`;
      this.#io.out(`${course}${coverageLines(tally)}${fuzzSummaryLine(tally, end, request, program)}`);
    }
    if (!json && (!quiet || tally.failed > 0)) this.#io.out(fuzzSummaryText(tally, end, program, paint));
  }
}

/** @throws UsageError for invalid options. */
function fuzzOptions(args: Args) {
  const seconds = wholeNumber(args, "time", 1, SECONDS_MAX);
  return {
    generator: {
      profile: profileIn(args),
      bug: variantOption(args),
      nodes: nodesOption(args),
      from: fromOption(args),
    },
    /** Files and folders whose neighbours are drawn. */
    from: texts(args, "from"),
    /** Seeds, in the order of an unguided campaign. */
    seeds: seedsIn(args),
    /** True if rare coverage points determine the next seeds. */
    // A mutated world may need features that the validators of `--node` lack.
    isGuided: args["guided"] === true && args["node"] === undefined,
    thresholds: texts(args, "threshold").map(thresholdOf),
    /** Limit of failing runs. */
    stopAfter: wholeNumber(args, "stop-after", 1, SEEDS_MAX),
    /** Time limit. */
    milliseconds: seconds === undefined ? undefined : seconds * 1_000,
    threads: threadsOf(args),
    out: textOf(args, "out") ?? OUT,
  };
}

type FuzzOptions = ReturnType<typeof fuzzOptions>;

function seedsIn(args: Args): readonly string[] {
  const first = textOf(args, "seed") ?? "";
  const count = wholeNumber(args, "seeds", 1, SEEDS_MAX) ?? 1;
  if (!/^\d{1,30}(~\d{1,9})+$/.test(first)) return seedsOf(firstSeedOf(args), count);
  if (count > 1) throw new UsageError(`--seed: ${first} is a mutation, which has no next seed; use --seeds 1`);
  return [first];
}

/** Returns the path of the files of a failure class, without the extension. */
function pathOf(out: string, { signature: { invariant, slot }, seeds: [first] }: FailureClass): string {
  return join(out, `${invariant}-${slot}-${first}`);
}

/** Writes a path's `.yaml` and `.json`, with the command that replays it; returns the one that minimizes it. */
function saveFailure(
  path: string,
  { seed, scenario, result }: SeedRun,
  failure: FailureClass,
  { profile, bug, nodes }: GeneratorOptions,
  replay: string,
): string {
  const file = `${path}.yaml`;
  const shrink = `quorumlab shrink ${quoteForShell(file)} --seed ${seed}${nodesText(nodes)}`;
  const head = [...result.reason.split("\n").slice(0, 8), `reproduce: ${replay}`, `minimize: ${shrink}`];
  const { verdict, reason, hash, steps, violations } = result;
  const facts = {
    seed,
    profile,
    bug: bug ?? null,
    failure_signature: failure.signature,
    verdict,
    reason,
    hash,
    steps,
    violations,
    replay,
    ...versions(),
  };
  writeInFolder(file, scenarioText(scenario, head, seed));
  writeInFolder(`${path}.json`, `${JSON.stringify(facts, null, 2)}\n`);
  return shrink;
}

/** Repeats a run in this thread, at its cost. @throws Error if the hashes differ. */
export async function repeatRun(
  { seed, result: { hash } }: Pick<SeedRun, "seed" | "result">,
  generator: GeneratorOptions,
  io: Pick<Io, "interrupted">,
): Promise<void> {
  // Lets this thread take results of the other threads. An interrupt does not end a repetition.
  const interrupted = async (): Promise<false> => {
    await io.interrupted();
    return false;
  };
  const { result } = await new InterruptibleWork({ interrupted }).finish(runSeed(seed, generator));
  if (result.hash !== hash)
    throw new Error(`seed ${seed} is not deterministic: hash ${hash} in its run, ${result.hash} when repeated`);
}
