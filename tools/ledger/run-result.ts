/** Run of one scenario file by the command line of a build. */
import { type ProgramResult, run } from "./program.ts";
import type { Reproduction } from "./row.ts";

/** The run line, a contract with users' programs and so equal in every build. */
export interface RanFile {
  readonly type: "run";
  readonly verdict: "pass" | Reproduction["verdict"];
  readonly reason?: string;
  readonly violations: readonly { readonly invariant: string; readonly detail: string }[];
  readonly unmet?: readonly string[];
}

/** The build rejects the file. */
export interface RefusedFile {
  readonly type: "refused";
  /** Lines count from 1. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

export type RunResult = RanFile | RefusedFile;

/** Runs a file with seed 1. @throws Error if the build prints neither a run nor a problem */
export function runResult(main: string, file: string, folder: string): RunResult {
  const ended = run(process.execPath, [main, "run", file, "--seed", "1", "--json"], folder);
  const lines = ended.out.split("\n").filter((line) => line.startsWith("{"));
  const results = lines.map((line) => JSON.parse(line) as RunResult | { readonly type: "summary" });
  for (const result of results) if (result.type !== "summary") return result;
  throw new Error(`${main} run ${file} printed no result: ${wordsOf(ended)}`);
}

function wordsOf({ code, out, err }: ProgramResult): string {
  return `exit code ${code}\n${(err + out).trim()}`;
}
