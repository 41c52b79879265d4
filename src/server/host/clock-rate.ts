/** Mapping from real to virtual time at a variable rate. */
import type { Millis } from "../../core/base/ids.ts";
import { LAG_MS } from "../limits.ts";

export class ClockRate {
  #real: number;
  #virtual: number;
  /** Virtual milliseconds for each real one; 0: virtual time is stopped. */
  #rate = 1;

  constructor(real: number, virtual: Millis) {
    this.#real = real;
    this.#virtual = virtual;
  }

  get rate(): number {
    return this.#rate;
  }

  /** Returns the virtual time due at a real one. */
  target(real: number): Millis {
    return Math.floor(this.#virtual + Math.max(0, real - this.#real) * this.#rate) as Millis;
  }

  /** Returns the real milliseconds from `real` until this virtual time; `undefined` at rate 0. */
  until(virtual: Millis, real: number): number | undefined {
    if (this.#rate === 0) return undefined;
    return Math.max(0, (virtual - this.#virtual) / this.#rate - (real - this.#real));
  }

  /** Sets `virtual` at `real`: after an advance, a revert, or when the world lags. */
  rebase(real: number, virtual: Millis): void {
    this.#real = real;
    this.#virtual = virtual;
  }

  /** Gives up the difference if the world, now at `virtual`, lags too far. */
  rebaseIfLagging(real: number, virtual: Millis): void {
    if (this.target(real) - virtual > LAG_MS * Math.max(1, this.#rate)) this.rebase(real, virtual);
  }

  /** `rate`: finite, and at least 0. */
  set(real: number, virtual: Millis, rate: number): void {
    this.rebase(real, virtual);
    this.#rate = rate;
  }
}
