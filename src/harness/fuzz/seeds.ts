/** Which seeds a campaign runs, and which of them a shard of it. */

/** A part of a campaign: the `index`-th of `count`, from 1 on. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const WHOLE: Shard = { index: 1, count: 1 };

/** The seeds from `first` on, of which a shard takes every `count`-th. All shards together take each once. */
export function seedsOf(first: bigint, count: number, shard: Shard): readonly string[] {
  const seeds: string[] = [];
  for (let at = shard.index - 1; at < count; at += shard.count) seeds.push(String(first + BigInt(at)));
  return seeds;
}
