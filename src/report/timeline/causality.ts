/** Causes and effects of an event: the order at each party, and the messages between parties. */
import type { Timeline } from "./model.ts";

/** By lane: position of the last event in the past of the chosen one, and of the first in its future. */
export interface Cone {
  readonly past: Int32Array;
  readonly future: Int32Array;
}

/** Returns the causal past and future of an event. O(events). */
export function coneOf({ lanes, laneOf, messages, messageOf, events }: Timeline, chosen: number): Cone {
  const past = new Int32Array(lanes.length).fill(-1);
  const future = new Int32Array(lanes.length).fill(events.length);
  const own = laneOf[chosen] ?? -1;
  if (own < 0) return { past, future };
  [past[own], future[own]] = [chosen, chosen];
  for (let at = chosen; at >= 0; at--) {
    const message = messages[messageOf[at] ?? -1];
    const isPast = at <= (past[laneOf[at] ?? -1] ?? -1);
    if (message !== undefined && isPast && events[at]?.kind === "delivered")
      past[message.from] = Math.max(past[message.from] ?? -1, message.sent);
  }
  for (let at = chosen; at < events.length; at++) {
    const message = messages[messageOf[at] ?? -1];
    const isFuture = at >= (future[laneOf[at] ?? -1] ?? events.length);
    if (message?.end !== undefined && isFuture && events[at]?.kind === "sent" && message.fate === "delivered")
      future[message.to] = Math.min(future[message.to] ?? events.length, message.end);
  }
  return { past, future };
}

/** True for an event in the past or future of the chosen one, or the chosen one itself. */
export function isInCone(model: Timeline, { past, future }: Cone, position: number): boolean {
  const lane = model.laneOf[position] ?? -1;
  if (lane < 0) return false;
  return position <= (past[lane] ?? -1) || position >= (future[lane] ?? Number.POSITIVE_INFINITY);
}
