/** What a method of scheduling is to the world. */
import type { Thread } from "./threads.ts";

/** A way to pick. `memory` is plain immutable data, replaced and never changed, so that forks share it. */
export interface Method<Memory = unknown> {
  readonly memory: Memory;
  /**
   * `ready`: all threads that may go, never empty, in the order of time of their next events. The same threads and
   * memory give the same answer, which is one of them.
   */
  pick(ready: readonly Thread[], memory: Memory): { readonly thread: Thread; readonly memory: Memory };
}

/** A method at work in a world. */
export interface Schedule {
  readonly method: Method;
  readonly memory: unknown;
  /** How far it may depart from the order of time, virtual milliseconds. */
  readonly windowMs: number;
}
