/** Which virtual time belongs to a real one: they run alike, slower, faster, or not at all. */
import type { Millis } from "../../core/base/ids.ts";
import { LAG_MS } from "./limits.ts";

export class Pace {
  #real: number;
  #virtual: number;
  /** Virtual milliseconds for each real one; 0: time stands still. */
  #rate = 1;

  constructor(real: number, virtual: Millis) {
    this.#real = real;
    this.#virtual = virtual;
  }

  get rate(): number {
    return this.#rate;
  }

  /** The virtual time that it should be. */
  target(real: number): Millis {
    return Math.floor(this.#virtual + Math.max(0, real - this.#real) * this.#rate) as Millis;
  }

  /** How many real milliseconds from `real` on until this virtual time; `undefined` where it never comes. */
  until(virtual: Millis, real: number): number | undefined {
    if (this.#rate === 0) return undefined;
    return Math.max(0, (virtual - this.#virtual) / this.#rate - (real - this.#real));
  }

  /** From here on it is `virtual` at `real`: after an advance, a return, or where the world could not keep up. */
  rebase(real: number, virtual: Millis): void {
    this.#real = real;
    this.#virtual = virtual;
  }

  /** The world has come to `virtual`: where that is too far behind, the difference is given up. */
  reached(real: number, virtual: Millis): void {
    if (this.target(real) - virtual > LAG_MS * Math.max(1, this.#rate)) this.rebase(real, virtual);
  }

  /** @throws RangeError for a rate that is negative or no number. */
  set(real: number, virtual: Millis, rate: number): void {
    if (!Number.isFinite(rate) || rate < 0) throw new RangeError(`rate: expected a number from 0, got ${rate}`);
    this.rebase(real, virtual);
    this.#rate = rate;
  }
}
