/** Signed sets of a validator's local states as bit rows, for fast union and comparison. */
import { setBit } from "./bits.ts";
import { SET_WORDS } from "./limits.ts";

/** Bit rows by the numbers of local states. */
export class SignedSets {
  #rows = new Int32Array(64 * SET_WORDS);

  /** Stores the signed statements of a local state. */
  note(localState: number, said: readonly number[]): void {
    const start = localState * SET_WORDS;
    while (this.#rows.length < start + SET_WORDS) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    for (const statement of said) setBit(this.#rows, statement, start);
  }

  /** Adds the bits of a local state to a set. */
  addTo(text: Int32Array, localState: number): void {
    const start = localState * SET_WORDS;
    for (let word = 0; word < SET_WORDS; word++)
      text[word] = (text[word] as number) | (this.#rows[start + word] as number);
  }

  /** Returns true if two local states have the same signed statements. */
  areAlike(one: number, other: number): boolean {
    for (let word = 0; word < SET_WORDS; word++)
      if (this.#rows[one * SET_WORDS + word] !== this.#rows[other * SET_WORDS + word]) return false;
    return true;
  }
}
