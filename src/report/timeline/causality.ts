/** Causes and effects of an event: the order at each party, and the messages between parties. */
import type { Timeline } from "./model.ts";

/** By lane: position of the last event in the past of the chosen one, and of the first in its future. */
export interface Cone {
  readonly past: Int32Array;
  readonly future: Int32Array;
}

/** Returns the causal past and future of an event. O(events). */
export function coneOf(model: Timeline, chosen: number): Cone {
  return { past: pastOf(model, chosen), future: futureOf(model, chosen) };
}

/** True for an event in the past or future of the chosen one, or the chosen one itself. */
export function isInCone(model: Timeline, { past, future }: Cone, position: number): boolean {
  const lane = model.laneOf[position] ?? -1;
  if (lane < 0) return false;
  return position <= (past[lane] ?? -1) || position >= (future[lane] ?? Number.POSITIVE_INFINITY);
}

function pastOf({ lanes, laneOf, messages, messageOf, events }: Timeline, chosen: number): Int32Array {
  const last = new Int32Array(lanes.length).fill(-1);
  const own = laneOf[chosen] ?? -1;
  if (own < 0) return last;
  last[own] = chosen;
  for (let at = chosen; at >= 0; at--) {
    const lane = laneOf[at] ?? -1;
    if (lane < 0 || at > (last[lane] ?? -1) || events[at]?.kind !== "delivered") continue;
    const message = messages[messageOf[at] ?? -1];
    if (message !== undefined) last[message.from] = Math.max(last[message.from] ?? -1, message.sent);
  }
  return last;
}

function futureOf({ lanes, laneOf, messages, messageOf, events }: Timeline, chosen: number): Int32Array {
  const first = new Int32Array(lanes.length).fill(events.length);
  const own = laneOf[chosen] ?? -1;
  if (own < 0) return first;
  first[own] = chosen;
  for (let at = chosen; at < events.length; at++) {
    const lane = laneOf[at] ?? -1;
    if (lane < 0 || at < (first[lane] ?? events.length) || events[at]?.kind !== "sent") continue;
    const message = messages[messageOf[at] ?? -1];
    if (message?.end !== undefined && message.fate === "delivered")
      first[message.to] = Math.min(first[message.to] ?? events.length, message.end);
  }
  return first;
}
