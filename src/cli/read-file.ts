/** Reading and parsing of files named on the command line. */
import type { Result } from "../core/base/result.ts";
import { readText } from "../scenario/files.ts";
import { type Problem, problemText } from "../scenario/problem.ts";
import type { Io } from "./io.ts";

/** Result of parsing a file's text. */
export type Reader<T> = (text: string) => Result<T, readonly Problem[]>;

/** Returns the parsed file, or all problems, including that it cannot be read. */
export function readAs<T>(path: string, read: Reader<T>): Result<T, readonly Problem[]> {
  const text = readText(path);
  return text.ok ? read(text.value) : { ok: false, error: [text.error] };
}

/** Returns the parsed file; reports problems on stderr and returns `undefined`. */
export function readOrReport<T>(path: string, read: Reader<T>, io: Io): T | undefined {
  const result = readAs(path, read);
  if (result.ok) return result.value;
  for (const problem of result.error) io.err(`${problemText(path, problem)}\n`);
  return undefined;
}
