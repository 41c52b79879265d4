/** How fast a level is explored: what an earlier call reached of it does not count. */
export class Pace {
  #since: number;
  #from = 0;

  /** Times are milliseconds of one clock. */
  constructor(now: number) {
    this.#since = now;
  }

  /** Another level begins, with so many states that are reached already. */
  begin(now: number, states: number): void {
    this.#since = now;
    this.#from = states;
  }

  /** Milliseconds in this level. */
  lasted(now: number): number {
    return now - this.#since;
  }

  /** States a second; 0 where no time has passed. */
  rate(states: number, now: number): number {
    const lasted = this.lasted(now);
    return lasted > 0 ? Math.round(((states - this.#from) / lasted) * 1_000) : 0;
  }
}
