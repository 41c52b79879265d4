/**
 * Guards of transitions in disjunctive form, each alternative a set of statements that must be signed; sets of signed
 * statements as bits; and classes of sets that enable the same transitions.
 */
import { entryOf } from "../../core/base/entry.ts";
import { SET_WORDS } from "../limits.ts";

/** Sorted statement numbers, without alternatives that others imply. */
export type Guard = readonly (readonly number[])[];

export const TRUE_GUARD: Guard = [[]];
export const NEVER: Guard = [];

/** Returns the disjunction of guards. */
export function disjunction(guards: readonly Guard[]): Guard {
  return smallest(guards.flat());
}

/** Returns the conjunction of guards; the guard itself if the others are always satisfied. */
export function conjunction(guards: readonly Guard[]): Guard {
  const [first, ...rest] = guards.filter((guard) => !isAlways(guard));
  return rest.reduce(
    (joined, guard) => smallest(joined.flatMap((left) => guard.map((right) => union(left, right)))),
    first ?? TRUE_GUARD,
  );
}

/** Conjunctions of pairs of guards, each made once for the same two guards. */
export class ConjunctionCache {
  readonly #known = new WeakMap<Guard, WeakMap<Guard, Guard>>();

  of(guard: Guard, other: Guard): Guard {
    const pairs = entryOf(this.#known, guard, () => new WeakMap<Guard, Guard>());
    return entryOf(pairs, other, () => conjunction([guard, other]));
  }
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

function smallest(alternatives: Guard): Guard {
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
  for (const statement of new Set(alternatives.map((alternative) => alternative[depth] as number))) {
    const matching = alternatives.filter((alternative) => alternative[depth] === statement);
    const at = flat.push(statement, 0) - 1;
    if (matching.every((alternative) => alternative.length > depth + 1)) branch(matching, depth + 1, flat);
    flat[at] = flat.length;
  }
}

/** Returns true if the signed set satisfies the guard. */
export function isSatisfied(tree: GuardTree, signed: Int32Array): boolean {
  for (let at = 0; at < tree.length; ) {
    const [statement, end] = [tree[at] as number, tree[at + 1] as number];
    const isSigned = statement === NOTHING || hasBit(signed, statement);
    if (isSigned && at + 2 === end) return true;
    at = isSigned ? at + 2 : end;
  }
  return false;
}

/** Returns true if the number is in the set. */
export function hasBit(bits: Int32Array, number: number): boolean {
  return ((bits[number >>> 5] as number) & (1 << (number & 31))) !== 0;
}

/** Adds the number to the set whose first word is at `start`. */
export function setBit(bits: Int32Array, number: number, start = 0): void {
  const at = start + (number >>> 5);
  bits[at] = (bits[at] as number) | (1 << (number & 31));
}

/** Bit rows by the numbers of local states. */
export class SignedSets {
  #rows = new Int32Array(64 * SET_WORDS);
  /** Words that any row uses. */
  #words = 0;

  /** Stores the signed statements of a local state. */
  note(localState: number, signed: readonly number[]): void {
    const start = localState * SET_WORDS;
    while (this.#rows.length < start + SET_WORDS) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    for (const statement of signed) {
      setBit(this.#rows, statement, start);
      this.#words = Math.max(this.#words, (statement >>> 5) + 1);
    }
  }

  /** Adds the bits of a local state to a set. */
  addTo(bits: Int32Array, localState: number): void {
    const start = localState * SET_WORDS;
    for (let word = 0; word < this.#words; word++)
      bits[word] = (bits[word] as number) | (this.#rows[start + word] as number);
  }

  /** Returns true if two local states have the same signed statements. */
  areAlike(left: number, right: number): boolean {
    for (let word = 0; word < this.#words; word++)
      if (this.#rows[left * SET_WORDS + word] !== this.#rows[right * SET_WORDS + word]) return false;
    return true;
  }
}

/** Guards of transitions, each different one as one tree. */
export class GuardTrees {
  /** All trees. */
  readonly all: GuardTree[] = [];
  readonly #known = new WeakMap<Guard, GuardTree>();
  readonly #places = new Map<GuardTree, number>();
  #placeOf: number[] = [];

  /** Replaces all guards; `undefined` stands for one that is never satisfied. */
  replace(guards: readonly (Guard | undefined)[]): void {
    this.all.length = 0;
    this.#places.clear();
    this.#placeOf = guards.map((guard = NEVER) => this.#place(guard));
  }

  /** Number of guards. */
  get size(): number {
    return this.#placeOf.length;
  }

  /** Returns the index of a guard's tree. */
  placeOf(guard: number): number {
    return this.#placeOf[guard] as number;
  }

  treeOf(guard: number): GuardTree {
    return this.all[this.placeOf(guard)] as GuardTree;
  }

  #place(guard: Guard): number {
    const tree = entryOf(this.#known, guard, guardTree);
    return entryOf(this.#places, tree, () => this.all.push(tree) - 1);
  }
}

/** Enabled transitions of a signature set, evaluated once for each transition known at the time. */
export class EnabledClass {
  /** Equal for equal classes as long as nothing new is learned; never reused after that. */
  number = -1;
  readonly signed: Int32Array;
  readonly #trees: GuardTrees;
  #satisfied: Uint8Array = new Uint8Array(0);
  #enabled: Uint8Array = new Uint8Array(0);
  #evaluated = 0;

  /** `trees` are those of the transitions; they may change later, and `signed` is overwritten before each `compute`. */
  constructor(signed: Int32Array, trees: GuardTrees) {
    this.signed = signed;
    this.#trees = trees;
  }

  /** Evaluates the guards of all transitions and facts. */
  compute(facts: readonly GuardTree[], enabledClasses: EnabledClasses): void {
    const { all: trees, size } = this.#trees;
    if (this.#enabled.length < size) {
      this.#enabled = new Uint8Array(size * 2);
      this.#satisfied = new Uint8Array(size * 2);
    }
    const satisfied = this.#satisfied;
    for (let place = 0; place < trees.length; place++)
      satisfied[place] = isSatisfied(trees[place] as GuardTree, this.signed) ? 1 : 0;
    for (let transition = 0; transition < size; transition++)
      this.#enabled[transition] = satisfied[this.#trees.placeOf(transition)] as number;
    this.#evaluated = size;
    this.number = enabledClasses.of(satisfied.subarray(0, trees.length), facts, this.signed);
  }

  /** Returns true if a transition is enabled. */
  enables(transition: number): boolean {
    if (transition < this.#evaluated) return this.#enabled[transition] === 1;
    return isSatisfied(this.#trees.treeOf(transition), this.signed);
  }
}

/** Numbers classes in the order in which they are found. */
export class EnabledClasses {
  readonly #numbers = new Map<string, number>();
  readonly #stride: number;
  #next: number;

  /** Of several kinds of classes each has the numbers with one remainder, so that no two classes share a number. */
  constructor(remainder: number, kinds: number) {
    this.#next = remainder;
    this.#stride = kinds;
  }

  /** Returns the number of the class with these satisfied guards and the facts that hold for a set of signatures. */
  of(satisfied: Uint8Array, facts: readonly GuardTree[], signed: Int32Array): number {
    let text = "";
    let bits = 1;
    const add = (bit: boolean): void => {
      bits = (bits << 1) | (bit ? 1 : 0);
      if (bits < 0x8000) return;
      text += String.fromCharCode(bits & 0x7fff);
      bits = 1;
    };
    for (const bit of satisfied) add(bit === 1);
    for (const tree of facts) add(isSatisfied(tree, signed));
    const key = text + String.fromCharCode(bits);
    return entryOf(this.#numbers, key, () => {
      const number = this.#next;
      this.#next += this.#stride;
      return number;
    });
  }

  /** Clears the classes after something new was learned; numbers are not reused. */
  clear(): void {
    this.#numbers.clear();
  }
}
