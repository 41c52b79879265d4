/** Transitions, inputs delivered together to one validator, with their guards, and the edges along which they lead. */
import { assert } from "../../core/base/assert.ts";
import { type Guard, hasBit, NEVER } from "./guard.ts";
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
  /** Guards by the same numbers while the Byzantine validator is silent. */
  silentGuards: readonly Guard[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #inputs: (readonly UntimedInput[] | undefined)[] = [];

  /** Adds new transitions and replaces the guards of known ones. @throws AssertionError for two with one label. */
  update(transitions: readonly Transition[]): void {
    const labels = new Set<string>();
    for (const transition of transitions) {
      assert(!labels.has(transition.label), `two transitions are called: ${transition.label}`);
      labels.add(transition.label);
      if (transition.guard.length === 0) continue;
      const number = this.#numbers.get(transition.label) ?? this.all.length;
      this.#numbers.set(transition.label, number);
      this.all[number] = transition;
    }
  }

  /** Replaces the guards that apply while the Byzantine validator is silent. */
  updateWithoutByzantine(transitions: readonly Transition[]): void {
    const guards = new Map(transitions.map(({ label, guard }) => [label, guard]));
    this.silentGuards = this.all.map(({ label }) => guards.get(label) ?? NEVER);
  }

  /** Returns the inputs of a transition, built once from the given signatures: all choices of signatures prove the same. */
  inputs(number: number, signed: Int32Array): readonly UntimedInput[] {
    const cached = this.#inputs[number];
    if (cached !== undefined) return cached;
    const transition = this.all[number];
    if (transition === undefined) throw new RangeError(`no transition has the number ${number}`);
    const inputs = transition.makeInputs((statement) => hasBit(signed, statement));
    this.#inputs[number] = inputs;
    return inputs;
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
    const place = placeIn(transitions, (entry) => entry - transition);
    if (transitions[place] !== transition) transitions.splice(place, 0, transition);
  }
}

/** Returns the index of the first element that does not come before what is searched: those have negative results. */
function placeIn<T>(sorted: readonly T[], compare: (element: T) => number): number {
  const at = sorted.findIndex((element) => compare(element) >= 0);
  return at < 0 ? sorted.length : at;
}

/** Edges without a crash come first. */
function compareEdges(
  { state, crashPoint: ownCrashPoint }: Edge,
  otherState: number,
  crashPoint: CrashPoint | undefined,
): number {
  if (state !== otherState) return state - otherState;
  if (ownCrashPoint === undefined || crashPoint === undefined)
    return (ownCrashPoint === undefined ? 0 : 1) - (crashPoint ? 1 : 0);
  return ownCrashPoint.input - crashPoint.input || ownCrashPoint.outputs - crashPoint.outputs;
}
