/** `quorumlab run`: scenario files, one verdict each. */
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import { findScenarios, readText, type ScenarioFile } from "../harness/files.ts";
import { createParser, type ScenarioParser } from "../harness/parse.ts";
import { type Problem, problemText } from "../harness/problem.ts";
import { runInSlices } from "../harness/run.ts";
import type { Scenario } from "../harness/scenario.ts";
import type { RunResult } from "../harness/verdict.ts";
import { type Paint, painter } from "../report/paint.ts";
import { runLine, summaryLine } from "../report/run-lines.ts";
import { runText, summaryText } from "../report/run-text.ts";
import { CiReport, JUNIT_OPTION } from "./ci.ts";
import { type Command, textOf, texts } from "./command.ts";
import { EXIT, type ExitCode, graver } from "./exit-code.ts";
import { type Io, wantsColours } from "./io.ts";
import { createLogger, type Logger } from "./logger.ts";
import {
  fromEnv,
  JSON_OPTION,
  LOG_LEVEL_OPTION,
  OUT_OPTION,
  PROGRESS_OPTION,
  QUIET_OPTION,
  SEED_OPTION,
} from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { rewriteTranscript } from "./update.ts";
import { versions } from "./version.ts";
import { writeRun } from "./write-run.ts";

export const runCommand: Command = {
  usage: "run <files..>",
  description: "run scenario files, one verdict each",
  examples: [
    ["$0 run scenarios", "every scenario below the folder"],
    ["$0 run scenarios/rules/payment.yaml --seed 7 --json", "one, under another seed, for a program to read"],
  ],
  build: (yargs, env) =>
    yargs
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        description: "scenario files or folders",
      })
      .option("seed", fromEnv(env, "seed", SEED_OPTION))
      .option(
        "crypto",
        fromEnv(env, "crypto", {
          type: "string",
          choices: ["real", "stand-in"],
          default: "stand-in",
          description: "signatures: secp256k1, or a fast stand-in with the same shapes",
        }),
      )
      .option("out", fromEnv(env, "out", OUT_OPTION))
      .option(
        "update",
        fromEnv(env, "update", {
          type: "boolean",
          default: false,
          description: "write the transcript of each run into its file",
        }),
      )
      .option("junit", fromEnv(env, "junit", JUNIT_OPTION))
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION))
      .option("log-level", fromEnv(env, "log-level", LOG_LEVEL_OPTION)),
  run: async (args, io) => new Session(args, io).runAll(texts(args, "files")),
};

/** One call of the command: its options, read once, and what has come of it so far. */
class Session {
  readonly #io: Io;
  readonly #json: boolean;
  readonly #quiet: boolean;
  readonly #seed: string;
  readonly #scheme: Scheme;
  readonly #out: string | undefined;
  readonly #update: boolean;
  readonly #paint: Paint;
  readonly #logger: Logger;
  readonly #progress: Progress;
  readonly #ci: CiReport;
  readonly #parser: ScenarioParser = createParser();
  #code: ExitCode = EXIT.expected;
  #runs = 0;
  #passed = 0;

  constructor(args: Readonly<Record<string, unknown>>, io: Io) {
    this.#io = io;
    this.#json = args["json"] === true;
    this.#quiet = args["quiet"] === true;
    this.#seed = textOf(args, "seed") ?? "1";
    this.#scheme = textOf(args, "crypto") === "real" ? secp256k1 : keyedHash;
    this.#out = textOf(args, "out");
    this.#update = args["update"] === true;
    this.#paint = painter(wantsColours(io));
    this.#ci = new CiReport(io, "quorumlab run", textOf(args, "junit"), this.#json);
    this.#logger = createLogger(io, textOf(args, "log-level") ?? "warn");
    this.#progress = createProgress(io, this.#quiet ? "none" : (textOf(args, "progress") ?? "auto"));
  }

