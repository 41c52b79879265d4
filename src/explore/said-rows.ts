/** Signed sets of a validator's local states as bit rows, for fast union and comparison. */
import { setBit } from "./bits.ts";
import { WORDS } from "./limits.ts";

/** Bit rows by the numbers of local states. */
export class SaidRows {
  #rows = new Int32Array(64 * WORDS);

  /** Stores the signed statements of a local state. */
  note(life: number, said: readonly number[]): void {
    const start = life * WORDS;
    while (this.#rows.length < start + WORDS) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    for (const saying of said) setBit(this.#rows, saying, start);
  }

  /** Adds the bits of a local state to a set. */
  addTo(words: Int32Array, life: number): void {
    const start = life * WORDS;
    for (let word = 0; word < WORDS; word++)
      words[word] = (words[word] as number) | (this.#rows[start + word] as number);
  }

  /** Returns true if two local states have the same signed statements. */
  areAlike(one: number, other: number): boolean {
    for (let word = 0; word < WORDS; word++)
      if (this.#rows[one * WORDS + word] !== this.#rows[other * WORDS + word]) return false;
    return true;
  }
}
