/** Programs that the ledger runs: git, the compiler, the command line of a build. */
import { spawnSync } from "node:child_process";

/** Commits before the file's own that are asked in turn whether the bug shows there; each costs a build. */
export const ANCESTORS = 6;
/** Longest time that one program may take, in ms: a build takes half a minute, on a busy machine several. */
export const PROGRAM_MS = 600_000;
/** Most that a program may print, in bytes: a run prints two lines. */
export const OUTPUT_BYTES = 16_777_216;
/** Characters of a violation's detail in a row. */
export const DETAIL_LENGTH = 160;
/** Digits of a commit's hash in a row. */
export const HASH_DIGITS = 7;

/** Result of a program. */
export interface ProgramResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end. @throws Error if it does not start, times out or is killed by a signal */
export function run(program: string, args: readonly string[], folder: string): ProgramResult {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    timeout: PROGRAM_MS,
    maxBuffer: OUTPUT_BYTES,
  });
  const line = [program, ...args].join(" ");
  if (error !== undefined) throw new Error(`${line}: ${error.message}`, { cause: error });
  if (status === null) throw new Error(`${line} was ended by ${signal}`);
  return { code: status, out: stdout, err: stderr };
}

/** Returns the output of a program. @throws Error with its output if it fails. */
export function programOutput(program: string, args: readonly string[], folder: string): string {
  const { code, out, err } = run(program, args, folder);
  if (code === 0) return out.trim();
  throw new Error(`${[program, ...args].join(" ")} failed with ${code}\n${(err + out).trim()}`);
}