  async runAll(paths: readonly string[]): Promise<ExitCode> {
    const start = this.#io.now();
    const { files, problems } = findScenarios(paths);
    for (const { path, message } of problems)
      this.#refuse(path, path, [{ line: 1, column: 1, message, source: undefined }]);
    this.#logger.debug({ files: files.length, seed: this.#seed, crypto: this.#scheme.name }, "running");
    for (const [index, file] of files.entries()) {
      if (await this.#io.interrupted()) {
        this.#code = EXIT.interrupted;
        break;
      }
      this.#progress.at(index + 1, files.length, file.id);
      await this.#runOne(file);
      if (this.#code === EXIT.interrupted) break;
    }
    this.#progress.done();
    this.#ci.write();
    const summary = {
      runs: this.#runs,
      passed: this.#passed,
      failed: this.#runs - this.#passed,
      wallMs: this.#io.now() - start,
    };
    if (this.#json) this.#io.out(`${summaryLine(summary)}\n`);
    else if (!this.#quiet || summary.failed > 0) this.#io.out(summaryText(summary, this.#paint));
    return this.#code;
  }

  async #runOne(file: ScenarioFile): Promise<void> {
    const text = readText(file.path);
    const parsed = text.ok ? this.#parser.parse(text.value) : { ok: false as const, error: [text.error] };
    if (!parsed.ok) {
      this.#refuse(file.path, file.id, parsed.error);
      return;
    }
    const start = this.#io.now();
    const scenario = this.#update ? withoutTranscript(parsed.value) : parsed.value;
    const result = await this.#run(scenario);
    const wallMs = this.#io.now() - start;
    this.#code = graver(this.#code, codeOf(result));
    this.#tell(file, result, wallMs);
    // What was cut short says nothing about the rest.
    if (this.#code === EXIT.interrupted) return;
    if (this.#update && text.ok && result.verdict !== "error")
      rewriteTranscript(file.path, text.value, result.transcript);
    if (this.#out !== undefined) writeRun(this.#out, file.id, { scenario, result, scheme: this.#scheme });
  }

  /** Looks for signals between slices of the run: one that is interrupted ends with what it has found. */
  async #run(scenario: Scenario): Promise<RunResult> {
    const run = runInSlices(scenario, { seed: this.#seed, scheme: this.#scheme });
    let slice = run.next();
    while (slice.done !== true) {
      const stop = await this.#io.interrupted();
      if (stop) this.#code = EXIT.interrupted;
      slice = run.next(stop);
    }
    return slice.value;
  }

  #tell(file: ScenarioFile, result: RunResult, wallMs: number): void {
    this.#runs++;
    if (result.verdict === "pass") this.#passed++;
    this.#logger.debug({ scenario: file.id, verdict: result.verdict, steps: result.steps }, "ran");
    const told = {
      id: file.id,
      file: file.path,
      result,
      wallMs,
      versions: versions(),
      replay: this.#replay(file.path),
    };
    this.#progress.clear();
    if (this.#json) this.#io.out(`${runLine(told)}\n`);
    else if (!this.#quiet || result.verdict !== "pass") this.#io.out(runText(told, this.#paint));
    this.#ci.ran(told);
  }

  /** A file that cannot be run is a failure of its own; the others go on. */
  #refuse(path: string, id: string, problems: readonly Problem[]): void {
    this.#code = graver(this.#code, EXIT.usage);
    this.#runs++;
    this.#progress.clear();
    for (const problem of problems) this.#io.err(`${problemText(path, problem)}\n`);
    this.#ci.refused(path, id, problems);
    if (!this.#json) return;
    const list = problems.map(({ line, column, message }) => ({ line, column, message }));
    this.#io.out(`${JSON.stringify({ type: "refused", scenario: id, file: path, problems: list })}\n`);
  }

  #replay(path: string): string {
    const crypto = this.#scheme.name === "keyed-hash" ? "" : " --crypto real";
    return `quorumlab run ${quoted(path)} --seed ${quoted(this.#seed)}${crypto}`;
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

/** As a shell reads it back. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
