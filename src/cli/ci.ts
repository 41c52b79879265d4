/** Reports for CI: a JUnit file with `--junit`, annotations on GitHub's runner. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Options } from "yargs";
import { annotation, problemAnnotation } from "../report/annotations.ts";
import type { NotRun } from "../report/junit.ts";
import type { RunReport } from "../report/run-lines.ts";
import { type Problem, problemText } from "../scenario/problem.ts";
import type { Io } from "./io.ts";
import { textOption } from "./options.ts";

export const JUNIT_OPTION: Options = textOption("a file for the results as JUnit XML");

/** Collects the runs of one command. */
export class CiReport {
  readonly #io: Io;
  readonly #suite: string;
  readonly #file: string | undefined;
  /** Off with --json: annotations would corrupt the JSON lines. */
  readonly #annotates: boolean;
  readonly #runs: RunReport[] = [];
  readonly #unrun: NotRun[] = [];

  constructor(io: Io, suite: string, file: string | undefined, isJson: boolean) {
    this.#io = io;
    this.#suite = suite;
    this.#file = file;
    this.#annotates = io.env["GITHUB_ACTIONS"] === "true" && !isJson;
  }

  ran(run: RunReport): void {
    if (this.#file !== undefined) this.#runs.push(run);
    if (this.#annotates && run.result.verdict !== "pass") this.#io.out(annotation(run));
  }

  refused(file: string, id: string, problems: readonly Problem[]): void {
    const message = problems.map((problem) => problemText(file, problem)).join("\n");
    if (this.#file !== undefined) this.#unrun.push({ id, file, message });
    if (!this.#annotates) return;
    for (const problem of problems) this.#io.out(problemAnnotation(file, problem.line, problem.message));
  }

  /** @throws where the file cannot be written. */
  async write(): Promise<void> {
    if (this.#file === undefined) return;
    // Imported here: the XML library takes longer to load than most commands run.
    const { junitText } = await import("../report/junit.ts");
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, junitText(this.#suite, this.#runs, this.#unrun));
  }
}
