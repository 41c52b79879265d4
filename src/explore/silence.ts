/**
 * Partial-order reduction: visible steps of a validator with the invisible steps before them.
 *
 * A step is invisible if it signs nothing and is no crash. It does not affect others: their transitions depend on
 * signatures, which only accumulate. So in any run each invisible step can be delayed until right before its validator
 * next signs or crashes, or for ever if it never does: it is still enabled there, reaches the same local state, and
 * disables nothing. (Lipton calls such a step a right mover.) The remaining run has the same signature sets in the same
 * order, so an exploration need not count the states in between. From each state it visits all local states that its
 * validators reach by invisible steps; the next states are those behind their next visible steps.
 *
 * The reduction hides no violation. Conflicts and amnesia show in signatures. Decisions and barriers, which are checked
 * against the existing signatures, are checked in every local state that is reached by invisible steps. And each local
 * state that a validator can have beside a given signature set is among those: remove from that run all invisible steps
 * of the others since their last visible ones, and it ends in a counted state with that set, from which the local state
 * is reached by invisible steps.
 *
 * For the same reason a validator need not take more invisible steps than necessary before a visible one: of two local
 * states with equal signatures, one that the other reaches by invisible steps is left out, since all its successors are
 * reached from the other one.
 */
import { OUTLOOKS_MAX } from "./limits.ts";
import type { Lives } from "./lives.ts";
import type { Situation } from "./situations.ts";
import type { Way } from "./way.ts";

/** Local state behind a visible step. */
export interface Turn {
  readonly life: number;
  /** True if a crash leads there. */
  readonly isCrash: boolean;
}

/** Successors of a local state under a class of enabled transitions. */
export interface Outlook<F> {
  readonly turns: readonly Turn[];
  /** Failed check in a local state reached by invisible steps, and that state. */
  readonly failed: { readonly life: number; readonly why: F } | undefined;
}

/** Edge of a path segment: invisible steps first, then the visible one. */
export interface Stride {
  readonly from: number;
  readonly way: Way;
}

/** Successors of one validator's local states, computed once for all signature sets of a class. */
export class Silence<F> {
  readonly #lives: Lives;
  readonly #delays: boolean;
  readonly #check: (life: number, signed: Int32Array) => F | undefined;
  readonly #outlooks = new Map<number, Outlook<F>>();
  readonly #reaches = new Map<number, ReadonlySet<number>>();

  /**
   * `check` returns the failure in a local state, given the signatures. Without `delays` each step counts as visible.
   */
  constructor(lives: Lives, delays: boolean, check: (life: number, signed: Int32Array) => F | undefined) {
    this.#lives = lives;
    this.#delays = delays;
    this.#check = check;
  }

  /** Clears the cache, because more transitions are possible. */
  forget(): void {
    this.#outlooks.clear();
    this.#reaches.clear();
  }

  /** Returns the successors of a local state under a class of enabled transitions. */
  outlook(life: number, situation: Situation): Outlook<F> {
    const key = keyOf(life, situation.number);
    const known = this.#outlooks.get(key);
    if (known !== undefined) return known;
    if (this.#outlooks.size >= OUTLOOKS_MAX || this.#reaches.size >= OUTLOOKS_MAX) this.forget();
    const made = this.#made(life, situation);
    this.#outlooks.set(key, made);
    return made;
  }

  /** Returns the shortest path segment to a successor. @throws RangeError if there is none. */
  strides(from: number, to: number, situation: Situation): readonly Stride[] {
    const cameBy = new Map<number, Stride | undefined>([[from, undefined]]);
    for (const at of cameBy.keys()) {
      let last: Stride | undefined;
      this.#lives.onwards(at, situation, (way) => {
        if (way.life === to) last ??= { from: at, way };
        else if (this.#isSilent(at, way) && !cameBy.has(way.life)) cameBy.set(way.life, { from: at, way });
      });
      if (last !== undefined) return backFrom(last, cameBy);
    }
    throw new RangeError("a state is no successor of the state before it");
  }

  #made(life: number, situation: Situation): Outlook<F> {
    const turns = new Map<number, Turn>();
    let failed: Outlook<F>["failed"];
    for (const at of this.#reach(life, situation)) {
      const why = at === life ? undefined : this.#check(at, situation.signed);
      if (why !== undefined) failed ??= { life: at, why };
      this.#lives.onwards(at, situation, (way) => {
        if (!this.#isSilent(at, way)) turns.set(way.life, { life: way.life, isCrash: way.cut !== undefined });
      });
    }
    return { turns: this.#leastHeard([...turns.values()], situation), failed };
  }

  /** Removes successors that others reach by invisible steps; of two that reach each other the first one stays. */
  #leastHeard(turns: readonly Turn[], situation: Situation): readonly Turn[] {
    if (!this.#delays) return turns;
    const reaches = turns.map(({ life }) => this.#reach(life, situation));
    return turns.filter(
      ({ life }, place) =>
        !reaches.some(
          (reach, other) =>
            other !== place &&
            reach.has(life) &&
            !(place < other && reaches[place]?.has((turns[other] as Turn).life) === true),
        ),
    );
  }

  /** Returns all local states reached by invisible steps, the given one first. */
  #reach(life: number, situation: Situation): ReadonlySet<number> {
    const key = keyOf(life, situation.number);
    const known = this.#reaches.get(key);
    if (known !== undefined) return known;
    const reach = new Set([life]);
    for (const at of reach) {
      this.#lives.onwards(at, situation, (way) => {
        if (this.#isSilent(at, way)) reach.add(way.life);
      });
    }
    this.#reaches.set(key, reach);
    return reach;
  }

  #isSilent(from: number, { life, cut }: Way): boolean {
    return this.#delays && cut === undefined && this.#lives.saidAlike(from, life);
  }
}

function backFrom(last: Stride, cameBy: ReadonlyMap<number, Stride | undefined>): readonly Stride[] {
  const strides = [last];
  for (let stride = cameBy.get(last.from); stride !== undefined; stride = cameBy.get(stride.from)) strides.push(stride);
  return strides.reverse();
}

/** Packs two numbers into one. */
function keyOf(life: number, situation: number): number {
  return situation * 2 ** 26 + life;
}
