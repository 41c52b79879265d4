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

import type { CheckFailure } from "./checks.ts";
import type { EnabledTransitions } from "./guard.ts";
import type { LocalStates } from "./local-states.ts";
import type { Edge, VisibleStep } from "./transition.ts";

/** Successors of a local state under the enabled transitions. */
export interface Successors {
  readonly steps: readonly VisibleStep[];
  /** Failed check in a local state reached by invisible steps, and that state. */
  readonly failure: { readonly state: number; readonly why: CheckFailure } | undefined;
}

/** Edge of a path segment: invisible steps first, then the visible one. */
export type PathSegment = Readonly<{ from: number; edge: Edge }>;

type Check = (localState: number, signed: Int32Array) => CheckFailure | undefined;

/** Successors of one validator's local states. */
export class InvisibleSteps {
  readonly #localStates: LocalStates;
  readonly #delays: boolean;
  readonly #check: Check;

  /**
   * `check` returns the failure in a local state, given the signatures. Without `delays` each step counts as visible.
   */
  constructor(localStates: LocalStates, delays: boolean, check: Check) {
    this.#localStates = localStates;
    this.#delays = delays;
    this.#check = check;
  }

  /** Returns the successors of a local state under the enabled transitions. */
  successors(localState: number, enabled: EnabledTransitions): Successors {
    const steps = new Map<number, VisibleStep>();
    let failed: Successors["failure"];
    for (const at of this.reach(localState, enabled)) {
      const why = at === localState ? undefined : this.#check(at, enabled.signed);
      if (why !== undefined) failed ??= { state: at, why };
      this.#localStates.forEachEdge(at, enabled, (edge) => {
        if (!this.#isInvisible(at, edge))
          steps.set(edge.state, { state: edge.state, isCrash: edge.crashPoint !== undefined });
      });
    }
    return { steps: this.#withoutReachable([...steps.values()], enabled), failure: failed };
  }

  /** Returns all local states reached by invisible steps, the given one first. */
  reach(localState: number, enabled: EnabledTransitions): ReadonlySet<number> {
    const reach = new Set([localState]);
    for (const at of reach) {
      this.#localStates.forEachEdge(at, enabled, (edge) => {
        if (this.#isInvisible(at, edge)) reach.add(edge.state);
      });
    }
    return reach;
  }

  /** Returns the shortest path segment to a successor. @throws RangeError if there is none. */
  segments(from: number, to: number, enabled: EnabledTransitions): readonly PathSegment[] {
    const arrivals = new Map<number, PathSegment | undefined>([[from, undefined]]);
    for (const at of arrivals.keys()) {
      let last: PathSegment | undefined;
      this.#localStates.forEachEdge(at, enabled, (edge) => {
        if (edge.state === to) last ??= { from: at, edge };
        else if (this.#isInvisible(at, edge) && !arrivals.has(edge.state)) arrivals.set(edge.state, { from: at, edge });
      });
      if (last !== undefined) return segmentsTo(last, arrivals);
    }
    throw new RangeError("a state is no successor of the state before it");
  }

  /** Removes successors that others reach by invisible steps; of two that reach each other the first one stays. */
  #withoutReachable(steps: readonly VisibleStep[], enabled: EnabledTransitions): readonly VisibleStep[] {
    if (!this.#delays) return steps;
    const reaches = steps.map(({ state: localState }) => this.reach(localState, enabled));
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
