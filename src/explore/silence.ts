/**
 * What a validator can say next, however much it hears in silence before.
 *
 * A step is silent that signs nothing and is no crash. Nobody else sees it: what others can do hangs on what is signed, and
 * that only grows. So in any run each silent step may wait until right before its validator next signs something or
 * crashes, or for ever if it never does: it is possible then, too, leads to the same life, and takes nothing from anybody.
 * (Lipton calls such a step a right mover.) The run that is left goes through the same sets of signatures in the same order.
 * So an exploration need not count the states in between. From each state it looks at every life that its validators reach
 * in silence, and the next states are those behind whatever they sign from there.
 *
 * Nothing that is checked escapes. Conflicts and amnesia show in what is signed. What is checked of a life against the
 * signatures that there are, its decisions and barriers, is checked in every life that is reached in silence. And whatever
 * life a validator was in while some set was signed, it is among those: leave out of that run whatever all the others
 * heard since they last spoke, and it ends in a state that is counted, with that set, from which this life is reached in
 * silence.
 *
 * For the same reason nobody need listen more than needed before it speaks: of two lives that have signed the same, one that
 * the other one reaches in silence is left out, since all that follows from it follows from the other one.
 */
import { OUTLOOKS_MAX } from "./limits.ts";
import type { Lives } from "./lives.ts";
import type { Situation } from "./situations.ts";
import type { Way } from "./way.ts";

/** A life behind the next thing that others notice. */
export interface Turn {
  readonly life: number;
  /** Whether a crash leads there. */
  readonly isCrash: boolean;
}

/** What can come of a life in a situation. */
export interface Outlook<F> {
  readonly turns: readonly Turn[];
  /** What fails in a life that is reached in silence, and in which. */
  readonly failed: { readonly life: number; readonly why: F } | undefined;
}

/** One step of a turn: the silent ones first, then the one that others notice. */
export interface Stride {
  readonly from: number;
  readonly way: Way;
}

/** The outlooks of one validator, each worked out once for all sets of signatures that make the same possible. */
export class Silence<F> {
  readonly #lives: Lives;
  readonly #delays: boolean;
  readonly #check: (life: number, signed: Int32Array) => F | undefined;
  readonly #outlooks = new Map<number, Outlook<F>>();
  readonly #reaches = new Map<number, ReadonlySet<number>>();

  /** `check` says what fails in a life where this much is signed. Without `delays` each step counts, silent or not. */
  constructor(lives: Lives, delays: boolean, check: (life: number, signed: Int32Array) => F | undefined) {
    this.#lives = lives;
    this.#delays = delays;
    this.#check = check;
  }

  /** More has become possible: nothing holds that was worked out before. */
  forget(): void {
    this.#outlooks.clear();
    this.#reaches.clear();
  }

  /** What can come of a life in a situation. */
  outlook(life: number, situation: Situation): Outlook<F> {
    const key = keyOf(life, situation.number);
    const known = this.#outlooks.get(key);
    if (known !== undefined) return known;
    if (this.#outlooks.size >= OUTLOOKS_MAX || this.#reaches.size >= OUTLOOKS_MAX) this.forget();
    const made = this.#made(life, situation);
    this.#outlooks.set(key, made);
    return made;
  }

  /** The steps of a turn, as few as can be. @throws RangeError where no steps lead there. */
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
    throw new RangeError("a state has no way from the state before it");
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

  /** Without those that others among them reach in silence; of two that reach each other the first one stays. */
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

  /** All lives that one reaches in silence, itself first. */
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

/** One number of two. */
function keyOf(life: number, situation: number): number {
  return situation * 2 ** 26 + life;
}
