/** Transitions, inputs delivered together to one validator, with their guards, and the edges along which they lead. */
import { type Guard, GuardTrees, hasBit } from "./guard.ts";
import type { Journal } from "./journal.ts";
import type { Learning } from "./learning.ts";
import type { CrashPoint, UntimedInput } from "./local-state.ts";
import type { IsSigned } from "./network-knowledge.ts";

export interface Transition {
  /** Unique description, equal for equal transitions in all explorations of a scenario. */
  readonly label: string;
  readonly guard: Guard;
  /** Builds the inputs with existing signatures. */
  readonly makeInputs: (isSigned: IsSigned) => readonly UntimedInput[];
}

/** Transitions by number, in the order in which they became possible; their guards weaken as statements are added. */
export class TransitionTable {
  readonly all: Transition[] = [];
  readonly guards: GuardTrees = new GuardTrees();
  /** Guards by the same numbers while the Byzantine validator is silent. */
  readonly silentGuards: GuardTrees = new GuardTrees();
  readonly #numbers = new Map<string, number>();
  readonly #inputs: (readonly UntimedInput[] | undefined)[] = [];
  readonly #journal: Journal;
  readonly #learning: Learning;

  constructor(journal: Journal, learning: Learning) {
    this.#journal = journal;
    this.#learning = learning;
  }

  /** Adds new transitions and replaces the guards of known ones. */
  update(transitions: readonly Transition[]): void {
    for (const transition of transitions) {
      if (transition.guard.length === 0) continue;
      const number = this.#numbers.get(transition.label) ?? this.all.length;
      this.#numbers.set(transition.label, number);
      this.all[number] = transition;
    }
    this.guards.replace(this.all.map(({ guard }) => guard));
  }

  /** Replaces the guards that apply while the Byzantine validator is silent. */
  updateWithoutByzantine(transitions: readonly Transition[]): void {
    const guards = new Map(transitions.map(({ label, guard }) => [label, guard]));
    this.silentGuards.replace(this.all.map(({ label }) => guards.get(label)));
  }

  /**
   * Returns the inputs of a transition, built once from the given signatures: all choices of signatures prove the same.
   * @throws UnknownStep in a replica in which they were not built.
   */
  inputs(number: number, signed: Int32Array): readonly UntimedInput[] {
    const known = this.#inputs[number];
    if (known !== undefined) return known;
    const transition = this.all[number];
    if (transition === undefined) throw new RangeError(`no transition has the number ${number}`);
    this.#learning.begin();
    const inputsMade = transition.makeInputs((statement) => hasBit(signed, statement));
    this.#inputs[number] = inputsMade;
    this.#journal.inputsMade(number, signed);
    return inputsMade;
  }

  /** Returns the inputs of a transition that were built before. @throws RangeError if they were not. */
  inputsMade(number: number): readonly UntimedInput[] {
    const inputsMade = this.#inputs[number];
    if (inputsMade === undefined) throw new RangeError(`the inputs of transition ${number} were not built`);
    return inputsMade;
  }
}

/** Edge from one local state to another. */
export interface Edge {
  readonly state: number;
  /** Crash point on the edge. */
  readonly crashPoint: CrashPoint | undefined;
  /** Transitions that lead along it, in ascending order; empty for a crash without inputs. */
  readonly transitions: number[];
}

/** Local state behind a visible step. */
export interface VisibleStep {
  readonly state: number;
  /** True if a crash leads there. */
  readonly isCrash: boolean;
}

/** Known edges of a local state. */
export interface KnownEdges {
  /** Each successor by one step, once for each crash point, in an order that does not depend on when it was found. */
  readonly edges: Edge[];
  /** Transitions that were disabled at all visits so far. */
  disabled: number[];
  /** Number of transitions that were known at the last visit. */
  transitionsKnown: number;
  /** True if the successor by a crash is known. */
  hasCrashed: boolean;
}

/** Returns the edges of an unvisited local state. */
export function noEdges(): KnownEdges {
  return { edges: [], disabled: [], transitionsKnown: 0, hasCrashed: false };
}

/**
 * Notes that a transition, or with `undefined` a crash alone, leads to a local state: all transitions that lead there by
 * the same crash point share one edge.
 */
export function addEdge(
  { edges }: KnownEdges,
  state: number,
  crashPoint: CrashPoint | undefined,
  transition: number | undefined,
): void {
  const at = placeIn(edges, (edge) => compareEdges(edge, state, crashPoint));
  let edge = edges[at];
  if (edge === undefined || compareEdges(edge, state, crashPoint) !== 0) {
    edge = { state, crashPoint, transitions: transition === undefined ? [] : [transition] };
    edges.splice(at, 0, edge);
  } else if (transition === undefined) {
    edge.transitions.length = 0;
  } else if (edge.transitions.length > 0) {
    const { transitions } = edge;
    const place = placeIn(transitions, (one) => one - transition);
    if (transitions[place] !== transition) transitions.splice(place, 0, transition);
  }
}

/** Returns the index of the first element that does not come before what is searched: those have negative results. */
function placeIn<T>(sorted: readonly T[], compare: (element: T) => number): number {
  const at = sorted.findIndex((element) => compare(element) >= 0);
  return at < 0 ? sorted.length : at;
}

/** Edges without a crash come first. */
function compareEdges({ state, crashPoint: one }: Edge, other: number, crashPoint: CrashPoint | undefined): number {
  if (state !== other) return state - other;
  if (one === undefined || crashPoint === undefined) return (one === undefined ? 0 : 1) - (crashPoint ? 1 : 0);
  return one.input - crashPoint.input || one.outputs - crashPoint.outputs;
}

/** Returns the edges of many local states as one row of numbers. */
export function edgesToInts(localStates: Iterable<KnownEdges>): Int32Array {
  const ints: number[] = [];
  for (const { edges, disabled: untried, transitionsKnown: known, hasCrashed } of localStates) {
    ints.push(known, hasCrashed ? 1 : 0, untried.length, ...untried, edges.length);
    for (const { state: localState, crashPoint, transitions } of edges)
      ints.push(localState, crashPoint?.input ?? -1, crashPoint?.outputs ?? -1, transitions.length, ...transitions);
  }
  return Int32Array.from(ints);
}

/** Reads what `edgesToInts` wrote. @throws RangeError for other numbers. */
export function* edgesFromInts(ints: Int32Array): Generator<KnownEdges> {
  let at = 0;
  const next = (): number => {
    const int = ints[at];
    if (int === undefined) throw new RangeError(`expected more than ${ints.length} numbers`);
    at += 1;
    return int;
  };
  const list = (): number[] => Array.from({ length: count(next(), ints.length) }, next);
  while (at < ints.length) {
    const [known, hasCrashed, untried] = [next(), next() === 1, list()];
    const edges = Array.from({ length: count(next(), ints.length) }, (): Edge => {
      const [localState, input, outputs] = [next(), next(), next()];
      return { state: localState, crashPoint: input < 0 ? undefined : { input, outputs }, transitions: list() };
    });
    yield { edges, disabled: untried, transitionsKnown: known, hasCrashed };
  }
}

function count(int: number, most: number): number {
  if (int < 0 || int > most) throw new RangeError(`expected a count up to ${most}, got ${int}`);
  return int;
}
