/** Work in slices with somebody at the keyboard, who may stop it. */
import type { Io } from "./io.ts";

export class Attended {
  readonly #io: Io;
  #isInterrupted = false;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Whether somebody has asked to stop: whatever is finished from here on ends at its first slice. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Does the work to its end, or to where somebody stops it. `seen` is shown what it yields. */
  async finish<S, T>(work: Generator<S, T, boolean | undefined>, seen?: (slice: S) => void): Promise<T> {
    let slice = work.next();
    while (slice.done !== true) {
      seen?.(slice.value);
      this.#isInterrupted ||= await this.#io.interrupted();
      slice = work.next(this.#isInterrupted);
    }
    return slice.value;
  }
}
