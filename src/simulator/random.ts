/**
 * Seeded random numbers in named streams (architecture law 2). A stream has no state: draw `index` of a stream depends
 * on the seed, the stream's label and the index alone. So streams fork for free, a new draw moves no other one, and an
 * omitted (forced) draw leaves the next one as it was.
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { type Lanes, Mix, mixTexts } from "./mix.ts";

/** Named stream of one seed. */
export interface Stream {
  readonly label: string;
  readonly lanes: Lanes;
}

/** Returns the stream of this label; equal labels are one stream. */
export function streamOf(seed: string, label: string): Stream {
  return { label, lanes: mixTexts("stream", seed, label) };
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
  const { a, b, c, d } = mix.finish();
  return uniformInt(xoroshiro128plusFromState([a, b, c, d]), 0, bound - 1);
}
