/** Transitions of the explorer: inputs delivered together to one validator, with their guards. */

import { hasBit } from "./bits.ts";
import type { Journal } from "./journal.ts";
import type { Timeless } from "./life.ts";
import { NEVER, type Need, type NeedTree, treeOf } from "./need.ts";
import type { Has } from "./stage.ts";

export interface Stimulus {
  /** Unique description, equal for equal transitions in all explorations of a scenario. */
  readonly label: string;
  readonly need: Need;
  /** Builds the inputs with existing signatures. */
  readonly build: (has: Has) => readonly Timeless[];
}

/** Transitions by number, in the order in which they became possible; their guards weaken as statements are added. */
export class Stimuli {
  readonly all: Stimulus[] = [];
  readonly trees: NeedTree[] = [];
  /** Guards by the same numbers while the Byzantine validator is silent. */
  readonly silentTrees: NeedTree[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #inputs: (readonly Timeless[] | undefined)[] = [];
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Adds new transitions and replaces the guards of known ones. */
  learn(stimuli: readonly Stimulus[]): void {
    for (const stimulus of stimuli) {
      if (stimulus.need.length === 0) continue;
      const number = this.#numbers.get(stimulus.label) ?? this.all.length;
      this.#numbers.set(stimulus.label, number);
      this.all[number] = stimulus;
      this.trees[number] = treeOf(stimulus.need);
    }
  }

  /** Replaces the guards that apply while the Byzantine validator is silent. */
  learnSilent(stimuli: readonly Stimulus[]): void {
    const never = treeOf(NEVER);
    for (let number = 0; number < this.all.length; number++) this.silentTrees[number] = never;
    for (const { label, need } of stimuli) {
      const number = this.#numbers.get(label);
      if (number !== undefined) this.silentTrees[number] = treeOf(need);
    }
  }

  /**
   * Returns the inputs of a transition, built once from the given signatures: all choices of signatures prove the same.
   */
  inputs(number: number, signed: Int32Array): readonly Timeless[] {
    const known = this.#inputs[number];
    if (known !== undefined) return known;
    const stimulus = this.all[number];
    if (stimulus === undefined) throw new RangeError(`no transition has the number ${number}`);
    const made = stimulus.build((saying) => hasBit(signed, saying));
    this.#inputs[number] = made;
    this.#journal.built(number, signed);
    return made;
  }

  /** Returns the inputs of a transition that were built before. @throws RangeError if they were not. */
  made(number: number): readonly Timeless[] {
    const made = this.#inputs[number];
    if (made === undefined) throw new RangeError(`the inputs of transition ${number} were not built`);
    return made;
  }
}
