/** Output of a command: text or JSON, colours, progress, and reports for CI. */
import { appendFileSync } from "node:fs";
import type { CampaignChecks, CheckedRun, UnrunFile } from "../report/junit.ts";
import { type Paint, painter, REDRAW } from "../report/paint.ts";
import {
  annotation,
  commandText,
  type RunReport,
  type StepFailure,
  stepSummary,
  workflowCommand,
} from "../report/run-report.ts";
import { type Problem, problemText } from "../schema/problem.ts";
import { type Args, textOf } from "./command.ts";
import { writeInFolder } from "./files.ts";
import { type Io, painterFor, wantsColours } from "./io.ts";

export type CommandOutput = ReturnType<typeof outputOf>;

/** Returns the settings of `--json`, `--quiet` and `--progress`, which are all optional. */
export function outputOf(args: Args, io: Io) {
  const quiet = args["quiet"] === true;
  return {
    /** One JSON object a line. */
    json: args["json"] === true,
    /** Failures and nothing else. */
    quiet,
    paint: painterFor(io),
    progress: createProgress(io, quiet ? "none" : (textOf(args, "progress") ?? "auto")),
  };
}

/** Returns an object as one line of JSON. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** End of a command, for its report. */
interface ReportEnd {
  /** Runs that an interrupt prevented. */
  readonly notRun?: number;
  /** Of a campaign, whose passing runs are no cases of their own. */
  readonly checks?: CampaignChecks;
  /** Result as a text: `3 scenarios, 2 passed`. */
  readonly result: string;
}

/** Collects the runs of one command. */
export class CiReport {
  readonly #io: Io;
  readonly #suite: string;
  readonly #file: string | undefined;
  readonly #annotates: boolean;
  readonly #startedAt = new Date();
  readonly #start: number;
  readonly #runs: CheckedRun[] = [];
  readonly #failures: StepFailure[] = [];
  readonly #unrun: UnrunFile[] = [];

  constructor(io: Io, suite: string, args: Args) {
    this.#io = io;
    this.#suite = suite;
    this.#file = textOf(args, "junit");
    // On GitHub's runner; not beside lines of JSON, which annotations would corrupt.
    this.#annotates = io.env["GITHUB_ACTIONS"] === "true" && args["json"] !== true;
    this.#start = io.now();
  }

  /** `text`: of the scenario file, in which annotations point at unmet expectations. `check`: that a run of `fuzz` failed. */
  noteRun(run: RunReport, { text, check }: { readonly text?: string; readonly check?: string }): void {
    const { verdict, reason } = run.result;
    if (this.#file !== undefined) this.#runs.push({ run, check });
    if (verdict === "pass") return;
    this.#failures.push([verdict, run.id, reason, commandText(run)]);
    if (this.#annotates) this.#io.out(annotation(run, text));
  }

  noteRefused(file: string, id: string, problems: readonly Problem[]): void {
    const message = problems.map((problem) => problemText(file, problem)).join("\n");
    if (this.#file !== undefined) this.#unrun.push({ id, file, message });
    this.#failures.push(["refused", id, message, ""]);
    if (!this.#annotates) return;
    for (const { line, message: text } of problems) this.#io.out(workflowCommand(file, line, "not a scenario", text));
  }

  /** @throws where the file, or the page of the job, cannot be written. */
  async write({ notRun = 0, checks, result }: ReportEnd): Promise<void> {
    const page = this.#io.env["GITHUB_STEP_SUMMARY"];
    if (page !== undefined && page !== "") appendFileSync(page, stepSummary(this.#suite, result, this.#failures));
    if (this.#file === undefined) return;
    // Imported here: the XML library takes longer to load than most commands run.
    const { caseOfRun, casesOfCampaign, caseOfUnrun, junitText, notRunCase } = await import("../report/junit.ts");
    const end = { startedAt: this.#startedAt, wallMs: this.#io.now() - this.#start };
    const cases = [
      ...(checks === undefined
        ? this.#runs.map(({ run }) => caseOfRun(this.#suite, run))
        : casesOfCampaign(this.#suite, checks, this.#runs, end.wallMs)),
      ...this.#unrun.map((unrun) => caseOfUnrun(this.#suite, unrun)),
      ...(notRun === 0 ? [] : [notRunCase(this.#suite, notRun)]),
    ];
    writeInFolder(this.#file, junitText(this.#suite, cases, end));
  }
}

export interface Progress {
  /** `done` of `all` parts of the work. */
  at(done: number, all: number, text: string): void;
  /** Work that ends when it has found its end, at the latest with `most` parts. */
  upTo(done: number, most: number, text: string): void;
  /** Removes what is drawn, at the end and for results on the same terminal. */
  clear(): void;
}

const NOTHING: Progress = {
  at: () => undefined,
  upTo: () => undefined,
  clear: () => undefined,
};

/** `auto`: redrawn, on a terminal only. `plain`: lines. `none`: nothing. */
export function createProgress(io: Io, mode: string): Progress {
  if (mode === "plain") {
    const line = (done: number, all: number, text: string): void => io.err(`${done}/${all} ${text}\n`);
    return { ...NOTHING, at: line, upTo: line };
  }
  // A terminal without control sequences cannot redraw a line.
  if (mode === "none" || !io.errIsTerminal || io.env["TERM"] === "dumb") return NOTHING;
  return new DrawnProgress(io);
}

/** Milliseconds between two pictures: a reader sees no more, and a terminal is slow. */
const REDRAWN_MS = 100;
/** Milliseconds after which the time that is left is told: earlier ones jump. */
const SETTLED_MS = 2_000;
const BAR = 24;
/** Columns of a terminal that does not say how many it has. */
const COLUMNS = 80;

class DrawnProgress implements Progress {
  readonly #io: Io;
  readonly #paint: Paint;
  readonly #start: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(io: Io) {
    this.#io = io;
    this.#paint = painter(wantsColours(io, io.errIsTerminal));
    this.#start = io.now();
  }

  at(done: number, all: number, text: string): void {
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const filled = Math.round(share * BAR);
    const bar = `${this.#paint("good", "█".repeat(filled))}${this.#paint("dim", "░".repeat(BAR - filled))}`;
    const elapsed = this.#io.now() - this.#start;
    const isSettled = elapsed >= SETTLED_MS && share > 0 && share < 1;
    const left = isSettled ? `, ${durationText((elapsed * (1 - share)) / share)} left` : "";
    const facts = `${done}/${all}${this.#rate(done)}${left}`;
    this.#draw(`${bar} ${facts}`, BAR + 1 + facts.length, text);
  }

  upTo(done: number, most: number, text: string): void {
    const facts = `${done}, at most ${most}`;
    this.#draw(facts, facts.length, text);
  }

  clear(): void {
    if (this.#isDrawn) this.#io.err(REDRAW);
    this.#isDrawn = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  #rate(done: number): string {
    const seconds = (this.#io.now() - this.#start) / 1_000;
    if (seconds <= 0 || done === 0) return "";
    const rate = done / seconds;
    return `, ${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)} a second`;
  }

  /** Draws one line, cut at the width of the terminal. `width`: columns of `head`, which may have colours. */
  #draw(head: string, width: number, text: string): void {
    const now = this.#io.now();
    if (now - this.#drawnAt < REDRAWN_MS) return;
    this.#drawnAt = now;
    const room = Math.max(0, (this.#io.errColumns ?? COLUMNS) - width - 3);
    this.#io.err(`${REDRAW}${head}  ${text.slice(0, room)}`);
    this.#isDrawn = true;
  }
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
