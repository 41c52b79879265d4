/** Interface of scheduling methods. */
import type { Thread } from "./threads.ts";

/** Scheduling method. `memory` is plain immutable data, replaced and never mutated, so that forks share it. */
export interface Method<Memory = unknown> {
  readonly memory: Memory;
  /**
   * `ready`: all threads that may run, never empty, in the order of time of their next events. Deterministic; returns
   * one of them.
   */
  pick(ready: readonly Thread[], memory: Memory): { readonly thread: Thread; readonly memory: Memory };
}

/** Method with its state in a world. */
export interface Schedule {
  readonly method: Method;
  readonly memory: unknown;
  /** Largest departure from the order of time, virtual milliseconds. */
  readonly windowMs: number;
}
