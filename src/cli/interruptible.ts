/** Interruptible work in slices. */
import type { Io } from "./io.ts";

export class InterruptibleWork {
  readonly #io: Io;
  #isInterrupted = false;

  constructor(io: Io) {
    this.#io = io;
  }

  /** True after an interrupt: later work ends at its first slice. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Works to the end or to an interrupt. `seen` is called with every yielded value. */
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
