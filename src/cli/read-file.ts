/** Files that are named on the command line, read and understood. */
import type { Result } from "../core/base/result.ts";
import { readText } from "../scenario/files.ts";
import { type Problem, problemText } from "../scenario/problem.ts";
import type { Io } from "./io.ts";

/** What a reader makes of a file's text. */
export type Reader<T> = (text: string) => Result<T, readonly Problem[]>;

/** What a file holds, or everything that is wrong with it: also that it cannot be read. */
export function readAs<T>(path: string, read: Reader<T>): Result<T, readonly Problem[]> {
  const text = readText(path);
  return text.ok ? read(text.value) : { ok: false, error: [text.error] };
}

/** What a file holds; `undefined` where it does not, which is told. */
export function readOrTell<T>(path: string, read: Reader<T>, io: Io): T | undefined {
  const result = readAs(path, read);
  if (result.ok) return result.value;
  for (const problem of result.error) io.err(`${problemText(path, problem)}\n`);
  return undefined;
}
