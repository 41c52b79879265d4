/** Guards of transitions in disjunctive form: alternatives, each a set of statements that must be signed. */
import { hasBit } from "./bits.ts";

/** Sorted statement numbers, without alternatives that others imply. */
export type Guard = readonly (readonly number[])[];

export const ALWAYS: Guard = [[]];
export const NEVER: Guard = [];

/** Returns the disjunction of guards. */
export function any(guards: readonly Guard[]): Guard {
  return smallest(guards.flat());
}

/** Returns the conjunction of guards. */
export function all(guards: readonly Guard[]): Guard {
  return guards.reduce(
    (joined, guard) =>
      smallest(joined.flatMap((one) => guard.map((other) => [...new Set([...one, ...other])].sort((a, b) => a - b)))),
    ALWAYS,
  );
}

/** Returns the guard of at least `count` of these statements. */
export function atLeast(statements: readonly number[], count: number): Guard {
  return count <= 0 ? ALWAYS : choose(statements, count).map((one) => [...one].sort((a, b) => a - b));
}

/** Returns all subsets of a size, in the order of the list. */
export function choose<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return list.flatMap((first, index) => choose(list.slice(index + 1), size - 1).map((rest) => [first, ...rest]));
}

function smallest(alternatives: Guard): Guard {
  const sorted = [...alternatives].sort((a, b) => a.length - b.length);
  const kept: (readonly number[])[] = [];
  for (const one of sorted) {
    if (!kept.some((smaller) => smaller.every((statement) => one.includes(statement)))) kept.push(one);
  }
  return kept;
}

/**
 * Guard as a flat prefix tree in preorder, for fast evaluation. Each node is a statement number and the index behind
 * its subtree; an alternative ends at a leaf.
 */
export type GuardTree = Int32Array;

/** In place of a statement number: always true. */
const NOTHING = -1;

export function guardTree(guard: Guard): GuardTree {
  const flat: number[] = [];
  if (guard.some((alternative) => alternative.length === 0)) flat.push(NOTHING, 2);
  else branch(guard, 0, flat);
  return Int32Array.from(flat);
}

/** Appends the subtrees behind the first `depth` statements that these alternatives share. */
function branch(alternatives: Guard, depth: number, flat: number[]): void {
  for (const statement of new Set(alternatives.map((one) => one[depth] as number))) {
    const same = alternatives.filter((one) => one[depth] === statement);
    const at = flat.push(statement, 0) - 1;
    if (same.every((one) => one.length > depth + 1)) branch(same, depth + 1, flat);
    flat[at] = flat.length;
  }
}

/** Returns true if the signed set satisfies the guard. */
export function isSatisfied(tree: GuardTree, signed: Int32Array): boolean {
  for (let at = 0; at < tree.length; ) {
    const [statement, end] = [tree[at] as number, tree[at + 1] as number];
    const isSaid = statement === NOTHING || hasBit(signed, statement);
    if (isSaid && at + 2 === end) return true;
    at = isSaid ? at + 2 : end;
  }
  return false;
}
