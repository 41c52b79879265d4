/** Reporters of `run`: each takes the results of all files, and writes them to stdout or into a file. */
import { type Paint, painter } from "../../report/paint.ts";
import {
  type RunReport,
  type RunSummary,
  runLine,
  runText,
  summaryLine,
  summaryText,
} from "../../report/run-report.ts";
import type { Problem } from "../../schema/problem.ts";
import { UsageError } from "../command.ts";
import { writeInFolder } from "../files.ts";
import type { Io } from "../io.ts";
import { CiReport, jsonLine } from "../output.ts";

export interface Reporter {
  /** `text`: of the file. */
  ran(run: RunReport, text: string): void;
  refused(path: string, id: string, problems: readonly Problem[]): void;
  /** @throws where a file cannot be written */
  end(summary: RunSummary): Promise<void>;
}

export const REPORTERS = ["text", "json", "junit", "github"] as const;

type ReporterName = (typeof REPORTERS)[number];

/** Reporter as the command line names it; without a file it writes to stdout. */
export interface ReporterChoice {
  readonly name: ReporterName;
  readonly file: string | undefined;
}

/** Returns the reporter of `junit=report.xml`. @throws UsageError for anything else. */
export function reporterChoice(text: string): ReporterChoice {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  const known = REPORTERS.find((reporter) => reporter === name);
  const file = at < 0 || at === text.length - 1 ? undefined : text.slice(at + 1);
  if (known === undefined || (at >= 0 && file === undefined))
    throw new UsageError(`--reporter: expected ${REPORTERS.join(", ")}, or one with =FILE behind it, got "${text}"`);
  if (known === "junit" && file === undefined) throw new UsageError("--reporter: junit needs a file: junit=report.xml");
  return { name: known, file };
}

/** Returns a reporter. `quiet`: text about failures alone. */
export function reporterOf({ name, file }: ReporterChoice, io: Io, quiet: boolean, paint: Paint): Reporter {
  const lines: string[] = [];
  const write = file === undefined ? (text: string) => io.out(text) : (text: string) => void lines.push(text);
  const close = (): void => {
    if (file !== undefined) writeInFolder(file, lines.join(""));
  };
  switch (name) {
    case "text":
      return textReporter(write, close, quiet, file === undefined ? paint : painter(false));
    case "json":
      return jsonReporter(write, close);
    case "junit":
      return ciReporter(new CiReport(io, "quorumlab run", { file, annotates: false }), () => undefined);
    case "github":
      return ciReporter(
        new CiReport({ ...io, out: write }, "quorumlab run", { file: undefined, annotates: true }),
        close,
      );
  }
}

function textReporter(write: (text: string) => void, close: () => void, quiet: boolean, paint: Paint): Reporter {
  return {
    ran: (run) => {
      if (!quiet || run.result.verdict !== "pass") write(runText(run, paint));
    },
    // The command itself names them on stderr.
    refused: () => undefined,
    end: async (summary) => {
      if (!quiet || summary.failed > 0) write(summaryText(summary, paint));
      close();
    },
  };
}

function jsonReporter(write: (text: string) => void, close: () => void): Reporter {
  return {
    ran: (run) => write(`${runLine(run)}\n`),
    refused: (path, id, problems) => {
      const list = problems.map(({ line, column, message }) => ({ line, column, message }));
      write(jsonLine({ type: "refused", scenario: id, file: path, problems: list }));
    },
    end: async (summary) => {
      write(`${summaryLine(summary)}\n`);
      close();
    },
  };
}

function ciReporter(ci: CiReport, close: () => void): Reporter {
  return {
    ran: (run, text) => ci.noteRun(run, text),
    refused: (path, id, problems) => ci.noteRefused(path, id, problems),
    end: async ({ notRun = 0 }) => {
      await ci.write({ notRun });
      close();
    },
  };
}
