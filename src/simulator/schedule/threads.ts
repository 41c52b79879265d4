/**
 * Threads of a schedule. A thread is a sequence whose events keep their order: one direction of the link between two
 * nodes; the timers and disk of a node; a client with its messages; and the script of the plan. Names are stable:
 * another client or link renames no thread.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { WorldEvent } from "../listener.ts";
import type { Party, WorldPlan } from "../plan.ts";

/** `v1>v2`, `v1`, `alice`, or `(script)`. */
export type Thread = string;

const SCRIPT: Thread = "(script)";

/** Returns every thread that a world of this plan can have: n² for n nodes, one for each client, one for the script. */
export function threadsOf({ nodes, clients }: Pick<WorldPlan, "nodes" | "clients">): readonly Thread[] {
  const links = nodes.flatMap(({ name: from }) =>
    nodes.flatMap(({ name: to }) => (from === to ? [] : [`${from}>${to}`])),
  );
  return [...links, ...nodes.map(({ name }) => name), ...clients.map(({ name }) => name), SCRIPT];
}

/** Returns the thread of an event. */
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
