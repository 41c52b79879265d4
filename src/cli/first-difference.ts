/** Report of the first event in which two runs differ. */
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";

/** Lines of context before it. */
const BEFORE = 3;

/** Compares the lines of every event; the exit code is 0 if they are equal. */
export function printFirstDifference(left: readonly string[], right: readonly string[], io: Io): ExitCode {
  const at = left.findIndex((line, index) => line !== right[index]);
  if (at < 0 && left.length === right.length) {
    io.out(`same  ${left.length} lines of events\n`);
    return EXIT.expected;
  }
  const place = at < 0 ? left.length : at;
  for (const line of left.slice(Math.max(0, place - BEFORE), place)) io.out(`  ${line}\n`);
  io.out(`- ${left[place] ?? "(the end)"}\n+ ${right[place] ?? "(the end)"}\n`);
  return EXIT.failed;
}
