/** Most frequent kinds among the last events of a run: what keeps a run from becoming quiescent. */
import { RECENT_EVENTS, RECENT_KINDS } from "../../scenario/limits.ts";
import type { WorldEvent, WorldListener } from "../../simulator/listener.ts";
import { EventNames } from "./names.ts";
import { type NamingContext, openingEvent } from "./recorder.ts";
import { timerText } from "./reference-text.ts";
import type { UndatedEvent } from "./run-event.ts";

/** The last events of a run. */
export interface RecentEvents {
  readonly listener: WorldListener;
  /** `of the last 1000 events 412 were vote messages, 300 were disk writes of v1`; empty without events. */
  text(): string;
}

/** A collector of the last events of a run. It keeps what the world hands over, and makes events only for its text. */
export function recentEventsOf(compiled: NamingContext): RecentEvents {
  const ring: WorldEvent[] = [];
  return {
    listener: {
      eventBegins: (step, _at, event) => {
        ring[step % RECENT_EVENTS] = event;
      },
    },
    text: () => {
      const names = new EventNames(compiled);
      const counts = new Map<string, number>();
      const last = ring.filter((event) => event !== undefined);
      for (const event of last) {
        const kind = kindText(openingEvent(event, names));
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      if (last.length === 0) return "";
      const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, RECENT_KINDS);
      return `of the last ${last.length} events ${most.map(([kind, count]) => `${count} were ${kind}`).join(", ")}`;
    },
  };
}

function kindText(event: UndatedEvent): string {
  switch (event.kind) {
    case "timerExpired":
      return `the timer "${timerText(event.timer, new Map())}" of ${event.party}`;
    case "delivered":
      return `${event.message.type} messages`;
    case "written":
      return `disk writes of ${event.party}`;
    case "clientTimeout":
      return `client timeouts of ${event.party}`;
    case "ordered":
      return `orders of workload ${event.workload}`;
    case "action":
      return `actions of the file (${event.action.do})`;
    default:
      return `${event.kind}${"party" in event ? ` of ${event.party}` : ""}`;
  }
}
