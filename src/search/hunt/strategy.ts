/** Ways to look for a known-bad variant. Each has a budget of its own, counted in what it looks at, never in time. */
import type { ProfileName } from "../fuzz/profile.ts";

/** A way to look, with everything that what it finds depends on but the variant. */
export type Strategy =
  /** World after world, each drawn from a seed (../fuzz): the budget counts seeds. */
  { readonly kind: "fuzz"; readonly profile: ProfileName };

/** What a strategy looks at first, and how much of it at most. Ranges that do not overlap are independent of each other. */
export interface Range {
  /** The first seed. */
  readonly first: bigint;
  /** Seeds. */
  readonly budget: number;
}

/** So many ranges of this budget, one behind the other. */
export function rangesFrom(first: bigint, budget: number, count: number): readonly Range[] {
  return Array.from({ length: count }, (_, place) => ({ first: first + BigInt(place * budget), budget }));
}
