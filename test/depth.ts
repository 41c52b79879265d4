/** Depth of this call: `npm test`, `npm run nightly` or `npm run soak`. */
import { inject } from "vitest";

export const depth = inject("depth");

/** Returns the number of runs for this call. */
export function runsFor(counts: Readonly<Record<typeof depth, number>>): number {
  return counts[depth];
}
