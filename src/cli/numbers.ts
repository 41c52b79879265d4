/** Integers and shards in arguments. */

import { DEFAULT_SEED } from "../scenario/limits.ts";
import { ALL_SEEDS, type Shard } from "../search/fuzz/seeds.ts";
import { type Args, textOf } from "./command.ts";
import { UsageError } from "./exit-code.ts";

/** Returns an integer option; `undefined` if absent. @throws UsageError for anything else. */
export function wholeNumber(args: Args, name: string, least: number, most: number): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw outside(name, least, most, text);
}

/** Returns an integer option of at least 1. @throws UsageError also if absent. */
export function countIn(args: Args, name: string, digits: number): number {
  const text = textOf(args, name) ?? "";
  if (/^[1-9]\d*$/.test(text) && text.length <= digits) return Number(text);
  throw outside(name, 1, 10 ** digits - 1, text);
}

/** Returns the number of the first seed. @throws UsageError for anything else. */
export function firstSeedOf(args: Args): bigint {
  const text = textOf(args, "seed") ?? DEFAULT_SEED;
  if (/^\d{1,30}$/.test(text)) return BigInt(text);
  throw new UsageError(`--seed: expected the number of the first seed, got "${text}"`);
}

/** Returns the shard of `2/8`, the second of eight; the default is everything. @throws UsageError for anything else. */
export function shardOf(text: string | undefined): Shard {
  if (text === undefined) return ALL_SEEDS;
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > count) throw new UsageError(`--shard: expected a part such as 2/8, got "${text}"`);
  return { index, count };
}

function outside(name: string, least: number, most: number, text: string): UsageError {
  return new UsageError(`--${name}: expected a whole number from ${least} to ${most}, got "${text}"`);
}
