/** Logs as JSON lines on stderr, never mixed with results. */
import { type Logger, pino } from "pino";
import { type Args, textOf } from "./command.ts";
import type { Io } from "./io.ts";

/** A logger of the level that `--log-level` asks for. Fields are plain: pino would round big integers. */
export function loggerOf(args: Args, io: Io): Logger {
  const level = textOf(args, "log-level") ?? "warn";
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => io.err(line) },
  );
}
