/** `quorumlab run`: runs of scenario files with one verdict each. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BACKENDS } from "../../backends/secp256k1.ts";
import { painter } from "../../report/paint.ts";
import { type RunSummary, runLine, runText, summaryLine, summaryText } from "../../report/run-report.ts";
import { withTranscript } from "../../run/events/transcript.ts";
import type { PlainResult } from "../../run/verdict.ts";
import { findScenarios, type ScenarioFile } from "../../scenario/files.ts";
import { type Problem, problemText } from "../../schema/problem.ts";
import { seedsOf } from "../../search/fuzz/guided-seeds.ts";
import { type Args, type Command, EXIT, type ExitCode, higherSeverity, textOf, texts, UsageError } from "../command.ts";
import { writeInFolder } from "../files.ts";
import type { Io } from "../io.ts";
import { runJobs, workersFor } from "../jobs/workers.ts";
import {
  ALLOW_COMMANDS_OPTION,
  FILE_SEED_OPTION,
  firstSeedOf,
  flagOption,
  JUNIT_OPTION,
  NODE_OPTION,
  nodesOption,
  OUTPUT_OPTIONS,
  reportOption,
  reportRun,
  textArgument,
  textOption,
  threadsOf,
  wholeNumber,
} from "../options.ts";
import { CiReport, type CommandOutput, jsonLine, outputOf } from "../output.ts";
import type { ReportedRun } from "../report-file.ts";
import { reportOfRun } from "../reproduce.ts";
import { type FileOutcome, type FileRun, type RunSettings, schemeOf } from "./execution.ts";
import { SeedVerdicts, severityOf } from "./seed-verdicts.ts";

const FAILURES_MAX = 999_999;
/** Seeds of one call. */
const RUNS_MAX = 1_000_000;
/** Files for which another thread is worth its start. */
const FILES_PER_THREAD = 40;

export const runCommand: Command = {
  examples: [
    ["$0 run scenarios", "all scenarios in a folder and below"],
    ["$0 run scenarios/rules/payments/payment.yaml --seed 7 --json", "one scenario under another seed, as JSON"],
    ["$0 run 'scenarios/**/*burn*.yaml' --bail", "the files of a pattern, up to the first failure"],
    ["$0 run scenarios --tag slow", "those with a tag"],
    ["$0 run mine.yaml --seeds 200", "one scenario under the seeds 1 to 200: a line for each verdict"],
  ],
  positionals: { files: textArgument("scenario files, folders, or patterns in quotes") },
  options: {
    seed: { ...FILE_SEED_OPTION, description: `${FILE_SEED_OPTION.description}; 1..20: these seeds` },
    seeds: textOption("number of seeds, from --seed on", "1"),
    tag: { ...textOption("only scenarios with this tag, or one of several"), array: true },
    shard: textOption("part of the files: 2/8 is the second of eight"),
    bail: { type: "string", description: "stop after the first failure, or after this many" },
    workers: textOption(`threads; default: one for each ${FILES_PER_THREAD} files, at most the cores of this machine`),
    crypto: {
      ...textOption(
        "secp256k1 signatures (real: the fastest implementation that loads; or one by name), or a faster keyed hash in their place (stand-in)",
        "stand-in",
      ),
      choices: ["real", ...BACKENDS, "stand-in"],
    },
    node: NODE_OPTION,
    "allow-commands": ALLOW_COMMANDS_OPTION,
    report: reportOption("the worst failure, else of the last run"),
    out: textOption("folder for certificates and proofs of each run"),
    update: flagOption("write the events of each run into its file as `transcript`, which later runs must repeat"),
    junit: JUNIT_OPTION,
    ...OUTPUT_OPTIONS,
  },
  run: async (args, io) => new RunBatch(args, io).runAll(texts(args, "files")),
};

/** One pass over files: its results so far. */
class RunBatch {
  readonly #args: Args;
  readonly #io: Io;
  readonly #options: RunOptions;
  readonly #output: CommandOutput;
  readonly #ci: CiReport;
  #code: ExitCode = EXIT.expected;
  #done = 0;
  #runs = 0;
  #passed = 0;
  #leftOut = 0;
  /** The run of the report, and the rank of its verdict: the first of the worst, else the last. */
  #reported: (ReportedRun & { readonly severity: number }) | undefined;
  /** The verdicts of a file under several seeds, so far. */
  #verdicts: SeedVerdicts | undefined;

  constructor(args: Args, io: Io) {
    this.#args = args;
    this.#io = io;
    this.#options = runOptions(args);
    this.#output = outputOf(args, io);
    this.#ci = new CiReport(io, "quorumlab run", args);
  }

