/** Guards of transitions in disjunctive form: alternatives, each a set of statements that must be signed. */
import { hasBit } from "./bits.ts";

/** Sorted statement numbers, without alternatives that others imply. */
export type Need = readonly (readonly number[])[];

export const ALWAYS: Need = [[]];
export const NEVER: Need = [];

/** Returns the disjunction of guards. */
export function anyOf(needs: readonly Need[]): Need {
  return smallest(needs.flat());
}

/** Returns the conjunction of guards. */
export function allOf(needs: readonly Need[]): Need {
  return needs.reduce(
    (joined, need) =>
      smallest(joined.flatMap((one) => need.map((other) => [...new Set([...one, ...other])].sort((a, b) => a - b)))),
    ALWAYS,
  );
}

/** Returns the guard of at least `count` of these statements. */
export function manyOf(sayings: readonly number[], count: number): Need {
  return count <= 0 ? ALWAYS : choose(sayings, count).map((one) => [...one].sort((a, b) => a - b));
}

/** Returns all subsets of a size, in the order of the list. */
export function choose<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return list.flatMap((first, place) => choose(list.slice(place + 1), size - 1).map((rest) => [first, ...rest]));
}

function smallest(alternatives: Need): Need {
  const sorted = [...alternatives].sort((a, b) => a.length - b.length);
  const kept: (readonly number[])[] = [];
  for (const one of sorted) {
    if (!kept.some((smaller) => smaller.every((saying) => one.includes(saying)))) kept.push(one);
  }
  return kept;
}

/**
 * Guard as a flat prefix tree in preorder, for fast evaluation. Each node is a statement number and the index behind
 * its subtree; an alternative ends at a leaf.
 */
export type NeedTree = Int32Array;

/** In place of a statement number: always true. */
const NOTHING = -1;

export function treeOf(need: Need): NeedTree {
  const flat: number[] = [];
  if (need.some((alternative) => alternative.length === 0)) flat.push(NOTHING, 2);
  else branch(need, 0, flat);
  return Int32Array.from(flat);
}

/** Appends the subtrees behind the first `depth` statements that these alternatives share. */
function branch(alternatives: Need, depth: number, flat: number[]): void {
  for (const saying of new Set(alternatives.map((one) => one[depth] as number))) {
    const same = alternatives.filter((one) => one[depth] === saying);
    const at = flat.push(saying, 0) - 1;
    if (same.every((one) => one.length > depth + 1)) branch(same, depth + 1, flat);
    flat[at] = flat.length;
  }
}

/** Returns true if the signed set satisfies the guard. */
export function isMet(tree: NeedTree, signed: Int32Array): boolean {
  for (let at = 0; at < tree.length; ) {
    const [saying, end] = [tree[at] as number, tree[at + 1] as number];
    const isSaid = saying === NOTHING || hasBit(signed, saying);
    if (isSaid && at + 2 === end) return true;
    at = isSaid ? at + 2 : end;
  }
  return false;
}
