/** Something that can happen to a validator: inputs that come together, as soon as what they contain is signed. */

import type { Timeless } from "./life.ts";
import { type Masks, masksOf, type Need } from "./need.ts";
import type { Has } from "./stage.ts";

export interface Stimulus {
  /** In words, and its name: the same for the same thing in every exploration of a scenario. */
  readonly label: string;
  readonly need: Need;
  /** The inputs with signatures that exist. */
  readonly build: (has: Has) => readonly Timeless[];
}

/** Stimuli by number, in the order in which they became possible; their needs grow as more is said. */
export class Stimuli {
  readonly all: Stimulus[] = [];
  readonly masks: Masks[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #inputs: (readonly Timeless[] | undefined)[] = [];

  /** Takes the stimuli over that can be by now: new ones, and known ones with what more makes them possible. */
  learn(stimuli: readonly Stimulus[]): void {
    for (const stimulus of stimuli) {
      if (stimulus.need.length === 0) continue;
      const number = this.#numbers.get(stimulus.label) ?? this.all.length;
      this.#numbers.set(stimulus.label, number);
      this.all[number] = stimulus;
      this.masks[number] = masksOf(stimulus.need);
    }
  }

  /** The inputs of a stimulus, made once: whichever signatures are in them, they prove the same. */
  inputs(number: number, has: Has): readonly Timeless[] {
    const made = this.#inputs[number] ?? (this.all[number] as Stimulus).build(has);
    this.#inputs[number] = made;
    return made;
  }
}
