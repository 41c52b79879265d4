/**
 * Memories of validators, and the effects of transitions on them, each computed once.
 *
 * A validator's memory, with its disk if it may crash, decides what it does next. What it signed before is in its memory
 * as far as it matters, so many local states that differ in their signatures or crashes share one memory. Interchangeable
 * validators (values.ts) share the effects too.
 */
import { entryOf } from "../core/base/entry.ts";
import type { Fingerprints } from "./fingerprint.ts";
import type { Learning } from "./learning.ts";
import type { CrashPoint, LocalState } from "./local-state.ts";

/** Memories of all validators by number, equal for equal memories of different validators. */
export class Memories {
  readonly #fingerprints: Fingerprints;
  readonly #learning: Learning;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  constructor(fingerprints: Fingerprints, learning: Learning) {
    this.#fingerprints = fingerprints;
    this.#learning = learning;
  }

  /** @throws UnknownStep in a replica that does not know it */
  numberOf(localState: Pick<LocalState, "state" | "disk">): number {
    const text = this.#fingerprints.of(localState);
    return entryOf(this.#numbers, text, () => {
      this.#learning.begin();
      return this.#texts.push(text) - 1;
    });
  }

  /** Returns the fingerprint of a memory. */
  textOf(memory: number): string {
    return this.#texts[memory] ?? "";
  }
}

/** Effect of a step on a memory, independent of the validator. */
export interface Effect {
  /** Number of the memory that it reaches. */
  readonly memory: number;
  /** Kinds of the statements that it signs, in order. */
  readonly kinds: readonly number[];
  /** Crash points of the whole step. */
  readonly crashPoints: readonly CrashPoint[];
}

/** Number of the transition of a crash without inputs. */
export const NO_TRANSITION = -1;

/** Effects by memory, transition and crash point, shared by validators that behave alike. */
export class Effects {
  readonly #whole: (Effect | undefined)[][] = [];
  readonly #cut = new Map<string, Effect>();

  get(memory: number, transition: number, crashPoint: CrashPoint | undefined): Effect | undefined {
    if (crashPoint === undefined) return this.#whole[memory]?.[transition];
    return this.#cut.get(cutKey(memory, transition, crashPoint));
  }

  set(memory: number, transition: number, crashPoint: CrashPoint | undefined, effect: Effect): void {
    if (crashPoint !== undefined) this.#cut.set(cutKey(memory, transition, crashPoint), effect);
    else {
      this.#whole[memory] ??= [];
      (this.#whole[memory] as (Effect | undefined)[])[transition] = effect;
    }
  }
}

function cutKey(memory: number, transition: number, { input, outputs }: CrashPoint): string {
  return `${memory} ${transition} ${input} ${outputs}`;
}
