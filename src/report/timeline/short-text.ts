/** Words for an event that fit beside its mark. */
import type { RunEvent, ValueRef } from "../../run/events/run-event.ts";
import { slotName, slotOfEvent } from "./model.ts";

/** Words of events that are neither statements nor messages. */
const WORDS: Readonly<Partial<Record<RunEvent["kind"], string>>> = {
  decided: "certificate",
  applied: "applied",
  checkpointApplied: "applied",
  epochClosed: "epoch closed",
  stateTransferred: "state transferred",
  crashed: "crash",
  halted: "halt",
  reported: "report",
  restarted: "restart",
  submitted: "submit",
  clientTimeout: "timeout",
  timerExpired: "timeout",
};

/** Returns `vote x`, or `vote alice 3` for an operation without a name; empty for events that need no words. */
export function shortText(event: RunEvent): string {
  const word = wordOf(event);
  if (word === undefined) return "";
  const about = "message" in event ? event.message : event;
  const named = "value" in about ? operationOf(about.value) : "operation" in about ? about.operation : undefined;
  const slot = slotOfEvent(event);
  const subject = named !== undefined && !named.startsWith("0x") ? named : slot === undefined ? "" : slotName(slot);
  return `${word} ${subject}`.trim();
}

function wordOf(event: RunEvent): string | undefined {
  if (event.kind === "signed") return event.statement;
  if (event.kind === "responded") return event.status;
  return "message" in event ? event.message.type : WORDS[event.kind];
}

function operationOf(value: ValueRef | undefined): string | undefined {
  return value !== undefined && "operation" in value ? value.operation : undefined;
}
