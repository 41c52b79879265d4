/** Transmission of parcels between parties. */
import { EVENT_KIND } from "../digest.ts";
import type { Engine } from "../engine.ts";
import type { Arrival, LossCause, Parcel } from "../listener.ts";
import type { Link } from "./network.ts";
import { fireTriggers } from "./triggers.ts";

/** Puts a parcel on the link between two parties. */
export function transmit(engine: Engine, from: number, to: number, parcel: Parcel): void {
  const link = engine.network.link(from, to);
  link.sent += 1;
  const arrival = arrivalOf(engine, from, to, link.sent, parcel);
  if (link.isCut) {
    reportLoss(engine, arrival, "partition");
    return;
  }
  if (isDropped(engine, arrival)) return;
  const { choices } = engine;
  const { settings, streams, sent } = link;
  if (choices.chooseChance(streams.loss, sent, settings.loss)) {
    reportLoss(engine, arrival, "loss");
    return;
  }
  putOnLink(engine, link, arrival, choices.chooseInRange(streams.delay, sent, settings.delayMs));
  if (choices.chooseChance(streams.duplicate, sent, settings.duplicate)) {
    putOnLink(engine, link, arrival, choices.chooseInRange(streams.copy, sent, settings.delayMs));
  }
}

/** A node's messages to itself arrive at once, after its remaining outputs. */
export function sendToSelf(engine: Engine, node: number, parcel: Parcel): void {
  engine.schedule(engine.now, arrivalOf(engine, node, node, 0, parcel));
}

function arrivalOf(engine: Engine, sender: number, receiver: number, number: number, parcel: Parcel): Arrival {
  const from = engine.nameOf(sender);
  const to = engine.nameOf(receiver);
  return { type: "arrival", from, to, sender, receiver, number, parcel };
}

/**
 * Returns true if an arrival is still deliverable. A parcel that was under way when a partition began is lost; one that
 * a rule holds waits.
 */
export function isDeliverable(engine: Engine, arrival: Arrival, sequence: number): boolean {
  const { from, to, sender, receiver, parcel } = arrival;
  if (sender === receiver) return true;
  if (engine.network.isCut(sender, receiver)) {
    reportLoss(engine, arrival, "partition");
    return false;
  }
  if (isDropped(engine, arrival)) return false;
  const rule = engine.network.holder(from, to, parcel);
  if (rule === undefined) return true;
  engine.network.held.push({ rule, arrival, sequence });
  engine.trace.text(EVENT_KIND.held, receiver, rule);
  engine.listener.held?.(from, to, parcel, rule);
  if (engine.armed.length > 0) fireTriggers(engine, { on: "held", from, to, parcel });
  return false;
}

/** Delivers held parcels in the order of sending. */
export function release(engine: Engine, chosen: Parameters<Engine["network"]["takeHeld"]>[0]): void {
  for (const { arrival } of engine.network.takeHeld(chosen)) engine.schedule(engine.now, arrival);
}

/** Reports the loss of a parcel. */
export function reportLoss(engine: Engine, arrival: Arrival, cause: LossCause): void {
  const { from, to, receiver, number, parcel } = arrival;
  engine.trace.text(EVENT_KIND.lost, receiver, cause);
  engine.listener.lost?.(from, to, parcel, number, cause);
}

/** Returns true if a rule drops the parcel, and reports it. */
function isDropped(engine: Engine, arrival: Arrival): boolean {
  const { from, to, parcel } = arrival;
  const rule = engine.network.dropByRule(from, to, parcel);
  if (rule === undefined) return false;
  engine.listener.dropped?.(from, to, parcel, rule);
  reportLoss(engine, arrival, "rule");
  return true;
}

/** Links are FIFO, except for reordered parcels. */
function putOnLink(engine: Engine, link: Link, arrival: Arrival, delay: number): void {
  const overtakes = engine.choices.chooseChance(link.streams.reorder, arrival.number, link.settings.reorder);
  const due = engine.now + delay;
  const at = overtakes ? due : Math.max(due, link.lastArrival);
  if (!overtakes) link.lastArrival = at;
  engine.schedule(at, arrival);
  const { from, to, number, parcel } = arrival;
  engine.listener.sent?.(from, to, parcel, number, at as typeof engine.now);
}
