/**
 * Partial-order reduction: visible steps of a validator with the invisible steps before them.
 *
 * A step is invisible if it signs nothing and is no crash. It does not affect others: their transitions depend on
 * signatures, which only accumulate. So in any run each invisible step can be delayed until right before its validator
 * next signs or crashes, or for ever if it never does: it is still enabled there, reaches the same local state, and
 * disables nothing. (Lipton calls such a step a right mover.) The remaining run has the same signature sets in the same
 * order, so an exploration need not count the states in between. From each state it visits all local states that its
 * validators reach by invisible steps; the next states are those behind their next visible steps.
 *
 * The reduction hides no violation. Conflicts and amnesia show in signatures. Decisions and barriers, which are checked
 * against the existing signatures, are checked in every local state that is reached by invisible steps. And each local
 * state that a validator can have beside a given signature set is among those: remove from that run all invisible steps
 * of the others since their last visible ones, and it ends in a counted state with that set, from which the local state
 * is reached by invisible steps.
 *
 * For the same reason a validator need not take more invisible steps than necessary before a visible one: of two local
 * states with equal signatures, one that the other reaches by invisible steps is left out, since all its successors are
 * reached from the other one.
 */

import { SUCCESSORS_MAX } from "../limits.ts";
import type { EnabledClass } from "./guard.ts";
import type { LocalStates } from "./local-states.ts";
import type { Edge, VisibleStep } from "./transition.ts";

/** Successors of a local state under a class of enabled transitions. */
export interface Successors<F> {
  readonly steps: readonly VisibleStep[];
  /** Failed check in a local state reached by invisible steps, and that state. */
  readonly failure: { readonly state: number; readonly why: F } | undefined;
}

/** Edge of a path segment: invisible steps first, then the visible one. */
export type PathSegment = Readonly<{ from: number; edge: Edge }>;

/** Successors of one validator's local states, computed once for all signature sets of a class. */
export class InvisibleSteps<F> {
  readonly #localStates: LocalStates;
  readonly #delays: boolean;
  readonly #check: (localState: number, signed: Int32Array) => F | undefined;
  readonly #successors = new Map<number, Successors<F>>();
  readonly #reaches = new Map<number, ReadonlySet<number>>();

  /**
   * `check` returns the failure in a local state, given the signatures. Without `delays` each step counts as visible.
   */
  constructor(
    localStates: LocalStates,
    delays: boolean,
    check: (localState: number, signed: Int32Array) => F | undefined,
  ) {
    this.#localStates = localStates;
    this.#delays = delays;
    this.#check = check;
  }

  /** Clears the cache, because more transitions are possible. */
  clear(): void {
    this.#successors.clear();
    this.#reaches.clear();
  }

  /** Returns the successors of a local state under a class of enabled transitions. */
  successors(localState: number, enabledClass: EnabledClass): Successors<F> {
    const key = keyOf(localState, enabledClass.number);
    const known = this.#successors.get(key);
    if (known !== undefined) return known;
    if (this.#successors.size >= SUCCESSORS_MAX || this.#reaches.size >= SUCCESSORS_MAX) this.clear();
    const computed = this.#compute(localState, enabledClass);
    this.#successors.set(key, computed);
    return computed;
  }

  /** Returns all local states reached by invisible steps, the given one first. */
  reach(localState: number, enabledClass: EnabledClass): ReadonlySet<number> {
    const key = keyOf(localState, enabledClass.number);
    const known = this.#reaches.get(key);
    if (known !== undefined) return known;
    const reach = new Set([localState]);
    for (const at of reach) {
      this.#localStates.forEachEdge(at, enabledClass, (edge) => {
        if (this.#isInvisible(at, edge)) reach.add(edge.state);
      });
    }
    this.#reaches.set(key, reach);
    return reach;
  }

  /** Returns the shortest path segment to a successor. @throws RangeError if there is none. */
  segments(from: number, to: number, enabledClass: EnabledClass): readonly PathSegment[] {
    const arrivals = new Map<number, PathSegment | undefined>([[from, undefined]]);
    for (const at of arrivals.keys()) {
      let last: PathSegment | undefined;
      this.#localStates.forEachEdge(at, enabledClass, (edge) => {
        if (edge.state === to) last ??= { from: at, edge };
        else if (this.#isInvisible(at, edge) && !arrivals.has(edge.state)) arrivals.set(edge.state, { from: at, edge });
      });
      if (last !== undefined) return segmentsTo(last, arrivals);
    }
    throw new RangeError("a state is no successor of the state before it");
  }

  #compute(localState: number, enabledClass: EnabledClass): Successors<F> {
    const steps = new Map<number, VisibleStep>();
    let failed: Successors<F>["failure"];
    for (const at of this.reach(localState, enabledClass)) {
      const why = at === localState ? undefined : this.#check(at, enabledClass.signed);
      if (why !== undefined) failed ??= { state: at, why };
      this.#localStates.forEachEdge(at, enabledClass, (edge) => {
        if (!this.#isInvisible(at, edge))
          steps.set(edge.state, { state: edge.state, isCrash: edge.crashPoint !== undefined });
      });
    }
    return { steps: this.#withoutReachable([...steps.values()], enabledClass), failure: failed };
  }

  /** Removes successors that others reach by invisible steps; of two that reach each other the first one stays. */
  #withoutReachable(steps: readonly VisibleStep[], enabledClass: EnabledClass): readonly VisibleStep[] {
    if (!this.#delays) return steps;
    const reaches = steps.map(({ state: localState }) => this.reach(localState, enabledClass));
    return steps.filter(
      ({ state: localState }, index) =>
        !reaches.some(
          (reach, other) =>
            other !== index &&
            reach.has(localState) &&
            !(index < other && reaches[index]?.has((steps[other] as VisibleStep).state) === true),
        ),
    );
  }

  #isInvisible(from: number, { state: localState, crashPoint }: Edge): boolean {
    return this.#delays && crashPoint === undefined && this.#localStates.haveEqualSignatures(from, localState);
  }
}

function segmentsTo(last: PathSegment, arrivals: ReadonlyMap<number, PathSegment | undefined>): readonly PathSegment[] {
  const segments = [last];
  for (let segment = arrivals.get(last.from); segment !== undefined; segment = arrivals.get(segment.from))
    segments.push(segment);
  return segments.reverse();
}

/** Packs two numbers into one. */
function keyOf(localState: number, enabledClass: number): number {
  return enabledClass * 2 ** 26 + localState;
}
