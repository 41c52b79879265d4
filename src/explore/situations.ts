/** Sets of signatures by what they make possible and final: those that differ in nothing of that are one situation. */
import { isMet, type NeedTree } from "./need.ts";

/** What is possible where this much is signed: found out once for every stimulus that is known when somebody looks. */
export class Situation {
  /** The same for the same, as long as nothing new is learned; never given again after that. */
  number = -1;
  readonly signed: Int32Array;
  readonly #stimuli: readonly NeedTree[];
  #met: Uint8Array = new Uint8Array(0);
  #looked = 0;

  /** The needs of stimuli may become more while somebody looks, and `signed` is written anew before each look. */
  constructor(signed: Int32Array, stimuli: readonly NeedTree[]) {
    this.signed = signed;
    this.#stimuli = stimuli;
  }

  /** Finds out what is possible and which of the facts hold. */
  look(facts: readonly NeedTree[], situations: Situations): void {
    const [needs, count] = [this.#stimuli, this.#stimuli.length];
    if (this.#met.length < count) this.#met = new Uint8Array(count * 2);
    for (let stimulus = 0; stimulus < count; stimulus++)
      this.#met[stimulus] = isMet(needs[stimulus] as NeedTree, this.signed) ? 1 : 0;
    this.#looked = count;
    const held = facts.map((tree) => isMet(tree, this.signed));
    this.number = situations.of(this.#met.subarray(0, count), held);
  }

  /** Whether a stimulus can happen. */
  allows(stimulus: number): boolean {
    if (stimulus < this.#looked) return this.#met[stimulus] === 1;
    return isMet(this.#stimuli[stimulus] as NeedTree, this.signed);
  }
}

/** Numbers situations in the order in which they come up. */
export class Situations {
  readonly #numbers = new Map<string, number>();
  #next = 0;

  /** The number of the situation in which these stimuli are possible and these facts hold. */
  of(met: Uint8Array, held: readonly boolean[]): number {
    let text = "";
    let bits = 1;
    const add = (bit: boolean): void => {
      bits = (bits << 1) | (bit ? 1 : 0);
      if (bits < 0x8000) return;
      text += String.fromCharCode(bits & 0x7fff);
      bits = 1;
    };
    for (const one of met) add(one === 1);
    for (const one of held) add(one);
    const key = text + String.fromCharCode(bits);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#next);
    this.#next += 1;
    return this.#next - 1;
  }

  /** Something new was learned: no number that was given before is given again. */
  forget(): void {
    this.#numbers.clear();
  }
}
