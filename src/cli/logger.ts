/** Log of a command on stderr. Its package is loaded with this file, which only commands that log import. */
import { type Logger, pino } from "pino";
import { type Args, textOf } from "./command.ts";
import type { Io } from "./io.ts";

/** Returns a logger of the level `--log-level`. Fields must be plain: pino rounds big integers. */
export function loggerOf(args: Args, io: Io): Logger {
  const level = textOf(args, "log-level") ?? "warn";
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => io.err(line) },
  );
}
