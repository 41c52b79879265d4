/**
 * One seed, split into named streams (architecture law 2). A stream has no state: draw `index` of a stream depends on
 * the seed, the stream's label and the index alone. So streams fork for nothing, a new draw moves no other one, and a
 * draw that is left out (because it was forced) leaves the next one as it was.
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { type Lanes, Mix, mixTexts } from "./mix.ts";

/** A named stream of one seed. */
export interface Stream {
  readonly label: string;
  readonly lanes: Lanes;
}

/** The stream of this label; equal labels are one stream. */
export function streamOf(seed: string, label: string): Stream {
  return { label, lanes: mixTexts("stream", seed, label) };
}

/** The most values that one draw can choose from. */
export const DRAW_MAX = 4_294_967_296;

/** A whole number from 0 to `bound` - 1. @throws RangeError unless `bound` is from 1 to 2^32. */
export function drawInt(stream: Stream, index: number, bound: number): number {
  if (!Number.isSafeInteger(bound) || bound < 1 || bound > DRAW_MAX) {
    throw new RangeError(`random: expected a bound from 1 to 2^32, got ${bound}`);
  }
  const mix = new Mix(stream.lanes);
  mix.integer(index);
  const { a, b, c, d } = mix.finish();
  return uniformInt(xoroshiro128plusFromState([a, b, c, d]), 0, bound - 1);
}
