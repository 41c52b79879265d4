/** Search methods for known-bad variants. Budgets count seeds and never time. */
import type { ProfileName } from "../fuzz/profile.ts";

/** Search method, with all parameters that affect its results except the variant. */
export type SearchMethod =
  /** Scenarios generated from consecutive seeds (../fuzz); the budget counts seeds. */
  { readonly kind: "fuzz"; readonly profile: ProfileName };

/** Range of seeds. Disjoint ranges are independent. */
export interface SeedRange {
  /** First seed. */
  readonly first: bigint;
  /** Number of seeds. */
  readonly budget: number;
}

/** Returns `count` consecutive ranges of this budget. */
export function seedRanges(first: bigint, budget: number, count: number): readonly SeedRange[] {
  return Array.from({ length: count }, (_, place) => ({ first: first + BigInt(place * budget), budget }));
}
