/** Construction of oracles: folds over events, with access to the chronicle of the run. */
import type { Address, Millis } from "../core/base/ids.ts";
import type { Chronicle } from "./history/chronicle.ts";
import type { Event, EventOf, InvariantName, ObservedEvent, Violation } from "./observation.ts";

/** Checker of one invariant, event by event; linear cost in the length of the run. */
export interface Oracle {
  readonly name: InvariantName;
  /** Types of events that it handles; it receives no others. */
  readonly handles: readonly Event["type"][];
  /** Checks one event; `seen` includes it already. */
  observe(record: ObservedEvent, seen: Chronicle): readonly Violation[];
  /** Returns an independent copy of its state: plain data, maps, sets and tries. O(state). */
  capture(): unknown;
  /** Returns to a captured state, which stays as it is. O(state). */
  restore(captured: unknown): void;
}

/** Step and time of a violation, if not those of the event that revealed it. */
export interface EventPosition {
  readonly step: number;
  readonly at: Millis;
}

export interface ReportDetails {
  readonly faulty?: readonly Address[];
  readonly where?: EventPosition;
}

/** Reports a violation of the invariant. */
export type ReportViolation = (detail: string, more?: ReportDetails) => void;

/**
 * Folds one event into the state; `seen` includes the event already. An oracle with a way to copy its state may change
 * it in place; any other one returns a new state.
 */
export type Fold<S, T extends Event["type"]> = (
  state: S,
  seen: Chronicle,
  record: EventOf<T>,
  report: ReportViolation,
) => S;

const NO_VIOLATIONS: readonly Violation[] = [];

/** Returns an oracle that folds events of some types. `copy`: of a state that changes in place, for captures. */
export function oracle<S, T extends Event["type"]>(
  name: InvariantName,
  eventTypes: readonly T[],
  initial: S,
  judge: Fold<S, T>,
  copy: (state: S) => S = (same) => same,
): Oracle {
  let state = initial;
  let found: Violation[] = [];
  let current: EventPosition | undefined;
  const report: ReportViolation = (detail, more) => {
    const { step, at } = more?.where ?? (current as EventPosition);
    found.push({ invariant: name, step, at, detail, faulty: more?.faulty ?? [] });
  };
  return {
    name,
    handles: eventTypes,
    observe(record, seen) {
      current = record;
      state = judge(state, seen, record as EventOf<T>, report);
      if (found.length === 0) return NO_VIOLATIONS;
      const violations = found;
      found = [];
      return violations;
    },
    capture: () => copy(state),
    restore: (captured) => {
      state = copy(captured as S);
    },
  };
}
