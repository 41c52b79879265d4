/** Rolling hash over every event (architecture law 8). */
import { type Lanes, lanesHex, Mix } from "./random.ts";

export class Trace {
  #mix = new Mix();

  /** Mixes one event: its kind, virtual time, party, a number (of its link, say), a digest of its content. */
  event(kind: number, at: number, party: number, number: number, content: Lanes): void {
    this.#mix.block(kind | (party << 8), at | 0, content.a, content.b);
    this.#mix.block(number, Math.floor(at / 4_294_967_296), content.c, content.d);
  }

  /** Mixes an event whose content is three integers of 32 bits. Its kind decides which further parts follow. */
  note(kind: number, party: number, a: number, b: number, c: number): void {
    this.#mix.block(kind | (party << 8), a, b, c);
  }

  /** Mixes one more part of the last note: four integers of 32 bits. */
  numbers(a: number, b: number, c: number, d: number): void {
    this.#mix.block(a, b, c, d);
  }

  /** Mixes an event by a text. */
  text(kind: number, party: number, text: string): void {
    this.#mix.word(kind | (party << 8));
    this.#mix.text(text);
  }

  /** Mixes an event by the digest of its content. */
  digest(kind: number, party: number, content: Lanes): void {
    this.#mix.word(kind | (party << 8));
    this.#mix.lanes(content);
  }

  /** 0x and 32 hex digits. */
  get hash(): string {
    return `0x${lanesHex(this.#mix.finish())}`;
  }

  /** Returns the running hash as it is, unstirred. */
  capture(): Lanes {
    const { a, b, c, d } = this.#mix;
    return { a, b, c, d };
  }

  restore(captured: Lanes): void {
    this.#mix = new Mix(captured);
  }
}
