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
  /** Checks one event; `chronicle` includes it already. */
  observe(record: ObservedEvent, chronicle: Chronicle): readonly Violation[];
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

/** Takes an event in: changes the state in place, and reports. `chronicle` includes the event already. */
export type Handler<S, R = ObservedEvent> = (
  state: S,
  record: R,
  chronicle: Chronicle,
  report: ReportViolation,
) => void;

/** Handlers of an oracle by the type of event; it receives no others. */
export type Handlers<S> = { readonly [T in Event["type"]]?: Handler<S, EventOf<T>> };

const NO_VIOLATIONS: readonly Violation[] = [];

/**
 * Returns an oracle that folds events into a state. What changes in place are maps, sets and lists, and records that hold
 * a map or a set (copy-state.ts).
 */
export function oracle<S>(name: InvariantName, initial: S, handlers: Handlers<S>): Oracle {
  let state = initial;
  let newViolations: Violation[] = [];
  let current: EventPosition | undefined;
  let judgements = 0;
  const note = (detail: string, details?: ReportDetails): void => {
    const { step, at } = details?.where ?? (current as EventPosition);
    newViolations.push({ invariant: details?.invariant ?? name, step, at, detail, faulty: details?.faulty ?? [] });
  };
  const judged = (): void => {
    judgements += 1;
  };
  const report: ReportViolation = Object.assign(note, { judged });
  return {
    name,
    handles: Object.keys(handlers) as Event["type"][],
    get judgements() {
      return judgements;
    },
    observe(record, chronicle) {
      current = record;
      (handlers[record.type] as Handler<S> | undefined)?.(state, record, chronicle, report);
      if (newViolations.length === 0) return NO_VIOLATIONS;
      const violations = newViolations;
      newViolations = [];
      return violations;
    },
    capture: () => copyOfState(state),
    restore: (captured) => {
      state = copyOfState(captured as S);
    },
  };
}

/** Returns handlers of the same events that are called by `call`. */
export function mapHandlers<Inner, S>(
  handlers: Handlers<Inner>,
  call: (handle: Handler<Inner>, ...event: Parameters<Handler<S>>) => void,
): Handlers<S> {
  const mapped: Partial<Record<Event["type"], Handler<S>>> = {};
  for (const [type, handle] of Object.entries(handlers) as [Event["type"], Handler<Inner>][])
    mapped[type] = (state, record, chronicle, report) => call(handle, state, record, chronicle, report);
  return mapped;
}

/**
 * Returns an oracle that keeps a state for each honest node in its current incarnation: it is dropped at a crash and a
 * restart, and begins anew with the next event.
 */
export function nodeOracle<S extends object>(name: InvariantName, start: () => S, handlers: Handlers<S>): Oracle {
  return oracle(name, new Map<NodeName, S>(), {
    ...mapHandlers<S, Map<NodeName, S>>(handlers, (handle, states, record, chronicle, report) => {
      if ("honest" in record && record.honest) handle(entryOf(states, record.node, start), record, chronicle, report);
    }),
    crashed: dropNode,
    restarted: dropNode,
  });
}

/** Drops what is kept of a node whose incarnation is over. */
export function dropNode(states: Map<NodeName, unknown>, { node }: EventOf<"crashed" | "restarted">): void {
  states.delete(node);
}
