/** Step of a path as text: receiver, input, and crash point. */
import type { CrashPoint } from "./local-state.ts";

/** Receiver, input, and crash point of one step. */
export interface PathStep {
  readonly who: string;
  readonly what: string;
  readonly cut: CrashPoint | undefined;
}