  async runAll(paths: readonly string[]): Promise<ExitCode> {
    const start = this.#io.now();
    const { settings, shard } = this.#options;
    const { files: all, problems } = findScenarios(paths);
    const files = all.filter((_, place) => place % shard.count === shard.index - 1);
    for (const { path, message } of problems)
      this.#refuse(path, path, [{ line: 1, column: 1, message, source: undefined }]);
    const usual = Math.min(threadsOf({}), Math.ceil(files.length / FILES_PER_THREAD));
    const runs = files.length * this.#options.seeds.length;
    const threads = Math.min(this.#options.threads ?? (runs > files.length ? threadsOf({}) : usual), runs);
    await this.#runFiles(files, threads);
    this.#output.progress.clear();
    this.#showVerdicts();
    const isInterrupted = this.#code === EXIT.interrupted;
    const summary: RunSummary = {
      ...{ runs: this.#runs, passed: this.#passed, failed: this.#runs - this.#passed, leftOut: this.#leftOut },
      ...{ notRun: runs - this.#done, isInterrupted, wallMs: this.#io.now() - start },
    };
    const { json, quiet, paint } = this.#output;
    if (json) this.#io.out(`${summaryLine(summary)}\n`);
    else if (!quiet || summary.failed > 0) this.#io.out(summaryText(summary, paint, this.#word));
    const result = summaryText(summary, painter(false), this.#word).trim();
    await this.#ci.write({ notRun: runs - this.#done, result });
    if (this.#runs === 0 && this.#leftOut > 0 && shard.count === 1)
      throw new UsageError(
        settings.nodes === undefined
          ? `--tag: expected a tag of one of these files, got ${settings.tags.join(", ")}`
          : "--node: expected a file in which these validators can take part; every one is left out",
      );
    await reportRun(this.#args, this.#reported, this.#io);
    return this.#code;
  }

  get #word(): string {
    return this.#hasSeeds ? "run" : "scenario";
  }

  get #hasSeeds(): boolean {
    return this.#options.seeds.length > 1;
  }

  async #runFiles(files: readonly ScenarioFile[], threads: number): Promise<void> {
    const { settings, seeds } = this.#options;
    const runs = files.length * seeds.length;
    const runAt = (place: number): FileRun => {
      const file = files[Math.floor(place / seeds.length)] as ScenarioFile;
      return { ...file, seed: seeds[place % seeds.length] };
    };
    let taken = 0;
    const isStopped = async (): Promise<boolean> => {
      if (await this.#io.interrupted()) this.#code = EXIT.interrupted;
      return this.#code === EXIT.interrupted;
    };
    const show = (place: number): void => this.#output.progress.at(place + 1, runs, runAt(place).id);
    await runJobs({
      workers: workersFor({ kind: "run", settings, threads, isStopped, now: () => this.#io.now() }),
      take: () => {
        // One thread shows the file that it runs; several show the last one whose result is known.
        if (threads <= 1 && taken < runs) show(taken);
        return taken < runs ? runAt(taken++) : undefined;
      },
      onResult: (outcome, file, place) => {
        if (threads > 1) show(place);
        this.#take(file, outcome);
        return this.#isOver ? "end" : undefined;
      },
    });
  }

  /** True after an interrupt, and after the last failure that is allowed. */
  get #isOver(): boolean {
    const { bail } = this.#options;
    return this.#code === EXIT.interrupted || (bail !== undefined && this.#runs - this.#passed >= bail);
  }

  #take(file: FileRun, outcome: FileOutcome): void {
    if (outcome.status !== "ran") {
      this.#done++;
      // A file that does not run is told of once, whatever the number of its seeds.
      if (file.seed !== this.#options.seeds[0]) return;
      if (outcome.status === "refused") this.#refuse(file.path, file.id, outcome.problems);
      else this.#leftOut++;
      if (outcome.status === "unfit") this.#reportUnfit(file, outcome.needs);
      return;
    }
    const { text, result, proofs, isComplete, wallMs } = outcome;
    const { settings, out } = this.#options;
    this.#code = higherSeverity(this.#code, isComplete ? this.#codeOf(result) : EXIT.interrupted);
    this.#report(file, text, result, wallMs);
    const severity = severityOf(result.verdict);
    const { severity: worst = severity } = this.#reported ?? {};
    if (severity < worst || (severity === worst && (this.#reported === undefined || result.verdict === "pass")))
      this.#reported = { path: file.path, seed: result.seed, nodes: settings.nodes, severity };
    // A run that an interrupt ended is not run, unless it has failed before.
    if (!isComplete && result.verdict !== "violation") return;
    this.#done++;
    this.#runs++;
    if (result.verdict === "pass") this.#passed++;
    if (!isComplete) return;
    if (settings.writesTranscripts && result.verdict !== "error")
      writeFileSync(file.path, withTranscript(text, result.transcript));
    if (out === undefined) return;
    const folder = this.#hasSeeds ? join(out, file.id, `seed-${result.seed}`) : join(out, file.id);
    for (const [name, content] of proofs) writeInFolder(join(folder, name), content);
  }

  /** An abort of the program is a fault of its own, but for a validator of others: there it is what the run finds. */
  #codeOf({ verdict }: PlainResult): ExitCode {
    if (verdict === "pass") return EXIT.expected;
    return verdict === "error" && this.#options.settings.nodes === undefined ? EXIT.internal : EXIT.failed;
  }

  #report(file: FileRun, text: string, result: PlainResult, wallMs: number): void {
    const id = this.#hasSeeds ? `${file.id}, seed ${result.seed}` : file.id;
    const { crypto, nodes } = this.#options.settings;
    const ran = reportOfRun({ id, file: file.path, result, wallMs }, nodes);
    const report = crypto === "stand-in" ? ran : { ...ran, replay: `${ran.replay} --crypto real` };
    const { json, quiet, paint, progress } = this.#output;
    progress.clear();
    if (json) this.#io.out(`${runLine({ ...report, id: file.id })}\n`);
    else if (this.#hasSeeds) {
      if (this.#verdicts?.path !== file.path) this.#showVerdicts();
      this.#verdicts ??= new SeedVerdicts(file);
      this.#verdicts.add(report);
    } else if (!quiet || result.verdict !== "pass") this.#io.out(runText(report, paint));
    this.#ci.noteRun(report, { text });
  }

  #showVerdicts(): void {
    const { quiet, paint } = this.#output;
    if (this.#verdicts !== undefined && (!quiet || this.#verdicts.hasFailed)) this.#io.out(this.#verdicts.text(paint));
    this.#verdicts = undefined;
  }

  /** Names a file that the validators of `--node` cannot take part in. */
  #reportUnfit({ id, path }: ScenarioFile, needs: readonly string[]): void {
    const { json, quiet, progress } = this.#output;
    progress.clear();
    if (json) this.#io.out(jsonLine({ type: "left_out", scenario: id, file: path, needs }));
    else if (!quiet) this.#io.out(`left out  ${id}: needs ${needs.join(", ")}\n`);
  }

  /** Counts an invalid file as a failure and continues with the others. */
  #refuse(path: string, id: string, problems: readonly Problem[]): void {
    this.#code = higherSeverity(this.#code, EXIT.usage);
    this.#runs++;
    this.#output.progress.clear();
    for (const problem of problems) this.#io.err(`${problemText(path, problem)}\n`);
    const list = problems.map(({ line, column, message }) => ({ line, column, message }));
    if (this.#output.json) this.#io.out(jsonLine({ type: "refused", scenario: id, file: path, problems: list }));
    this.#ci.noteRefused(path, id, problems);
  }
}

/** Returns the seeds of `--seed` and `--seeds`; `undefined`: that of each file. @throws UsageError for no number where there are several, and for too many. */
function seedsOption(args: Args): readonly (string | undefined)[] {
  const text = textOf(args, "seed");
  const count = wholeNumber(args, "seeds", 1, RUNS_MAX) ?? 1;
  const [, from, to] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(text ?? "") ?? [];
  if (from === undefined || to === undefined) return count === 1 ? [text] : seedsOf(firstSeedOf(args), count);
  const inRange = Number(to) - Number(from) + 1;
  if (inRange < 1 || inRange > RUNS_MAX || count !== 1)
    throw new UsageError(
      `--seed: expected an ascending range of at most ${RUNS_MAX} seeds, such as 1..20, and no --seeds beside it, got "${text}"`,
    );
  return seedsOf(BigInt(from), inRange);
}

/** Part of the files: the `index`-th of `count`, from 1 on. */
type Shard = Readonly<{ index: number; count: number }>;

/** Returns the shard of `2/8`, the second of eight; the default is everything. @throws UsageError for anything else. */
function shardOf(text = "1/1"): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > count) throw new UsageError(`--shard: expected a part such as 2/8, got "${text}"`);
  return { index, count };
}

/** @throws UsageError for invalid options. */
function runOptions(args: Args) {
  const settings: RunSettings = {
    crypto: textOf(args, "crypto") ?? "stand-in",
    writesTranscripts: args["update"] === true,
    writesProofs: args["out"] !== undefined,
    tags: texts(args, "tag"),
    nodes: nodesOption(args),
  };
  schemeOf(settings.crypto);
  const bail = textOf(args, "bail");
  const seeds = seedsOption(args);
  if (seeds.length > 1 && settings.writesTranscripts)
    throw new UsageError("--update: expected one seed, since a file holds the events of one run");
  return {
    settings,
    seeds,
    shard: shardOf(textOf(args, "shard")),
    /** Failures after which the command stops. */
    bail: bail === "" ? 1 : wholeNumber(args, "bail", 1, FAILURES_MAX),
    threads: args["workers"] === undefined ? undefined : threadsOf(args),
    /** Folder for certificates and proofs; `undefined`: none are written. */
    out: textOf(args, "out"),
  };
}

type RunOptions = ReturnType<typeof runOptions>;
