/** Selection of what the diagram shows, and positions on its horizontal axis. */

import { operationsOfEvent, slotName, slotOfEvent, type Timeline } from "../report/timeline/model.ts";
import type { RunEventKind } from "../run/events/run-event.ts";
import type { MessageKind } from "../simulator/plan.ts";

/** Horizontal axis: virtual time, or one column for each step that is shown. */
export type Axis = "order" | "time";

export interface Filter {
  /** Groups of messages and marks that are shown. */
  readonly groups: ReadonlySet<GroupName>;
  /** Empty: all. */
  readonly parties: ReadonlySet<string>;
  /** Name of a slot or account; empty: all. */
  readonly slot: string;
  readonly operation: string;
  /** Text that the sentence of an event contains; empty: all. */
  readonly text: string;
}

/** Messages and events that are switched together. */
export const GROUPS = {
  clients: {
    label: "client messages",
    messages: ["submit", "reply"],
    events: ["submitted", "responded", "clientTimeout"],
  },
  proposals: { label: "proposals", messages: ["proposal", "offer"], events: [] },
  votes: { label: "votes", messages: ["vote"], events: [] },
  commits: { label: "commits", messages: ["commit"], events: [] },
  rounds: { label: "round changes", messages: ["roundChange", "close"], events: ["timerExpired"] },
  other: { label: "certificates and contents", messages: [], events: [] },
  sync: { label: "synchronization", messages: ["status"], events: [] },
  decisions: {
    label: "decisions",
    messages: [],
    events: ["decided", "applied", "checkpointApplied", "epochClosed", "stateTransferred", "halted", "reported"],
  },
  faults: { label: "faults", messages: [], events: ["action", "crashed", "restarted", "started", "healed"] },
  internal: {
    label: "timers and disk",
    messages: [],
    events: ["timerSet", "timerCancelled", "written", "persisted", "erased", "coverage", "ordered"],
  },
} as const satisfies Record<
  string,
  { label: string; messages: readonly MessageKind[]; events: readonly RunEventKind[] }
>;

export type GroupName = keyof typeof GROUPS;

export const GROUP_NAMES = Object.keys(GROUPS) as readonly GroupName[];

const OF_MESSAGE: ReadonlyMap<string, GroupName> = new Map(
  GROUP_NAMES.flatMap((name) => GROUPS[name].messages.map((kind): [string, GroupName] => [kind, name])),
);
const OF_EVENT: ReadonlyMap<string, GroupName> = new Map(
  GROUP_NAMES.flatMap((name) => GROUPS[name].events.map((kind): [string, GroupName] => [kind, name])),
);

export const START: Filter = {
  groups: new Set(GROUP_NAMES.filter((name) => name !== "sync" && name !== "internal")),
  parties: new Set(),
  slot: "",
  operation: "",
  text: "",
};

/** Group of an event; `undefined` for definitions of operations, which are never drawn. */
export function groupOf(model: Timeline, position: number): GroupName | undefined {
  const event = model.events[position];
  if (event === undefined) return undefined;
  if ("message" in event) return OF_MESSAGE.get(event.message.type) ?? "other";
  // Statements have the names of the messages that carry them.
  if (event.kind === "signed") return OF_MESSAGE.get(event.statement);
  if (event.kind === "timerExpired" && event.timer.type !== "round") return "internal";
  if (event.kind === "replied") return "internal";
  return OF_EVENT.get(event.kind) ?? (event.kind === "operation" ? undefined : "other");
}

/** Events that pass a filter, and their places. */
export interface View {
  /** 1 for an event that is shown. */
  readonly isShown: Uint8Array;
  /** Positions of shown events, ascending. */
  readonly shown: Int32Array;
  /** Place of each event on the axis, from 0 on, ascending. */
  readonly places: Float64Array;
  /** Places on the axis, at least 1. */
  readonly width: number;
}

/** Applies a filter. O(events); a text makes the sentence of each. */
export function viewOf(model: Timeline, filter: Filter, axis: Axis): View {
  return viewsOf([model], 0, filter, axis)[0] as View;
}

/**
 * Applies a filter to runs whose first `same` events are equal, on one axis: after these, columns follow the times of all.
 * O(events).
 */
export function viewsOf(runs: readonly Timeline[], same: number, filter: Filter, axis: Axis): readonly View[] {
  const views = runs.map((model) => ({ ...selectionOf(model, filter), places: new Float64Array(model.events.length) }));
  const columns = new Columns();
  const next = runs.map(() => 0);
  for (;;) {
    // The first run of those whose next event is earliest.
    const waiting = runs.map(({ events }, run) => events[next[run] ?? 0]?.at ?? Number.POSITIVE_INFINITY);
    const run = waiting.indexOf(Math.min(...waiting));
    const [at, view] = [next[run] ?? 0, views[run]];
    const event = runs[run]?.events[at];
    if (event === undefined || view === undefined) break;
    // Steps of all runs are counted from the beginning: a number alone does not tell them apart.
    const step = at < same ? event.step : -1 - runs.length * event.step - run;
    const place = axis === "time" ? event.at : columns.of(step, view.isShown[at] === 1);
    for (const [other, { places }] of views.entries())
      if (other === run || at < same) {
        places[at] = place;
        next[other] = at + 1;
      }
  }
  const width = Math.max(1, ...views.map(({ places }) => places.at(-1) ?? 0));
  return views.map((view) => ({ ...view, width }));
}

/** Numbers the columns of the axis of order: one for each step with a shown event. */
class Columns {
  #column = -1;
  #step: number | undefined;

  of(step: number, isShown: boolean): number {
    if (isShown && step !== this.#step) {
      this.#column += 1;
      this.#step = step;
    }
    return Math.max(0, this.#column);
  }
}

type Selection = Pick<View, "isShown" | "shown">;

function selectionOf(model: Timeline, filter: Filter): Selection {
  const matches = matcher(model, filter);
  const isShown = Uint8Array.from(model.events, (_, at) => (matches(at) ? 1 : 0));
  return { isShown, shown: Int32Array.from(isShown.keys()).filter((at) => isShown[at] === 1) };
}

function matcher(model: Timeline, { groups, parties, slot, operation, text }: Filter): (position: number) => boolean {
  const wanted = text.trim().toLowerCase();
  return (at) => {
    const group = groupOf(model, at);
    if (group === undefined || !groups.has(group)) return false;
    const event = model.events[at];
    if (event === undefined) return false;
    if (parties.size > 0) {
      const ends = "from" in event && "to" in event ? [event.from, event.to] : [model.lanes[model.laneOf[at] ?? -1]];
      if (!ends.some((name) => typeof name === "string" && parties.has(name)) && event.kind !== "action") return false;
    }
    if (slot !== "") {
      const of = slotOfEvent(event);
      if (of === undefined || (slotName(of) !== slot && !("owner" in of && of.owner === slot))) return false;
    }
    if (operation !== "" && !operationsOfEvent(event).includes(operation)) return false;
    return wanted === "" || model.text(at).toLowerCase().includes(wanted);
  };
}
