/** Construction of oracles: folds over events, with access to the chronicle of the run. */
import { entryOf } from "../core/base/entry.ts";
import type { Address } from "../core/base/ids.ts";
import { copyOfState } from "./copy-state.ts";
import type { Chronicle } from "./history/chronicle.ts";
import type { Event, EventOf, InvariantName, NodeName, ObservedEvent, Violation } from "./observation.ts";

/** Checker of one invariant, event by event; linear cost in the length of the run. */
export interface Oracle {
  readonly name: InvariantName;
  /** Types of events that it handles; it receives no others. */
  readonly handles: readonly Event["type"][];
  /** Number of comparisons so far: one without any has judged nothing. No part of the captured state. */
  readonly judgements: number;
  /** Checks one event; `seen` includes it already. */
  observe(record: ObservedEvent, seen: Chronicle): readonly Violation[];
  /** Returns an independent copy of its state: plain data, maps, sets and tries. O(state). */
  capture(): unknown;
  /** Returns to a captured state, which stays as it is. O(state). */
  restore(captured: unknown): void;
}

/** Step and time of an event. */
export type EventPosition = Pick<Violation, "step" | "at">;

export interface ReportDetails {
  /** Invariant that is broken, if it is not that of the oracle. */
  readonly invariant?: InvariantName;
  readonly faulty?: readonly Address[];
  /** Position of the violation, if it is not that of the event which revealed it. */
  readonly where?: EventPosition;
}

/** Reports a violation of the invariant. */
export interface ReportViolation {
  (detail: string, details?: ReportDetails): void;
  /** Counts a comparison. */
  judged(): void;
}

const NO_VIOLATIONS: readonly Violation[] = [];

/**
 * Returns an oracle that folds events of some types into a state. `judge` changes it in place or replaces it; `seen`
 * includes the event already. What changes in place are maps, sets and lists, and records that hold a map or a set
 * (copy-state.ts).
 */
export function oracle<S, T extends Event["type"]>(
  name: InvariantName,
  eventTypes: readonly T[],
  initial: S,
  judge: (state: S, seen: Chronicle, record: EventOf<T>, report: ReportViolation) => S,
): Oracle {
  let state = initial;
  let found: Violation[] = [];
  let current: EventPosition | undefined;
  let judgements = 0;
  const note = (detail: string, details?: ReportDetails): void => {
    const { step, at } = details?.where ?? (current as EventPosition);
    found.push({ invariant: details?.invariant ?? name, step, at, detail, faulty: details?.faulty ?? [] });
  };
  const judged = (): void => {
    judgements += 1;
  };
  const report: ReportViolation = Object.assign(note, { judged });
  return {
    name,
    handles: eventTypes,
    get judgements() {
      return judgements;
    },
    observe(record, seen) {
      current = record;
      state = judge(state, seen, record as EventOf<T>, report);
      if (found.length === 0) return NO_VIOLATIONS;
      const violations = found;
      found = [];
      return violations;
    },
    capture: () => copyOfState(state),
    restore: (captured) => {
      state = copyOfState(captured as S);
    },
  };
}

/**
 * Returns an oracle that keeps a state for each honest node in its current incarnation: it is dropped at a crash and a
 * restart, and begins anew with the next event.
 */
export function nodeOracle<S extends object, T extends Event["type"]>(
  name: InvariantName,
  eventTypes: readonly T[],
  start: () => S,
  judge: (state: S, seen: Chronicle, record: EventOf<T>, report: ReportViolation) => void,
): Oracle {
  const types: readonly Event["type"][] = [...eventTypes, "crashed", "restarted"];
  return oracle(name, types, new Map<NodeName, S>(), (states, seen, record, report) => {
    if (record.type === "crashed" || record.type === "restarted") states.delete(record.node);
    else if ("honest" in record && record.honest)
      judge(entryOf(states, record.node, start), seen, record as EventOf<T>, report);
    return states;
  });
}
