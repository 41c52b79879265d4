/** Transitions of the explorer: inputs delivered together to one validator, with their guards. */

import { hasBit } from "./bits.ts";
import { type Guard, type GuardTree, guardTree, NEVER } from "./guard.ts";
import type { Journal } from "./journal.ts";
import type { UntimedInput } from "./local-state.ts";
import type { IsSigned } from "./network-knowledge.ts";

export interface Transition {
  /** Unique description, equal for equal transitions in all explorations of a scenario. */
  readonly label: string;
  readonly guard: Guard;
  /** Builds the inputs with existing signatures. */
  readonly makeInputs: (isSigned: IsSigned) => readonly UntimedInput[];
}

/** Transitions by number, in the order in which they became possible; their guards weaken as statements are added. */
export class TransitionTable {
  readonly all: Transition[] = [];
  readonly trees: GuardTree[] = [];
  /** Guards by the same numbers while the Byzantine validator is silent. */
  readonly silentTrees: GuardTree[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #inputs: (readonly UntimedInput[] | undefined)[] = [];
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Adds new transitions and replaces the guards of known ones. */
  update(transitions: readonly Transition[]): void {
    for (const transition of transitions) {
      if (transition.guard.length === 0) continue;
      const number = this.#numbers.get(transition.label) ?? this.all.length;
      this.#numbers.set(transition.label, number);
      this.all[number] = transition;
      this.trees[number] = guardTree(transition.guard);
    }
  }

  /** Replaces the guards that apply while the Byzantine validator is silent. */
  updateWithoutByzantine(transitions: readonly Transition[]): void {
    const never = guardTree(NEVER);
    for (let number = 0; number < this.all.length; number++) this.silentTrees[number] = never;
    for (const { label, guard } of transitions) {
      const number = this.#numbers.get(label);
      if (number !== undefined) this.silentTrees[number] = guardTree(guard);
    }
  }

  /**
   * Returns the inputs of a transition, built once from the given signatures: all choices of signatures prove the same.
   */
  inputs(number: number, signed: Int32Array): readonly UntimedInput[] {
    const known = this.#inputs[number];
    if (known !== undefined) return known;
    const transition = this.all[number];
    if (transition === undefined) throw new RangeError(`no transition has the number ${number}`);
    const made = transition.makeInputs((statement) => hasBit(signed, statement));
    this.#inputs[number] = made;
    this.#journal.inputsMade(number, signed);
    return made;
  }

  /** Returns the inputs of a transition that were built before. @throws RangeError if they were not. */
  made(number: number): readonly UntimedInput[] {
    const made = this.#inputs[number];
    if (made === undefined) throw new RangeError(`the inputs of transition ${number} were not built`);
    return made;
  }
}
