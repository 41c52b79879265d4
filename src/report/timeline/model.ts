/** Timeline of a run: its events with their lanes, messages, marks, and the text of each. */

import { entryOf } from "../../core/base/entry.ts";
import { eventText } from "../../run/events/event-text.ts";
import { type OperationLabels, operationLabels } from "../../run/events/reference-text.ts";
import { type MessageRef, partyOf, type RunEvent, type RunEventOf, type SlotRef } from "../../run/events/run-event.ts";
import type { RunData } from "../run-data.ts";

/** A message from its sending to its end; numbers are positions in `events`. */
export interface LinkMessage {
  readonly sent: number;
  /** `undefined`: in flight when the run ended. */
  readonly end: number | undefined;
  readonly from: number;
  readonly to: number;
  /** Its end on the link. */
  readonly fate: "delivered" | "lost" | "in flight";
  readonly isHeld: boolean;
  readonly isDuplicate: boolean;
  readonly message: MessageRef;
}

/** A stretch of a lane, or of all lanes, in which something holds; `to`: position of its end, or the number of events. */
export interface Band {
  readonly lane: number | undefined;
  readonly from: number;
  readonly to: number;
  readonly kind: "down" | "byzantine" | "fault";
  readonly text: string;
  /** Of faults of the network that last at the same time each has another one, from 0 on; 0 of other bands. */
  readonly row: number;
}

/** Events with the names of their parties. */
export type TimelineData = Pick<RunData, "validators" | "clients" | "byzantine" | "events" | "isTimed">;

/** A run with its lanes, messages and bands. Immutable. */
export interface TimelineModel<Data extends TimelineData = RunData> {
  readonly data: Data;
  readonly events: readonly RunEvent[];
  /** Names of the parties, from the top: clients that act, then validators. */
  readonly lanes: readonly string[];
  /** Lane of each event; -1 for events of the network. */
  readonly laneOf: Int32Array;
  readonly messages: readonly LinkMessage[];
  /** Position in `messages` of the message that an event sends, delivers, loses or holds; -1 for none. */
  readonly messageOf: Int32Array;
  readonly bands: readonly Band[];
  readonly labels: OperationLabels;
  readonly text: (position: number) => string;
  /** `200 ms`, or `step 12` in a run without times. */
  readonly when: (event: Pick<RunEvent, "step" | "at">) => string;
  /** Position of the first event of a step or of a later one. */
  readonly positionOfStep: (step: number) => number;
}

/** A model as diagram and causality need it, with whatever data. */
export type Timeline = TimelineModel<TimelineData>;

/** Builds the model. O(events). */
export function modelOf<Data extends TimelineData>(data: Data): TimelineModel<Data> {
  const { events } = data;
  const acting = new Set(events.map(partyOfEvent));
  const lanes = [...data.clients.filter((name) => acting.has(name)), ...data.validators];
  const place = new Map(lanes.map((name, at) => [name, at]));
  // Twins and outside clients appear in events only.
  const laneNamed = (name: string): number => {
    const known = place.get(name);
    if (known !== undefined) return known;
    place.set(name, lanes.length);
    return lanes.push(name) - 1;
  };
  const laneOf = Int32Array.from(events, (event) => {
    const party = partyOfEvent(event);
    return party === undefined ? -1 : laneNamed(party);
  });
  const labels = operationLabels(events);
  const texts = new Map<number, string>();
  const text = (position: number): string =>
    entryOf(texts, position, () => {
      const event = events[position];
      return event === undefined ? "" : eventText(event, labels);
    });
  const { messages, messageOf } = messagesOf(events, laneNamed);
  const bands = bandsOf(events, laneNamed, text);
  const when = ({ step, at }: Pick<RunEvent, "step" | "at">): string =>
    data.isTimed === false ? `step ${step}` : `${at} ms`;
  const steps = Float64Array.from(events, ({ step }) => step);
  const positionOfStep = (step: number): number => Math.min(lowerBound(steps, step), Math.max(0, events.length - 1));
  const found = { messages, messageOf, bands, labels, text, when };
  return { data, events, lanes, laneOf, ...found, positionOfStep };
}

/** Party in whose lane an event stands: where it happened. A loss counts where the message was sent. */
function partyOfEvent(event: RunEvent): string | undefined {
  return event.kind === "lost" || event.kind === "held" ? event.from : partyOf(event);
}

/** The slot that an event is about. */
export function slotOfEvent(event: RunEvent): SlotRef | undefined {
  if ("message" in event) return event.message.slot;
  if ("timer" in event) return event.timer.slot;
  return "slot" in event ? event.slot : undefined;
}

/** `alice 3`, `checkpoint 2`. */
export function slotName(slot: SlotRef): string {
  return "owner" in slot ? `${slot.owner} ${slot.number}` : `${slot.kind} ${slot.number}`;
}

