/** Something that can happen to a validator: inputs that come together, as soon as what they contain is signed. */

import { hasBit } from "./bits.ts";
import type { Journal } from "./journal.ts";
import type { Timeless } from "./life.ts";
import { NEVER, type Need, type NeedTree, treeOf } from "./need.ts";
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
  readonly trees: NeedTree[] = [];
  /** For the same numbers: the needs while the Byzantine validator is silent. */
  readonly silentTrees: NeedTree[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #inputs: (readonly Timeless[] | undefined)[] = [];
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Takes the stimuli over that can be by now: new ones, and known ones with what more makes them possible. */
  learn(stimuli: readonly Stimulus[]): void {
    for (const stimulus of stimuli) {
      if (stimulus.need.length === 0) continue;
      const number = this.#numbers.get(stimulus.label) ?? this.all.length;
      this.#numbers.set(stimulus.label, number);
      this.all[number] = stimulus;
      this.trees[number] = treeOf(stimulus.need);
    }
  }

  /** Takes over which of the known stimuli are possible, and when, while the Byzantine validator is silent. */
  learnSilent(stimuli: readonly Stimulus[]): void {
    const never = treeOf(NEVER);
    for (let number = 0; number < this.all.length; number++) this.silentTrees[number] = never;
    for (const { label, need } of stimuli) {
      const number = this.#numbers.get(label);
      if (number !== undefined) this.silentTrees[number] = treeOf(need);
    }
  }

  /** The inputs of a stimulus where this much is signed, made once: whichever signatures are in them, they prove the same. */
  inputs(number: number, signed: Int32Array): readonly Timeless[] {
    const known = this.#inputs[number];
    if (known !== undefined) return known;
    const stimulus = this.all[number];
    if (stimulus === undefined) throw new RangeError(`no stimulus has the number ${number}`);
    const made = stimulus.build((saying) => hasBit(signed, saying));
    this.#inputs[number] = made;
    this.#journal.built(number, signed);
    return made;
  }

  /** The inputs of a stimulus that were made before. @throws RangeError where none were. */
  made(number: number): readonly Timeless[] {
    const made = this.#inputs[number];
    if (made === undefined) throw new RangeError(`nobody has made the inputs of stimulus ${number}`);
    return made;
  }
}
