/** The last events of a served network, kept while somebody looks at them. */
import type { EventTap } from "../../live/event-tap.ts";
import type { RunEvent, RunEventKind, RunEventOf } from "../../run/events/run-event.ts";

/** Events that are kept: those of some dozen payments among four validators. */
const KEPT = 2_500;
/** Definitions of operations that are kept; events refer to them. */
const OPERATIONS_KEPT = 1_000;
/** Milliseconds after the last look for which events are kept. */
const LOOKED_AT_MS = 10_000;

/** Kinds that the diagram draws: no timers, no disks. */
const KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["submitted", "responded", "sent", "delivered", "lost", "held", "signed", "finalized", "applied"] as const),
  ...(["checkpointApplied", "epochClosed", "stateTransferred", "halted", "reported", "timerExpired"] as const),
  ...(["action", "crashed", "restarted", "started", "healed", "operation"] as const),
]);

export class RecentEvents implements EventTap {
  readonly kinds: typeof KINDS = KINDS;
  #events: RunEvent[] = [];
  #operations = new Map<string, RunEventOf<"operation">>();
  #line = 0;
  #end: NodeJS.Timeout | undefined;

  isWanted = (): boolean => this.#end !== undefined;

  observe = (event: RunEvent): void => {
    if (event.kind === "operation") {
      this.#operations.set(event.operation, event);
      const [oldest] = this.#operations.keys();
      if (oldest !== undefined && this.#operations.size > OPERATIONS_KEPT) this.#operations.delete(oldest);
      return;
    }
    this.#events.push(event);
    if (this.#events.length > 2 * KEPT) this.#events = this.#events.slice(-KEPT);
  };

  /**
   * Returns the last events, in order, after the operations that they refer to. The first look finds none, and the first
   * one after a return to an earlier moment, which begins another line of time.
   */
  readEvents(line: number): readonly RunEvent[] {
    if (line !== this.#line) this.#forget();
    this.#line = line;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#forget(), LOOKED_AT_MS);
    this.#end.unref();
    return [...this.#operations.values(), ...this.#events.slice(-KEPT)];
  }

  #forget(): void {
    clearTimeout(this.#end);
    this.#end = undefined;
    this.#events = [];
    this.#operations = new Map();
  }
}
