/** `quorumlab run`: runs of scenario files with one verdict each. */

import { writeFileSync } from "node:fs";
import type { Logger } from "pino";
import { BACKENDS } from "../backends/secp256k1.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import { runLine, runText, summaryLine, summaryText } from "../report/run-report.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { withTranscript } from "../run/events/transcript.ts";
import { runInSlices } from "../run/run.ts";
import type { RunResult } from "../run/verdict.ts";
import { findScenarios, readText, type ScenarioFile } from "../scenario/files.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser, type ScenarioParser } from "../scenario/parse.ts";
import { type Problem, problemText } from "../scenario/problem.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type Args, type Command, EXIT, type ExitCode, higherSeverity, textOf, texts } from "./command.ts";
import { InterruptibleWork, type Io } from "./io.ts";
import {
  filesArgument,
  flagOption,
  LOG_LEVEL_OPTION,
  OUTPUT_OPTIONS,
  realSchemeOf,
  SEED_OPTION,
  textOption,
} from "./options.ts";
import { CiReport, JUNIT_OPTION, jsonLine, loggerOf, type Output, outputOf } from "./output.ts";
import { explainCommandLine, reproduceCommandLine, versions } from "./reproduce.ts";
import { writeRun } from "./write-run.ts";

export const runCommand: Command = {
  examples: [
    ["$0 run scenarios", "all scenarios in a folder and below"],
    ["$0 run scenarios/rules/payments/payment.yaml --seed 7 --json", "one scenario under another seed, as JSON"],
  ],
  positionals: { files: filesArgument("scenario files or folders") },
  options: {
    seed: SEED_OPTION,
    crypto: {
      ...textOption(
        "secp256k1 signatures (real: the fastest implementation that loads; or one by name), or a faster keyed hash in their place (stand-in)",
        "stand-in",
      ),
      choices: ["real", ...BACKENDS, "stand-in"],
    },
    out: textOption("folder for certificates and proofs of each run"),
    update: flagOption("write the events of each run into its file as `transcript`, which later runs must repeat"),
    junit: JUNIT_OPTION,
    ...OUTPUT_OPTIONS,
    "log-level": LOG_LEVEL_OPTION,
  },
  run: async (args, io) => new RunBatch(args, io).runAll(texts(args, "files")),
};

/** One call of the command: its options and its results so far. */
class RunBatch {
  readonly #io: Io;
  readonly #options: RunOptions;
  readonly #output: Output;
  readonly #logger: Logger;
  readonly #ci: CiReport;
  readonly #work: InterruptibleWork;
  readonly #parser: ScenarioParser = createParser();
  #code: ExitCode = EXIT.expected;
  #runs = 0;
  #passed = 0;

  constructor(args: Args, io: Io) {
    this.#io = io;
    this.#options = runOptions(args);
    this.#output = outputOf(args, io);
    this.#logger = loggerOf(args, io);
    this.#ci = new CiReport(io, "quorumlab run", textOf(args, "junit"), this.#output.json);
    this.#work = new InterruptibleWork(io);
  }

