/** Most frequent kinds among the last events of a run: what keeps a run from becoming quiescent. */
import { unreachable } from "../core/base/assert.ts";
import { parseSlotKey, type SlotKey } from "../core/base/slot.ts";
import type { Directory } from "../scenario/directory.ts";
import { RECENT_EVENTS, RECENT_KINDS } from "../scenario/limits.ts";
import type { WorldEvent, WorldListener } from "../simulator/listener.ts";
import { messageKind } from "../simulator/network/message-content.ts";
import { type Labels, labelsIn } from "./narrative/labels.ts";

/** The last events of a run. */
export interface RecentEvents {
  readonly listener: WorldListener;
  /** `of the last 1000 events 412 were vote messages, 300 were disk writes of v1`; empty without events. */
  text(): string;
}

/** A collector of the last events of a run, with the names of its scenario. */
export function recentEventsOf(directory: Directory): RecentEvents {
  const ring: WorldEvent[] = [];
  return {
    listener: {
      eventBegins: (step, _at, event) => {
        ring[step % RECENT_EVENTS] = event;
      },
    },
    text: () => {
      const names = labelsIn(directory, []);
      const counts = new Map<string, number>();
      const last = ring.filter((event) => event !== undefined);
      for (const event of last) {
        const kind = kindOf(event, names);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      if (last.length === 0) return "";
      const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, RECENT_KINDS);
      return `of the last ${last.length} events ${most.map(([kind, count]) => `${count} were ${kind}`).join(", ")}`;
    },
  };
}

function kindOf(event: WorldEvent, names: Labels): string {
  switch (event.type) {
    case "timer":
      return `the timer "${timerName(event.name, names)}" of ${event.node}`;
    case "arrival":
      return `${event.parcel.type === "peer" ? messageKind(event.parcel.message) : event.parcel.type} messages`;
    case "written":
      return `disk writes of ${event.node}`;
    case "patience":
      return `client timeouts of ${event.client}`;
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

/** The timer name with slot labels instead of slot keys. */
function timerName(name: string, names: Labels): string {
  return name.replace(/(?:account|token|checkpoint|epoch)\/\S+/g, (key) => names.slot(parseSlotKey(key as SlotKey)));
}
