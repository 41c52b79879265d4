/**
 * Seeded random numbers in named streams (architecture law 2). A stream has no state: draw `index` of a stream depends
 * on the seed, the stream's label and the index alone. So streams fork for free, and a draw that is added or left out moves no
 * other one.
 */

import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { entryOf } from "../core/base/entry.ts";
import { hexWord, wordHex } from "../core/crypto/words.ts";
import type { Range, Ratio } from "./settings.ts";

/** Named stream of one seed; equal labels are one stream. Its hash is made with the first draw: most links need none. */
export class Stream {
  readonly label: string;
  readonly #seed: string;
  #lanes: Lanes | undefined;

  constructor(seed: string, label: string) {
    this.label = label;
    this.#seed = seed;
  }

  get lanes(): Lanes {
    this.#lanes ??= mixTexts("stream", this.#seed, this.label);
    return this.#lanes;
  }
}

/** Largest bound of one draw. */
export const DRAW_MAX = 4_294_967_296;

/** Returns an integer from 0 to `bound` - 1. @throws RangeError unless `bound` is from 1 to 2^32. */
export function drawInt(stream: Stream, index: number, bound: number): number {
  if (!Number.isSafeInteger(bound) || bound < 1 || bound > DRAW_MAX) {
    throw new RangeError(`random: expected a bound from 1 to 2^32, got ${bound}`);
  }
  const mix = new Mix(stream.lanes);
  mix.integer(index);
  mix.stir();
  // The generator's first number; only where a bound's remainder refuses it, there is a generator to ask for more.
  const first = ((mix.b + mix.d) | 0) + 2_147_483_648;
  if (first < DRAW_MAX - (DRAW_MAX % bound)) return toSmallInteger(first % bound);
  return uniformInt(xoroshiro128plusFromState([mix.a, mix.b, mix.c, mix.d]), 0, bound - 1);
}

/**
 * Returns the same number, as V8 keeps small integers: the remainder of a large number stays a double, and so do all
 * fields that it gets into, with those of other records of their shape.
 */
function toSmallInteger(number: number): number {
  return number <= 0x7fffffff ? number | 0 : number;
}

/** Random decisions of a world: drawn by label. */
export class Choices {
  readonly #seed: string;
  /** Returns the stream of the seed that took the place of the first one, by that of the first one. */
  #reseeded: ((stream: Stream) => Stream) | undefined;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Returns a stream. Labels are stable: draw 17 of `delay v1>v2` is that of the 17th parcel of that link in every run. */
  stream(label: string): Stream {
    return new Stream(this.#seed, label);
  }

  /** Returns an integer below `bound`. Draws nothing for a bound of 1. */
  choose(stream: Stream, index: number, bound: number): number {
    return bound === 1 ? 0 : drawInt(this.#reseeded === undefined ? stream : this.#reseeded(stream), index, bound);
  }

  /** Draws from another seed from now on, by the same labels. */
  reseed(seed: string): void {
    const streams = new WeakMap<Stream, Stream>();
    this.#reseeded = (stream) => entryOf(streams, stream, ({ label }) => new Stream(seed, label));
  }

  /** Returns an integer of the range, both ends included. */
  chooseInRange(stream: Stream, index: number, range: Range): number {
    return range.from + this.choose(stream, index, range.to - range.from + 1);
  }

  /** Returns true with probability `of / in`. */
  chooseChance(stream: Stream, index: number, ratio: Ratio): boolean {
    if (ratio.of <= 0) return false;
    if (ratio.of >= ratio.in) return true;
    return this.choose(stream, index, ratio.in) < ratio.of;
  }

  /** Returns `count` of the items in their order; all subsets are equally likely. */
  pick<T>(stream: Stream, items: readonly T[], count: number): T[] {
    let open = count;
    return items.filter((_, index) => {
      const isPicked = this.choose(stream, index, items.length - index) < open;
      if (isPicked) open -= 1;
      return isPicked;
    });
  }
}

/** Four 32-bit lanes. */
export interface Lanes {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** Running hash. */
export class Mix implements Lanes {
  a: number;
  b: number;
  c: number;
  d: number;

  constructor(from: Lanes = START) {
    this.a = from.a;
    this.b = from.b;
    this.c = from.c;
    this.d = from.d;
  }

  /** Mixes one 32-bit word into all lanes within four calls. */
  word(word: number): void {
    const a = Math.imul(rotate(Math.imul(word ^ this.a, 0x239b961b), 15), 0xab0e9789) + this.b;
    this.a = this.b;
    this.b = this.c;
    this.c = this.d;
    this.d = (a ^ (a >>> 15)) | 0;
  }

  /** Mixes four words at once: one event. */
  block(w: number, x: number, y: number, z: number): void {
    const a = rotate(this.a ^ Math.imul(rotate(Math.imul(w, 0x239b961b), 15), 0xab0e9789), 19);
    this.a = (Math.imul(a + this.b, 5) + 0x561ccd1b) | 0;
    const b = rotate(this.b ^ Math.imul(rotate(Math.imul(x, 0xab0e9789), 16), 0x38b34ae5), 17);
    this.b = (Math.imul(b + this.c, 5) + 0x0bcaa747) | 0;
    const c = rotate(this.c ^ Math.imul(rotate(Math.imul(y, 0x38b34ae5), 17), 0xa1e38b93), 15);
    this.c = (Math.imul(c + this.d, 5) + 0x96cd1c35) | 0;
    const d = rotate(this.d ^ Math.imul(rotate(Math.imul(z, 0xa1e38b93), 18), 0x239b961b), 13);
    this.d = (Math.imul(d + this.a, 5) + 0x32ac3b17) | 0;
  }

  /** Mixes length and characters, so that two texts in a row stay distinct from one. */
  text(text: string): void {
    const length = text.length;
    let a = this.a ^ length;
    let b = this.b;
    for (let at = 0; at < length; at++) {
      a = Math.imul(a ^ text.charCodeAt(at), 0x85ebca6b);
      b = (rotate(b, 7) + a) | 0;
    }
    this.block(a ^ (a >>> 13), b, length, 0x74657874);
  }

  /** Mixes 32 hex digits, from a place of a text on. */
  hex(text: string, from: number): void {
    this.block(hexWord(text, from), hexWord(text, from + 8), hexWord(text, from + 16), hexWord(text, from + 24));
  }

  /** Mixes four words that are mixed already. */
  lanes({ a, b, c, d }: Lanes): void {
    this.block(a, b, c, d);
  }

  /** Mixes a number that may exceed 32 bits. */
  integer(value: number): void {
    this.block(value | 0, Math.floor(value / 4_294_967_296) | 0, 0x6e, 0);
  }

  /** Spreads the last words over all lanes. */
  stir(): void {
    for (let round = 0; round < 6; round++)
      this.block(0x9e3779b9, round, this.a ^ (this.a >>> 16), this.d ^ (this.d >>> 13));
  }

  /** Returns the lanes, stirred; the running hash is unchanged. */
  finish(): Lanes {
    const end = new Mix(this);
    end.stir();
    return end;
  }
}

const START: Lanes = { a: 0x243f6a88, b: 0x85a308d3 | 0, c: 0x13198a2e, d: 0x03707344 };

/** Returns the hash of texts in order. */
export function mixTexts(...texts: readonly string[]): Lanes {
  const mix = new Mix();
  for (const text of texts) mix.text(text);
  return mix.finish();
}

/** Returns 32 hex digits. */
export function lanesHex({ a, b, c, d }: Lanes): string {
  return `${wordHex(a)}${wordHex(b)}${wordHex(c)}${wordHex(d)}`;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