  async runAll(paths: readonly string[]): Promise<ExitCode> {
    const start = this.#io.now();
    const { seed, scheme } = this.#options;
    const { json, quiet, paint, progress } = this.#output;
    const { files, problems } = findScenarios(paths);
    for (const { path, message } of problems)
      this.#refuse(path, path, [{ line: 1, column: 1, message, source: undefined }]);
    this.#logger.debug({ files: files.length, seed, crypto: scheme.name }, "running");
    for (const [index, file] of files.entries()) {
      if (await this.#io.interrupted()) {
        this.#code = EXIT.interrupted;
        break;
      }
      progress.at(index + 1, files.length, file.id);
      await this.#runOne(file);
      if (this.#code === EXIT.interrupted) break;
    }
    progress.done();
    await this.#ci.write();
    const summary = {
      runs: this.#runs,
      passed: this.#passed,
      failed: this.#runs - this.#passed,
      wallMs: this.#io.now() - start,
    };
    if (json) this.#io.out(`${summaryLine(summary)}\n`);
    else if (!quiet || summary.failed > 0) this.#io.out(summaryText(summary, paint));
    return this.#code;
  }

  async #runOne(file: ScenarioFile): Promise<void> {
    const text = readText(file.path);
    const parsed = text.ok ? this.#parser.parse(text.value) : { ok: false as const, error: [text.error] };
    if (!parsed.ok) {
      this.#refuse(file.path, file.id, parsed.error);
      return;
    }
    const { seed, scheme, out, updates } = this.#options;
    const start = this.#io.now();
    const scenario = updates ? withoutTranscript(parsed.value) : parsed.value;
    // An interrupted run ends with its results so far.
    const result = await this.#work.finish(runInSlices(scenario, { seed, scheme, transcript: updates }));
    const wallMs = this.#io.now() - start;
    this.#code = higherSeverity(this.#code, this.#work.isInterrupted ? EXIT.interrupted : codeOf(result));
    this.#report(file, result, wallMs);
    // An interrupted run has no result for the rest.
    if (this.#code === EXIT.interrupted) return;
    if (updates && text.ok && result.verdict !== "error") rewriteTranscript(file.path, text.value, result.transcript);
    if (out !== undefined) writeRun(out, file.id, { scenario, result, scheme });
  }

  #report(file: ScenarioFile, result: RunResult, wallMs: number): void {
    this.#runs++;
    if (result.verdict === "pass") this.#passed++;
    this.#logger.debug({ scenario: file.id, verdict: result.verdict, steps: result.steps }, "ran");
    const { json, quiet, paint, progress } = this.#output;
    const { id, path } = file;
    const commands = { replay: this.#replay(path), explain: explainCommandLine(path, result.seed) };
    const report = { id, file: path, result, wallMs, versions: versions(), ...commands };
    progress.clear();
    if (json) this.#io.out(`${runLine(report)}\n`);
    else if (!quiet || result.verdict !== "pass") this.#io.out(runText(report, paint));
    this.#ci.ran(report);
  }

  /** Counts an invalid file as a failure and continues with the others. */
  #refuse(path: string, id: string, problems: readonly Problem[]): void {
    this.#code = higherSeverity(this.#code, EXIT.usage);
    this.#runs++;
    this.#output.progress.clear();
    for (const problem of problems) this.#io.err(`${problemText(path, problem)}\n`);
    this.#ci.refused(path, id, problems);
    if (!this.#output.json) return;
    const list = problems.map(({ line, column, message }) => ({ line, column, message }));
    this.#io.out(jsonLine({ type: "refused", scenario: id, file: path, problems: list }));
  }

  #replay(path: string): string {
    const { seed, scheme } = this.#options;
    const crypto = scheme.name === "keyed-hash" ? "" : " --crypto real";
    return `${reproduceCommandLine(path, seed)}${crypto}`;
  }
}

function codeOf({ verdict }: RunResult): ExitCode {
  if (verdict === "pass") return EXIT.expected;
  return verdict === "error" ? EXIT.internal : EXIT.failed;
}

function withoutTranscript(scenario: Scenario): Scenario {
  const { transcript: _old, ...rest } = scenario;
  return rest;
}

/** Returns the options; yargs has validated them. */
function runOptions(args: Args) {
  const crypto = textOf(args, "crypto") ?? "stand-in";
  return {
    seed: textOf(args, "seed") ?? DEFAULT_SEED,
    scheme: crypto === "stand-in" ? keyedHash : realSchemeOf(crypto),
    /** Folder for certificates and proofs; `undefined`: none are written. */
    out: textOf(args, "out"),
    /** True to write transcripts into their files. */
    updates: args["update"] === true,
  };
}

type RunOptions = ReturnType<typeof runOptions>;

/** Returns the file with its transcript replaced, or appended. */
function rewriteTranscript(path: string, text: string, events: readonly RunEvent[]): void {
  writeFileSync(path, withTranscript(text, events));
}
