/** Output of a command: text or JSON, colours, progress, and reports for CI. */

import type { Options } from "yargs";
import type { UnrunFile } from "../report/junit.ts";
import type { Paint } from "../report/paint.ts";
import { annotation, problemAnnotation, type RunReport } from "../report/run-report.ts";
import { type Problem, problemText } from "../schema/problem.ts";
import { type Args, textOf } from "./command.ts";
import { writeInFolder } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import { textOption } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";

export interface CommandOutput {
  /** One JSON object a line. */
  readonly json: boolean;
  /** Failures and nothing else. */
  readonly quiet: boolean;
  readonly paint: Paint;
  readonly progress: Progress;
}

/** Returns the settings of `--json`, `--quiet` and `--progress`, which are all optional. */
export function outputOf(args: Args, io: Io): CommandOutput {
  const quiet = args["quiet"] === true;
  return {
    json: args["json"] === true,
    quiet,
    paint: painterFor(io),
    progress: createProgress(io, quiet ? "none" : (textOf(args, "progress") ?? "auto")),
  };
}

/** Returns an object as one line of JSON. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export const JUNIT_OPTION: Options = textOption("a file for the results as JUnit XML");

/** Returns true on GitHub's runner; not beside lines of JSON, which annotations would corrupt. */
export function isAnnotated(io: Io, isJson: boolean): boolean {
  return io.env["GITHUB_ACTIONS"] === "true" && !isJson;
}

/** End of a command, for its report. */
interface ReportEnd {
  /** Runs that an interrupt prevented. */
  readonly notRun?: number;
  /** Runs that are no cases of their own, and the invariants that were judged in each. */
  readonly judged?: { readonly runs: string; readonly invariants: readonly string[] };
}

/** Collects the runs of one command. */
export class CiReport {
  readonly #io: Io;
  readonly #suite: string;
  readonly #file: string | undefined;
  readonly #annotates: boolean;
  readonly #startedAt = new Date();
  readonly #start: number;
  readonly #runs: RunReport[] = [];
  readonly #unrun: UnrunFile[] = [];

  /** `file`: of the JUnit report, if one is wanted. */
  constructor(io: Io, suite: string, { file, annotates }: { file: string | undefined; annotates: boolean }) {
    this.#io = io;
    this.#suite = suite;
    this.#file = file;
    this.#annotates = annotates;
    this.#start = io.now();
  }

  /** `text`: of the scenario file, in which annotations point at unmet expectations. */
  noteRun(run: RunReport, text?: string): void {
    if (this.#file !== undefined) this.#runs.push(run);
    if (this.#annotates && run.result.verdict !== "pass") this.#io.out(annotation(run, text));
  }

  noteRefused(file: string, id: string, problems: readonly Problem[]): void {
    const message = problems.map((problem) => problemText(file, problem)).join("\n");
    if (this.#file !== undefined) this.#unrun.push({ id, file, message });
    if (!this.#annotates) return;
    for (const problem of problems) this.#io.out(problemAnnotation(file, problem.line, problem.message));
  }

  /** @throws where the file cannot be written. */
  async write({ notRun = 0, judged }: ReportEnd = {}): Promise<void> {
    if (this.#file === undefined) return;
    // Imported here: the XML library takes longer to load than most commands run.
    const { caseOfRun, casesOfInvariants, caseOfUnrun, junitText, notRunCase } = await import("../report/junit.ts");
    const cases = [
      ...(judged === undefined ? [] : casesOfInvariants(this.#suite, judged.runs, judged.invariants, this.#runs)),
      ...this.#runs.map((run) => caseOfRun(this.#suite, run)),
      ...this.#unrun.map((one) => caseOfUnrun(this.#suite, one)),
      ...(notRun === 0 ? [] : [notRunCase(this.#suite, notRun)]),
    ];
    const end = { startedAt: this.#startedAt, wallMs: this.#io.now() - this.#start };
    writeInFolder(this.#file, junitText(this.#suite, cases, end));
  }
}
