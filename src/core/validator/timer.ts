/** Timers of a validator: records, and the one text of each, by which it is set, cancelled, hashed and shown. */
import { requireDefined } from "../base/assert.ts";
import type { Address, Round } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { SlotKey } from "../base/slot.ts";

type OfSlot = Readonly<{ slot: SlotKey }>;
type OfAccount = Readonly<{ account: Address }>;
type OfNothing = Readonly<Record<never, never>>;

/** Subject of each kind of timer. */
interface TimerSubjects {
  /** Next exchange of statuses. */
  sync: OfNothing;
  /** Silence of the sources of a state transfer. */
  transfer: OfNothing;
  retry: OfSlot;
  /** End of a round from 1 on. */
  round: OfSlot & Readonly<{ round: Round }>;
  /** Ends of round 0 of a token, a checkpoint and an epoch. */
  token: OfSlot;
  checkpoint: OfSlot;
  closing: OfSlot;
  /** Time at which a checkpoint is due. */
  due: OfSlot;
  /** Check of a proposal whose timestamp is ahead. */
  judge: OfSlot;
  /** End of the wait of an equivocation proof. */
  evidence: OfSlot;
  burn: OfAccount;
  /** End of an owner's turn. */
  turn: OfAccount;
  /** End of the search for an operation to skip. */
  cancel: Readonly<{ id: OperationId }>;
  /** End of the wait of a value, by its key among the waiting ones. */
  wait: Readonly<{ waiting: string }>;
}

export type Timer = {
  [K in keyof TimerSubjects]: Readonly<{ kind: K }> & TimerSubjects[K];
}[keyof TimerSubjects];

/** Timer of one kind. */
export type TimerOf<K extends Timer["kind"]> = Extract<Timer, { readonly kind: K }>;

/** Returns the text of a timer: its kind, then its subject. */
export function timerName(timer: Timer): string {
  switch (timer.kind) {
    case "sync":
    case "transfer":
      return timer.kind;
    case "round":
      return `${roundTimers(timer.slot)}${timer.round}`;
    case "burn":
    case "turn":
      return `${timer.kind} ${timer.account}`;
    case "cancel":
      return `cancel ${timer.id}`;
    case "wait":
      return `wait ${timer.waiting}`;
    default:
      return `${timer.kind} ${timer.slot}`;
  }
}

/** Returns the text with which the texts of a slot's round timers begin. */
export function roundTimers(slot: SlotKey): string {
  return `round ${slot} `;
}

const ofNothing = (): OfNothing => ({});
const ofSlot = (slot: string): OfSlot => ({ slot });
const ofAccount = (account: string): OfAccount => ({ account: account as Address });

/** Readers of the texts behind the kind. */
const SUBJECTS: { readonly [K in keyof TimerSubjects]: (subject: string, detail: string) => TimerSubjects[K] } = {
  sync: ofNothing,
  transfer: ofNothing,
  retry: ofSlot,
  round: (slot, round) => ({ slot, round: Number(round) as Round }),
  token: ofSlot,
  checkpoint: ofSlot,
  closing: ofSlot,
  due: ofSlot,
  judge: ofSlot,
  evidence: ofSlot,
  burn: ofAccount,
  turn: ofAccount,
  cancel: (id) => ({ id: id as OperationId }),
  wait: (slot, value) => ({ waiting: `${slot} ${value}` }),
};

/** Returns the timer of a text that `timerName` wrote. @throws AssertionError for any other text. */
export function timerOf(name: string): Timer {
  const [kind = "", subject = "", detail = ""] = name.split(" ");
  const read = requireDefined(SUBJECTS[kind as keyof TimerSubjects], `timer ${name}`);
  return { kind, ...read(subject, detail) } as Timer;
}

/** Returns the slot whose timer it is, `undefined` for a timer of no slot. */
export function slotOfTimer(timer: Timer): SlotKey | undefined {
  return "slot" in timer ? timer.slot : undefined;
}
