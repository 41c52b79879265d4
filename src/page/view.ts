/** Selection of what the diagram shows, and positions on its horizontal axis. */

import { operationsOfEvent, slotName, slotOfEvent, type Timeline } from "../report/timeline/model.ts";
import type { RunEvent, RunEventKind } from "../run/events/run-event.ts";
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
  const { isShown, shown } = selectionOf(model, filter);
  const columns = new Columns();
  const places = Float64Array.from(model.events, (event, at) =>
    axis === "time" ? event.at : columns.of(event.step, isShown[at] === 1),
  );
  return { isShown, shown, places, width: Math.max(1, places.at(-1) ?? 0) };
}

/**
 * Applies a filter to two runs whose first `same` events are equal, on one axis: after these, columns follow the times of
 * both. O(events).
 */
export function pairedViews(runs: readonly [Timeline, Timeline], same: number, filter: Filter, axis: Axis) {
  const selections = runs.map((model) => selectionOf(model, filter)) as [Selection, Selection];
  const places = runs.map(({ events }) => new Float64Array(events.length)) as [Float64Array, Float64Array];
  const columns = new Columns();
  const next: [number, number] = [0, 0];
  const place = (run: 0 | 1): void => {
    const at = next[run]++;
    const event = runs[run].events[at] as RunEvent;
    // Steps of both runs are counted from the beginning: a number alone does not tell them apart.
    const step = at < same ? event.step : -1 - 2 * event.step - run;
    places[run][at] = axis === "time" ? event.at : columns.of(step, selections[run].isShown[at] === 1);
  };
  for (;;) {
    const [here, there] = [runs[0].events[next[0]], runs[1].events[next[1]]];
    if (here === undefined && there === undefined) break;
    if (here !== undefined && next[0] < same) {
      place(0);
      places[1][next[1]++] = places[0][next[0] - 1] as number;
    } else place(there === undefined || (here !== undefined && here.at <= there.at) ? 0 : 1);
  }
  const width = Math.max(1, places[0].at(-1) ?? 0, places[1].at(-1) ?? 0);
  const viewAt = (run: 0 | 1): View => ({ ...selections[run], places: places[run], width });
  return { here: viewAt(0), there: viewAt(1) };
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
