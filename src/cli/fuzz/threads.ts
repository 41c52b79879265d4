/** Number of worker threads. */
import { availableParallelism } from "node:os";
import type { Args } from "../command.ts";
import { wholeNumber } from "../numbers.ts";
import { THREADS_DEFAULT, THREADS_MAX } from "./limits.ts";

/** Returns `--workers`; default: the available parallelism, up to a limit. @throws UsageError for too many. */
export function threadsOf(args: Args): number {
  return wholeNumber(args, "workers", 1, THREADS_MAX) ?? Math.min(THREADS_DEFAULT, availableParallelism());
}
