/** One step of a path, in words: who got what, and where a crash struck. */
import type { Cut } from "./life.ts";

/** What happened to whom. */
export interface PathStep {
  readonly who: string;
  readonly what: string;
  readonly cut: Cut | undefined;
}
