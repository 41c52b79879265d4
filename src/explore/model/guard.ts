/**
 * Guards of transitions in disjunctive form, each alternative a set of statements that must be signed; sets of signed
 * statements as bits; and the transitions that a set enables.
 */

/** Sorted statement numbers, without alternatives that others imply. */
export type Guard = readonly (readonly number[])[];

export const TRUE_GUARD: Guard = [[]];
export const NEVER: Guard = [];

/** Returns the disjunction of guards. */
export function disjunction(guards: readonly Guard[]): Guard {
  return withoutSupersets(guards.flat());
}

/** Returns the conjunction of guards; the guard itself if the others are always satisfied. */
export function conjunction(guards: readonly Guard[]): Guard {
  const [first, ...rest] = guards.filter((guard) => !isAlways(guard));
  return rest.reduce(
    (joined, guard) => withoutSupersets(joined.flatMap((left) => guard.map((right) => union(left, right)))),
    first ?? TRUE_GUARD,
  );
}

function isAlways(guard: Guard): boolean {
  return guard.length === 1 && guard[0]?.length === 0;
}

/** Returns the union of two sorted lists. */
function union(left: readonly number[], right: readonly number[]): readonly number[] {
  const merged: number[] = [];
  let at = 0;
  for (const number of left) {
    for (; at < right.length && (right[at] as number) < number; at++) merged.push(right[at] as number);
    if (right[at] === number) at++;
    merged.push(number);
  }
  for (; at < right.length; at++) merged.push(right[at] as number);
  return merged;
}

/** Returns the guard of at least `count` of these statements. */
export function atLeast(statements: readonly number[], count: number): Guard {
  return count <= 0 ? TRUE_GUARD : choose(statements, count).map((chosen) => [...chosen].sort((a, b) => a - b));
}

/** Returns all subsets of a size, in the order of the list. */
export function choose<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return list.flatMap((first, index) => choose(list.slice(index + 1), size - 1).map((rest) => [first, ...rest]));
}

/** Returns all selections of one element of each list. */
export function combinations<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return choices.reduce<readonly (readonly T[])[]>(
    (sets, parts) => sets.flatMap((set) => parts.map((part) => [...set, part])),
    [[]],
  );
}

function withoutSupersets(alternatives: Guard): Guard {
  if (alternatives.length < 2) return alternatives;
  const kept: (readonly number[])[] = [];
  for (const alternative of [...alternatives].sort((a, b) => a.length - b.length))
    if (!kept.some((smaller) => isSubset(smaller, alternative))) kept.push(alternative);
  return kept;
}

/** Returns true if a sorted list contains all of another one. */
function isSubset(smaller: readonly number[], larger: readonly number[]): boolean {
  let at = 0;
  for (let place = 0; at < smaller.length && place < larger.length; place++) if (larger[place] === smaller[at]) at++;
  return at === smaller.length;
}

/** Returns true if the existing statements satisfy the guard. */
export function holds(guard: Guard, isSigned: (statement: number) => boolean): boolean {
  return guard.some((alternative) => alternative.every(isSigned));
}

/** Returns true if the signed set satisfies the guard. */
export function isSatisfied(guard: Guard, signed: Int32Array): boolean {
  return holds(guard, (statement) => hasBit(signed, statement));
}

/** Returns true if the number is in the set. */
export function hasBit(bits: Int32Array, number: number): boolean {
  return ((bits[number >>> 5] as number) & (1 << (number & 31))) !== 0;
}

/** Adds the number to the set. */
export function setBit(bits: Int32Array, number: number): void {
  const at = number >>> 5;
  bits[at] = (bits[at] as number) | (1 << (number & 31));
}

/** Transitions that a set of signatures enables, each evaluated when it is first asked for. */
export class EnabledTransitions {
  readonly signed: Int32Array;
  readonly #guardOf: (transition: number) => Guard;
  #known: boolean[] = [];

  /** `signed` and the guards may change; `clear` is called after that. */
  constructor(signed: Int32Array, guardOf: (transition: number) => Guard) {
    this.signed = signed;
    this.#guardOf = guardOf;
  }

  clear(): void {
    this.#known = [];
  }

  enables(transition: number): boolean {
    const cached = this.#known[transition];
    if (cached !== undefined) return cached;
    const isEnabled = isSatisfied(this.#guardOf(transition), this.signed);
    this.#known[transition] = isEnabled;
    return isEnabled;
  }
}
