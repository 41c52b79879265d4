/** Events of a served run, for those who look at it, and those of one operation: bounded in number, however long the run is. */
import { entryOf } from "../core/base/entry.ts";
import type { OperationId } from "../core/base/operation.ts";
import { type NamingContext, Recorder } from "../run/events/recorder.ts";
import {
  isRelevant,
  type OperationRef,
  type RunEvent,
  type RunEventKind,
  type RunEventOf,
  type ValueRef,
} from "../run/events/run-event.ts";
import { listenWhileWanted } from "../run/observers.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import type { WorldListener } from "../simulator/listener.ts";

/** Most events that are kept. */
export const LOGGED_EVENTS = 2_000;
/** Definitions of operations that are remembered: a slot may name any of them. */
const DEFINITIONS = 10_000;

const KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["operation", "delivered", "timerExpired", "signed", "replied", "decided", "applied"] as const),
  ...(["crashed", "restarted", "action", "healed"] as const),
]);

type SlotEvent = RunEventOf<"signed" | "decided" | "applied">;
type NumberedEvent = readonly [number: number, event: RunEvent];

/** Events of one slot; `isNamed`: one of them names the operation. */
interface SlotEvents {
  readonly events: NumberedEvent[];
  isNamed: boolean;
}

export class OperationLog {
  readonly #ids: readonly OperationId[];
  #refs: ReadonlySet<OperationRef>;
  readonly #kept: NumberedEvent[] = [];
  readonly #slots = new Map<string, SlotEvents>();
  /** Number of the last slot of an owner that was applied and does not concern the operation. */
  readonly #passed = new Map<string, number>();
  readonly #definitions = new Map<OperationRef, RunEvent>();
  /** Message or timer of the current step: the cause of what is signed in it. */
  #cause: NumberedEvent | undefined;
  #count = 0;
  /** Between the first submission and the first application: faults of this time concern the operation. */
  #isOpen = false;

  /** `ids`: the operation, and the one that was decided for its nonce instead. */
  constructor(ids: readonly OperationId[]) {
    this.#ids = ids;
    this.#refs = new Set(ids);
  }

  /** Returns the listener that fills the log; `compiled` names what the run refers to. */
  readonly watch = (compiled: NamingContext): WorldListener => {
    const names = new Map([...compiled.operations].map(([name, id]) => [id, name]));
    this.#refs = new Set(this.#ids.map((id) => names.get(id) ?? id));
    return new Recorder(compiled, { kinds: KINDS, observe: (event) => this.#observe(event) });
  };

  /** Events so far in their order, after the definitions of the operations that they name. */
  get events(): readonly RunEvent[] {
    const ofSlots = [...this.#slots.values()].filter(({ isNamed }) => isNamed).flatMap(({ events }) => events);
    const all = new Map([...this.#kept, ...ofSlots]);
    const ordered = [...all].sort(([a], [b]) => a - b).map(([, event]) => event);
    const named = new Set([...this.#refs, ...ordered.flatMap(operationsIn)]);
    const definitions = [...named].flatMap((name) => this.#definitions.get(name) ?? []);
    return [...definitions, ...ordered];
  }

  #observe(event: RunEvent): void {
    const numbered: NumberedEvent = [this.#count++, event];
    switch (event.kind) {
      case "operation":
        this.#define(event);
        return;
      case "timerExpired":
        this.#cause = numbered;
        return;
      case "delivered":
        if (isRelevant(event)) this.#cause = numbered;
        if (event.message.type === "submit" && this.#names(event.message.operation)) this.#keep(numbered, true);
        return;
      case "replied":
        if (this.#names(event.operation)) this.#keep(numbered);
        return;
      case "signed":
      case "decided":
      case "applied":
        this.#inSlot(event, numbered);
        return;
      default:
        if (this.#isOpen) this.#keep(numbered);
    }
  }

  #define(event: RunEventOf<"operation">): void {
    this.#definitions.set(event.operation, event);
    const [oldest] = this.#definitions.keys();
    if (this.#definitions.size > DEFINITIONS && oldest !== undefined && !this.#refs.has(oldest))
      this.#definitions.delete(oldest);
  }

  #names(operation: OperationRef | undefined): boolean {
    return operation !== undefined && this.#refs.has(operation);
  }

  #keep(numbered: NumberedEvent, opens = this.#isOpen): void {
    this.#isOpen = opens;
    if (this.#kept.length < LOGGED_EVENTS) this.#kept.push(numbered);
  }

  #inSlot(event: SlotEvent, numbered: NumberedEvent): void {
    const { slot } = event;
    if (!("owner" in slot)) return;
    const owner = `${slot.kind} ${slot.owner}`;
    if (slot.number <= (this.#passed.get(owner) ?? -1)) return;
    const key = `${owner} ${slot.number}`;
    const ofSlot = entryOf(this.#slots, key, (): SlotEvents => ({ events: [], isNamed: false }));
    ofSlot.isNamed ||= operationsIn(event).some((id) => this.#refs.has(id));
    const cause = event.kind === "signed" && this.#cause?.[1].step === event.step ? [this.#cause] : [];
    if (ofSlot.events.length < LOGGED_EVENTS) ofSlot.events.push(...cause, numbered);
    if (event.kind !== "applied") return;
    if (ofSlot.isNamed) {
      this.#isOpen = false;
      return;
    }
    // It was decided without the operation.
    this.#passed.set(owner, slot.number);
    this.#slots.delete(key);
  }
}

/** Operations that an event names in the values of its slot. */
function operationsIn(event: RunEvent): readonly OperationRef[] {
  switch (event.kind) {
    case "signed":
      if (event.statement === "close") return [];
      if (event.statement === "roundChange") return event.lock === undefined ? [] : operationsOf(event.lock.value);
      return operationsOf(event.value);
    case "decided":
      return operationsOf(event.value);
    case "applied":
      return [...operationsOf(event.value), ...event.effects.map(({ operation }) => operation)];
    default:
      return [];
  }
}

function operationsOf(value: ValueRef): readonly OperationRef[] {
  if ("operation" in value) return [value.operation];
  return value.type === "list" ? value.operations : [];
}

/** Receives events of these kinds while they are wanted; costs a call for each callback of the world while they are not. */
export interface EventTap {
  readonly kinds: ReadonlySet<RunEventKind>;
  readonly isWanted: () => boolean;
  readonly observe: (event: RunEvent) => void;
}

/** Events of the world for which names of operations and values are kept: some hundred payments. */
const EVENTS_NAMED = 20_000;

/** Returns the listener that feeds a tap. */
export function tapListener(compiled: CompiledScenario, { isWanted, kinds, observe }: EventTap): WorldListener {
  return listenWhileWanted(isWanted, EVENTS_NAMED, () => new Recorder(compiled, { kinds, observe }));
}
