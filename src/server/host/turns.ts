/** Turns of reads, traces and other long work, so that they leave at least half of the time to writes. */

/** Work of one turn (milliseconds): some dozen small reads, or one slice of long work. */
const TURN_MS = 5;

export class Turns {
  readonly #isBusy: () => boolean;
  readonly #tasks: (() => void)[] = [];
  /** A turn is due or under way. */
  #isScheduled = false;
  /** Time of one task in the last turn (milliseconds). */
  #taskMs = 1;

  /** `isBusy`: writes are under way, so each turn is followed by a rest of its length. */
  constructor(isBusy: () => boolean) {
    this.#isBusy = isBusy;
  }

  /** Carries out a task, at once if nothing else is under way. Its microtasks belong to its turn; it must not throw. */
  add(task: () => void): void {
    if (!this.#isScheduled && !this.#isBusy()) {
      task();
      return;
    }
    this.#tasks.push(task);
    if (!this.#isScheduled) this.#schedule();
  }

  /** Carries out a slice of long work in a turn of the event loop of its own; resolves with its result. */
  slice<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      setImmediate(() =>
        this.add(() => {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        }),
      );
    });
  }

  #schedule(): void {
    this.#isScheduled = true;
    let [begin, count] = [0, 0];
    setImmediate(() => {
      begin = performance.now();
      const tasks = this.#tasks.splice(0, Math.max(1, Math.floor(TURN_MS / this.#taskMs)));
      count = tasks.length;
      for (const task of tasks) task();
    });
    // In the same round of the event loop, after all that the tasks left to the queues of promises and ticks.
    setImmediate(() => {
      const took = performance.now() - begin;
      this.#taskMs = took / count;
      this.#isScheduled = false;
      if (this.#tasks.length === 0 && !this.#isBusy()) return;
      this.#isScheduled = true;
      setTimeout(() => this.#end(), this.#isBusy() ? took : 0).unref();
    });
  }

  #end(): void {
    if (this.#tasks.length > 0) this.#schedule();
    else this.#isScheduled = false;
  }
}

/** Work that is carried out one piece after the other, with a bound on what waits. */
export class WorkQueue {
  readonly #limit: number;
  /** Pieces that wait, with the one under way. */
  #count = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves with the result of the work, once all earlier work has ended; returns `undefined` beyond the limit. */
  add<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#count >= this.#limit) return undefined;
    this.#count += 1;
    const result = this.#last.then(work).finally(() => {
      this.#count -= 1;
    });
    // The caller gets the error; the queue continues.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
