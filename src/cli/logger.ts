/** Logs as JSON lines on stderr, never mixed with results. */
import { pino } from "pino";
import type { Io } from "./io.ts";

export interface Logger {
  debug(fields: Readonly<Record<string, string | number | boolean>>, message: string): void;
}

/** A logger of the level asked for. Fields are plain: pino would round big integers. */
export function createLogger(io: Io, level: string): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => io.err(line) },
  );
}
