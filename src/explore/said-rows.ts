/** What each life of a validator has said, as rows of bits that can be joined and compared quickly. */
import { setBit } from "./bits.ts";
import { WORDS } from "./limits.ts";

/** Rows by the numbers of lives. */
export class SaidRows {
  #rows = new Int32Array(64 * WORDS);

  /** Notes what a life has said. */
  note(life: number, said: readonly number[]): void {
    const start = life * WORDS;
    while (this.#rows.length < start + WORDS) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    for (const saying of said) setBit(this.#rows, saying, start);
  }

  /** Adds the bits of a life to these words. */
  addTo(words: Int32Array, life: number): void {
    const start = life * WORDS;
    for (let word = 0; word < WORDS; word++)
      words[word] = (words[word] as number) | (this.#rows[start + word] as number);
  }

  /** Whether two lives have said the same. */
  areAlike(one: number, other: number): boolean {
    for (let word = 0; word < WORDS; word++)
      if (this.#rows[one * WORDS + word] !== this.#rows[other * WORDS + word]) return false;
    return true;
  }
}
