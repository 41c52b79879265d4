/** V8's patience, for the process of a command and its threads (decision 040). */
import v8 from "node:v8";

/**
 * A run has hundreds of warm functions that meet new shapes for minutes. The V8 of Node 20 optimises each early, then
 * deoptimises and compiles it again: it gets eight times its usual patience. Later versions have other heuristics, and do
 * not know the flag. Call it before anything else runs.
 */
export function optimiseLater(): void {
  if (process.versions.v8.startsWith("11.")) v8.setFlagsFromString("--interrupt-budget=528000");
}
