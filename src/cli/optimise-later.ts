/** V8's patience, for the process of a command and its threads (decision 040). */
import v8 from "node:v8";
import type { Host } from "../server/host/real-host.ts";

/** Final operations after which a network counts as one that serves for long. */
const WARM_FINALS = 200;

/**
 * A run has hundreds of warm functions that meet new shapes for minutes. The V8 of Node 20 optimises each early, then
 * deoptimises and compiles it again: it gets eight times its usual patience, and a quarter of the usual bound for the
 * code that it copies into a function. Most of what a world makes outlives a young generation of 1 MiB: that of a thread
 * begins with 16. Later versions have other heuristics. Call it before anything else runs.
 */
export function optimiseLater(): void {
  setFlags(["--interrupt-budget=528000", "--max-inlined-bytecode-size-cumulative=230", "--min-semi-space-size=16"]);
}

/**
 * Keeps the young generation as small as it is, for a process that may wait for long: what it allocates while it loads
 * would otherwise leave 8 MB behind, which V8 never gives back to the system. Call it before anything else is loaded.
 */
export function staySmall(): void {
  setFlags(["--semi-space-growth-factor=1"]);
}

/**
 * Lets V8 optimise as usual once a served network has made some hundred operations final: optimised code takes as many to
 * pay for itself. A network at rest stays small: its young generation grows from the first one on.
 */
export function optimiseOnceWarm(host: Pick<Host, "subscribe">): void {
  let finals = 0;
  const end = host.subscribe(({ type }) => {
    if (type !== "final") return;
    finals += 1;
    if (finals === 1) setFlags(["--semi-space-growth-factor=2"]);
    if (finals < WARM_FINALS) return;
    end();
    setFlags(["--interrupt-budget=67584", "--max-inlined-bytecode-size-cumulative=920"]);
  });
}

function setFlags(flags: readonly string[]): void {
  if (process.versions.v8.startsWith("11.")) for (const flag of flags) v8.setFlagsFromString(flag);
}