/** Names of the operations that an event is about. */
export function operationsOfEvent(event: RunEvent): readonly string[] {
  const found: string[] = [];
  const of = (part: object | undefined): void => {
    if (part === undefined) return;
    if ("operation" in part && typeof part.operation === "string") found.push(part.operation);
    if ("operations" in part) found.push(...(part.operations as readonly string[]));
    if ("value" in part) of(part.value as object);
  };
  of(event);
  if ("message" in event) of(event.message);
  if (event.kind === "applied") for (const { operation } of event.effects) found.push(operation);
  return found;
}

type LinkEvent = RunEventOf<"sent" | "delivered" | "lost" | "held">;

/** A later copy of one number is a duplicate: the first one sent is the first one matched. */
function messagesOf(events: readonly RunEvent[], lane: (name: string) => number) {
  const messages: LinkMessage[] = [];
  const messageOf = new Int32Array(events.length).fill(-1);
  const open = new Map<string, number[]>();
  const keyOf = ({ from, to, number, message }: LinkEvent): string => `${from} ${to} ${number} ${message.type}`;
  for (const [at, event] of events.entries()) {
    if (event.kind === "sent") {
      const { from, to, message, duplicate } = event;
      messageOf[at] = messages.length;
      entryOf(open, keyOf(event), () => []).push(messages.length);
      messages.push({
        ...{ sent: at, end: undefined, from: lane(from), to: lane(to), fate: "in flight", isHeld: false, message },
        isDuplicate: duplicate === true,
      });
      continue;
    }
    if (event.kind !== "delivered" && event.kind !== "lost" && event.kind !== "held") continue;
    const waiting = open.get(keyOf(event));
    const found = waiting?.[0];
    const message = found === undefined ? undefined : messages[found];
    if (found === undefined || message === undefined) {
      // A link that loses a message does so at its sending.
      if (event.kind !== "lost") continue;
      messageOf[at] = messages.length;
      const ends = { sent: at, end: at, from: lane(event.from), to: lane(event.to) };
      messages.push({ ...ends, fate: "lost", isHeld: false, isDuplicate: false, message: event.message });
      continue;
    }
    messageOf[at] = found;
    if (event.kind === "held") {
      messages[found] = { ...message, isHeld: true };
      continue;
    }
    messages[found] = { ...message, end: at, fate: event.kind };
    waiting?.shift();
    if (waiting?.length === 0) open.delete(keyOf(event));
  }
  return { messages, messageOf };
}

/** Actions on the network, each with the actions that end it. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  partition: ["heal", "partition"],
  cut: ["heal"],
  hold: ["release"],
  drop: ["undrop"],
  link: ["link"],
  twins: [],
};

function bandsOf(
  events: readonly RunEvent[],
  lane: (name: string) => number,
  text: (position: number) => string,
): readonly Band[] {
  const bands: Band[] = [];
  const open = new Map<string, Omit<Band, "to" | "row">>();
  const begin = (key: string, from: number, kind: Band["kind"], words: string, party?: string): void =>
    void open.set(key, { lane: party === undefined ? undefined : lane(party), from, kind, text: words });
  const close = (key: string, to: number): void => {
    const band = open.get(key);
    if (band !== undefined) bands.push({ ...band, to, row: 0 });
    open.delete(key);
  };
  for (const [at, event] of events.entries()) {
    if (event.kind === "crashed") {
      begin(`down ${event.party}`, at, "down", `${event.party} is down`, event.party);
      close(`suspended ${event.party}`, at);
    } else if (event.kind === "restarted") close(`down ${event.party}`, at);
    else if (event.kind === "healed") {
      for (const [key, { kind }] of [...open]) if (kind === "fault") close(key, at);
    } else if (event.kind === "action") {
      const { action } = event;
      if (action.do === "byzantine") {
        const key = `byzantine ${action.node}`;
        if (!open.has(key)) begin(key, at, "byzantine", text(at), action.node);
      } else if (action.do === "suspend")
        begin(`suspended ${action.node}`, at, "down", `${action.node} is suspended`, action.node);
      else if (action.do === "resume") close(`suspended ${action.node}`, at);
      else if (action.do === "behave") close(`byzantine ${action.node}`, at);
      for (const key of [...open.keys()])
        if (FAULTS[key.split(" ")[0] ?? ""]?.includes(action.do) === true) close(key, at);
      if (action.do in FAULTS) begin(`${action.do} ${at}`, at, "fault", text(at));
    }
  }
  for (const key of [...open.keys()]) close(key, events.length);
  return withRows(bands.sort((a, b) => a.from - b.from));
}

/** Gives each fault of the network the first row that is free. `bands`: by their beginnings. */
function withRows(bands: readonly Band[]): readonly Band[] {
  const ends: number[] = [];
  return bands.map((band) => {
    if (band.kind !== "fault") return band;
    const free = ends.findIndex((end) => end <= band.from);
    const row = free < 0 ? ends.length : free;
    ends[row] = band.to;
    return { ...band, row };
  });
}

/** Returns the first place in ascending numbers whose number is at least the wanted one. */
export function lowerBound(numbers: ArrayLike<number>, wanted: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
