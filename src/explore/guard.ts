/**
 * Guards of transitions in disjunctive form, each alternative a set of statements that must be signed; sets of signed
 * statements as bits; and classes of sets that enable the same transitions.
 */
import { SET_WORDS } from "./limits.ts";

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

  /** Stores the signed statements of a local state. */
  note(localState: number, signed: readonly number[]): void {
    const start = localState * SET_WORDS;
    while (this.#rows.length < start + SET_WORDS) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    for (const statement of signed) setBit(this.#rows, statement, start);
  }

  /** Adds the bits of a local state to a set. */
  addTo(bits: Int32Array, localState: number): void {
    const start = localState * SET_WORDS;
    for (let word = 0; word < SET_WORDS; word++)
      bits[word] = (bits[word] as number) | (this.#rows[start + word] as number);
  }

  /** Returns true if two local states have the same signed statements. */
  areAlike(one: number, other: number): boolean {
    for (let word = 0; word < SET_WORDS; word++)
      if (this.#rows[one * SET_WORDS + word] !== this.#rows[other * SET_WORDS + word]) return false;
    return true;
  }
}

/** Enabled transitions of a signature set, evaluated once for each transition known at the time. */
export class EnabledClass {
  /** Equal for equal classes as long as nothing new is learned; never reused after that. */
  number = -1;
  readonly signed: Int32Array;
  readonly #trees: readonly GuardTree[];
  #enabled: Uint8Array = new Uint8Array(0);
  #evaluated = 0;

  /** `transitions` may grow later, and `signed` is overwritten before each `compute`. */
  constructor(signed: Int32Array, transitions: readonly GuardTree[]) {
    this.signed = signed;
    this.#trees = transitions;
  }

  /** Evaluates the guards of all transitions and facts. */
  compute(facts: readonly GuardTree[], enabledClasses: EnabledClasses): void {
    const [guards, count] = [this.#trees, this.#trees.length];
    if (this.#enabled.length < count) this.#enabled = new Uint8Array(count * 2);
    for (let transition = 0; transition < count; transition++)
      this.#enabled[transition] = isSatisfied(guards[transition] as GuardTree, this.signed) ? 1 : 0;
    this.#evaluated = count;
    const satisfied = facts.map((tree) => isSatisfied(tree, this.signed));
    this.number = enabledClasses.of(this.#enabled.subarray(0, count), satisfied);
  }

  /** Returns true if a transition is enabled. */
  enables(transition: number): boolean {
    if (transition < this.#evaluated) return this.#enabled[transition] === 1;
    return isSatisfied(this.#trees[transition] as GuardTree, this.signed);
  }
}

/** Numbers classes in the order in which they are found. */
export class EnabledClasses {
  readonly #numbers = new Map<string, number>();
  #next = 0;

  /** Returns the number of the class with these enabled transitions and facts. */
  of(enabled: Uint8Array, satisfied: readonly boolean[]): number {
    let text = "";
    let bits = 1;
    const add = (bit: boolean): void => {
      bits = (bits << 1) | (bit ? 1 : 0);
      if (bits < 0x8000) return;
      text += String.fromCharCode(bits & 0x7fff);
      bits = 1;
    };
    for (const one of enabled) add(one === 1);
    for (const one of satisfied) add(one);
    const key = text + String.fromCharCode(bits);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#next);
    this.#next += 1;
    return this.#next - 1;
  }

  /** Clears the classes after something new was learned; numbers are not reused. */
  clear(): void {
    this.#numbers.clear();
  }
}
