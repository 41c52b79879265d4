/**
 * What a schedule takes turns between. A thread is a sequence whose events keep their order: one direction of the link
 * between two nodes; what a node does by itself (timers, disk); a client with all that it says and hears; and the
 * script of the plan. Names are stable: another client or link renames no thread.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { WorldEvent } from "../listener.ts";
import type { Party, WorldPlan } from "../plan.ts";

/** `v1>v2`, `v1`, `alice`, or `(script)`. */
export type Thread = string;

const SCRIPT: Thread = "(script)";

/** Every thread that a world of this plan can have: n nodes have n² of them, the clients one each, the script one. */
export function threadsOf({ nodes, clients }: Pick<WorldPlan, "nodes" | "clients">): readonly Thread[] {
  const links = nodes.flatMap(({ name: from }) =>
    nodes.flatMap(({ name: to }) => (from === to ? [] : [`${from}>${to}`])),
  );
  return [...links, ...nodes.map(({ name }) => name), ...clients.map(({ name }) => name), SCRIPT];
}

/** The thread of an event. */
export function threadOf(event: WorldEvent, isNode: (party: Party) => boolean): Thread {
  switch (event.type) {
    case "arrival":
      if (event.from === event.to || !isNode(event.to)) return event.to;
      return isNode(event.from) ? `${event.from}>${event.to}` : event.from;
    case "start":
    case "timer":
    case "written":
      return event.node;
    case "patience":
      return event.client;
    case "action":
    case "order":
    case "govern":
      return SCRIPT;
    default:
      return unreachable(event);
  }
}
