/** How many threads a command may start. */
import { availableParallelism } from "node:os";
import type { Args } from "../command.ts";
import { wholeOf } from "../whole.ts";
import { THREADS_DEFAULT, THREADS_MAX } from "./limits.ts";

/** What `--workers` asks for; where it is not given, as many as the machine has use for. @throws UsageError for too many. */
export function threadsOf(args: Args): number {
  return wholeOf(args, "workers", 1, THREADS_MAX) ?? Math.min(THREADS_DEFAULT, availableParallelism());
}
