/** Callers that wait for a condition of the network, each for a bounded time and all within a bounded number. */
import { WAITING_MAX } from "../limits.ts";

interface Waiter {
  readonly condition: () => boolean;
  readonly resolve: (isMet: boolean) => void;
}

export class ConditionWaits {
  readonly #waiters = new Set<Waiter>();
  #isEnding = false;

  /** Resolves with true once the condition holds, and with false after `ms` milliseconds, at the bound or at the end. */
  async wait(condition: () => boolean, ms: number): Promise<boolean> {
    if (condition()) return true;
    if (this.#isEnding || this.#waiters.size >= WAITING_MAX) return false;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        condition,
        resolve: (isMet) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(isMet);
        },
      };
      const timer = setTimeout(() => waiter.resolve(false), ms);
      this.#waiters.add(waiter);
    });
  }

  /** Ends the waits whose conditions hold. O(waits). */
  look(): void {
    for (const waiter of [...this.#waiters]) if (waiter.condition()) waiter.resolve(true);
  }

  /** Ends every wait, those to come included. */
  endAll(): void {
    this.#isEnding = true;
    for (const waiter of [...this.#waiters]) waiter.resolve(false);
  }
}
