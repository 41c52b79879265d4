/** Programs that the ledger runs: git, the compiler, the command line of a build. */
import { spawnSync } from "node:child_process";
import { OUTPUT_BYTES, PROGRAM_MS } from "./limits.ts";

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
