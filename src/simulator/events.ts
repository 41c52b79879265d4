/** Processing of one event. */
import { requireDefined, unreachable } from "../core/base/assert.ts";
import { clientTimeout, receiveReply } from "./clients/run-client.ts";
import { submitOrder } from "./clients/run-workload.ts";
import { EVENT_KIND } from "./digest.ts";
import type { Engine } from "./engine.ts";
import type { Arrival, WorldEvent } from "./listener.ts";
import { isDeliverable, reportLoss } from "./network/transmit.ts";
import { fireTriggers } from "./network/triggers.ts";
import type { Node } from "./nodes/node.ts";
import { deliverInput, finishWrite, fireTimer, postpone, startNode } from "./nodes/run-node.ts";
import type { Entry } from "./queue.ts";
import type { Lanes } from "./random.ts";

const NOTHING: Lanes = { a: 0, b: 0, c: 0, d: 0 };

/** Runs one event taken from the queue, not stale. The clock never runs backwards. */
export function processEntry(engine: Engine, { at, sequence, item }: Entry<WorldEvent>): void {
  if (at > engine.now) engine.now = at as typeof engine.now;
  // A timer knows whether it counts.
  if (item.type !== "timer") engine.foreground -= 1;
  const { reseed } = engine.config.intervention;
  if (reseed?.after === engine.steps) engine.choices.reseed(reseed.seed);
  engine.steps += 1;
  engine.listener.eventBegins?.(engine.steps, engine.now, item);
  runEvent(engine, item, sequence);
}

/** Returns true for a cancelled timer, a write that a crash ended, and a client timeout that no longer applies. */
export function isStaleEvent(engine: Engine, event: WorldEvent, sequence: number): boolean {
  switch (event.type) {
    case "timer":
      return engine.node(event.node).timers.get(event.name)?.sequence !== sequence;
    case "written":
      return engine.node(event.node).writing !== sequence;
    case "clientTimeout":
      return engine.client(event.client)?.open.get(event.id)?.timer !== sequence;
    default:
      return false;
  }
}

function runEvent(engine: Engine, event: WorldEvent, sequence: number): void {
  const { trace, now } = engine;
  switch (event.type) {
    case "start":
      trace.event(EVENT_KIND.start, now, engine.index(event.node), 0, NOTHING);
      startNode(engine, engine.node(event.node));
      return;
    case "arrival":
      deliverArrival(engine, event, sequence);
      return;
    case "timer":
      trace.event(EVENT_KIND.timer, now, engine.index(event.node), 0, NOTHING);
      if (!postpone(engine, engine.node(event.node), event)) fireTimer(engine, engine.node(event.node), event.name);
      return;
    case "written":
      trace.event(EVENT_KIND.written, now, engine.index(event.node), 0, NOTHING);
      if (!postpone(engine, engine.node(event.node), event)) finishWrite(engine, engine.node(event.node));
      return;
    case "clientTimeout":
      trace.event(EVENT_KIND.clientTimeout, now, engine.index(event.client), 0, NOTHING);
      clientTimeout(engine, requireDefined(engine.client(event.client), "client"), event.id);
      return;
    case "action":
      trace.event(EVENT_KIND.action, now, 0, 0, engine.config.digester.digestOf(event.action));
      engine.config.act(engine, event.action);
      return;
    case "order":
      trace.event(EVENT_KIND.order, now, 0, event.number, NOTHING);
      submitOrder(engine, event.workload, event.number);
      return;
    case "govern":
      trace.event(EVENT_KIND.govern, now, engine.index(event.node), 0, engine.config.digester.digestOf(event.signed));
      deliverProposal(engine, event);
      return;
    default:
      unreachable(event);
  }
}

function deliverProposal(engine: Engine, event: Extract<WorldEvent, { type: "govern" }>): void {
  const node = engine.node(event.node);
  if (!node.running || postpone(engine, node, event)) return;
  deliverInput(engine, node, { type: "govern", at: engine.now, signed: event.signed });
}

function deliverArrival(engine: Engine, arrival: Arrival, sequence: number): void {
  const { sender, receiver, number, parcel, isReceived } = arrival;
  engine.trace.event(EVENT_KIND.arrival, engine.now, receiver, number, parcel.digest);
  if (isReceived !== true && !isDeliverable(engine, arrival, sequence)) return;
  const { arrivalsFor } = engine.config.intervention;
  if (arrivalsFor === undefined || isReceived === true || sender === receiver) receiveArrival(engine, arrival);
  else for (const replacing of arrivalsFor(arrival)) receiveArrival(engine, replacing);
}

function receiveArrival(engine: Engine, arrival: Arrival): void {
  const { from, to, receiver, parcel } = arrival;
  const node = engine.nodes[receiver];
  if (node === undefined) {
    const client = requireDefined(engine.clients[receiver - engine.nodes.length], "client");
    if (parcel.type === "reply") receiveReply(engine, client, from, parcel.id, parcel.reply);
    return;
  }
  if (!mayReceive(engine, node, arrival)) return;
  if (engine.armed.length > 0) {
    fireTriggers(engine, { on: "delivered", from, to, parcel });
    if (!mayReceive(engine, node, arrival)) return;
  }
  if (parcel.type === "submit") {
    deliverInput(engine, node, { type: "submit", at: engine.now, client: from, submission: parcel.submission });
  } else if (parcel.type === "peer") {
    deliverInput(engine, node, {
      type: "message",
      at: engine.now,
      from: parcel.sender,
      message: parcel.message,
    });
  }
}

/** Returns true if the node runs; an arrival is lost at a node that is down, and waits at a suspended one. */
function mayReceive(engine: Engine, node: Node, arrival: Arrival): boolean {
  if (node.running) return !postpone(engine, node, arrival);
  reportLoss(engine, arrival, "receiver down");
  return false;
}
