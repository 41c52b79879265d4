/** Classes of enabled transitions: signature sets that enable the same transitions and facts are equivalent. */
import { type GuardTree, isSatisfied } from "./guard.ts";

/** Enabled transitions of a signature set, evaluated once for each transition known at the time. */
export class EnabledClass {
  /** Equal for equal classes as long as nothing new is learned; never reused after that. */
  number = -1;
  readonly signed: Int32Array;
  readonly #stimuli: readonly GuardTree[];
  #met: Uint8Array = new Uint8Array(0);
  #looked = 0;

  /** `stimuli` may grow later, and `signed` is overwritten before each `look`. */
  constructor(signed: Int32Array, transitions: readonly GuardTree[]) {
    this.signed = signed;
    this.#stimuli = transitions;
  }

  /** Evaluates the guards of all transitions and facts. */
  compute(facts: readonly GuardTree[], enabledClasses: EnabledClasses): void {
    const [guards, count] = [this.#stimuli, this.#stimuli.length];
    if (this.#met.length < count) this.#met = new Uint8Array(count * 2);
    for (let transition = 0; transition < count; transition++)
      this.#met[transition] = isSatisfied(guards[transition] as GuardTree, this.signed) ? 1 : 0;
    this.#looked = count;
    const held = facts.map((tree) => isSatisfied(tree, this.signed));
    this.number = enabledClasses.of(this.#met.subarray(0, count), held);
  }

  /** Returns true if a transition is enabled. */
  enables(transition: number): boolean {
    if (transition < this.#looked) return this.#met[transition] === 1;
    return isSatisfied(this.#stimuli[transition] as GuardTree, this.signed);
  }
}

/** Numbers classes in the order in which they are found. */
export class EnabledClasses {
  readonly #numbers = new Map<string, number>();
  #next = 0;

  /** Returns the number of the class with these enabled transitions and facts. */
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

  /** Clears the classes after something new was learned; numbers are not reused. */
  clear(): void {
    this.#numbers.clear();
  }
}
