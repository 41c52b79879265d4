/** Rate of an exploration's level, without the states that an earlier call reached. */
export class Throughput {
  #since: number;
  #from = 0;

  /** Times are milliseconds of one clock. */
  constructor(now: number) {
    this.#since = now;
  }

  /** Starts a level with `reached` states. */
  begin(now: number, states: number): void {
    this.#since = now;
    this.#from = states;
  }

  /** Milliseconds in this level. */
  lasted(now: number): number {
    return now - this.#since;
  }

  /** States per second; 0 if no time has passed. */
  rate(states: number, now: number): number {
    const lasted = this.lasted(now);
    return lasted > 0 ? Math.round(((states - this.#from) / lasted) * 1_000) : 0;
  }
}
