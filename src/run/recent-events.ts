/** What a run was doing lately: of one that does not come to rest, what keeps it going. */
import { unreachable } from "../core/base/assert.ts";
import { parseSlotKey, type SlotKey } from "../core/base/slot.ts";
import type { Directory } from "../scenario/directory.ts";
import { LATE_EVENTS, LATE_KINDS } from "../scenario/limits.ts";
import type { WorldEvent, WorldListener } from "../simulator/listener.ts";
import { messageKind } from "../simulator/network/pattern.ts";
import { type Names, namesIn } from "./narrative/names.ts";

/** The last events of a run. */
export interface Lately {
  readonly listener: WorldListener;
  /** `of the last 1000 events 412 were v1's timer "due checkpoint 3", 300 votes`; empty where nothing has happened. */
  words(): string;
}

/** Keeps the last events of a run, under the names of its scenario. */
export function latelyOf(directory: Directory): Lately {
  const ring: WorldEvent[] = [];
  return {
    listener: {
      eventBegins: (step, _at, event) => {
        ring[step % LATE_EVENTS] = event;
      },
    },
    words: () => {
      const names = namesIn(directory, []);
      const counts = new Map<string, number>();
      const last = ring.filter((event) => event !== undefined);
      for (const event of last) {
        const kind = kindOf(event, names);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      if (last.length === 0) return "";
      const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, LATE_KINDS);
      return `of the last ${last.length} events ${most.map(([kind, count]) => `${count} were ${kind}`).join(", ")}`;
    },
  };
}

function kindOf(event: WorldEvent, names: Names): string {
  switch (event.type) {
    case "timer":
      return `the timer "${timerName(event.name, names)}" of ${event.node}`;
    case "arrival":
      return `${event.parcel.type === "peer" ? messageKind(event.parcel.message) : event.parcel.type} messages`;
    case "written":
      return `writes of ${event.node}'s disk`;
    case "patience":
      return `${event.client} losing its patience`;
    case "order":
      return `orders of workload ${event.workload}`;
    case "action":
      return `actions of the file (${event.action.do})`;
    case "start":
    case "govern":
      return `${event.type} of ${event.node}`;
    default:
      return unreachable(event);
  }
}

/** Slots in it by their names. */
function timerName(name: string, names: Names): string {
  return name.replace(/(?:account|token|checkpoint|epoch)\/\S+/g, (key) => names.slot(parseSlotKey(key as SlotKey)));
}
