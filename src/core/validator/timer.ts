/** Timers of a validator: records, and the one text of each, by which it is set, cancelled, hashed and shown. */
import { assert } from "../base/assert.ts";
import type { Address, Round } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { SlotKey } from "../base/slot.ts";

/** Subjects of timers. */
interface Subjects {
  slot: SlotKey;
  account: Address;
  id: OperationId;
  /** Key among the waiting values. */
  waiting: string;
}

/** Kinds of timers with their subjects, which follow the kind in the text. */
const SUBJECTS = {
  /** Next exchange of statuses. */
  sync: undefined,
  /** Silence of the sources of a state transfer. */
  transfer: undefined,
  retry: "slot",
  /** End of a round from 1 on. */
  round: "slot",
  /** Ends of round 0 of a token, a checkpoint and an epoch. */
  token: "slot",
  checkpoint: "slot",
  closing: "slot",
  /** Time at which a checkpoint is due. */
  due: "slot",
  /** Check of a proposal whose timestamp is ahead. */
  judge: "slot",
  /** End of the wait of an equivocation proof. */
  evidence: "slot",
  burn: "account",
  /** End of an owner's turn. */
  turn: "account",
  /** End of the search for an operation to skip. */
  cancel: "id",
  /** End of the wait of a value. */
  wait: "waiting",
} as const satisfies Readonly<Record<string, keyof Subjects | undefined>>;

type Kind = keyof typeof SUBJECTS;
type Detail<K extends Kind> = K extends "round" ? { round: Round } : unknown;

export type Timer = {
  [K in Kind]: Readonly<{ kind: K } & Pick<Subjects, NonNullable<(typeof SUBJECTS)[K]>> & Detail<K>>;
}[Kind];

/** Timer of one kind. */
export type TimerOf<K extends Timer["kind"]> = Extract<Timer, { readonly kind: K }>;

/** Returns the text of a timer: its kind, then its subject. */
export function timerName(timer: Timer): string {
  if (timer.kind === "round") return `${roundTimers(timer.slot)}${timer.round}`;
  const subject = SUBJECTS[timer.kind];
  return subject === undefined ? timer.kind : `${timer.kind} ${timer[subject as keyof Timer]}`;
}

/** Returns the text with which the texts of a slot's round timers begin. */
export function roundTimers(slot: SlotKey): string {
  return `round ${slot} `;
}

/** Returns the timer of a text that `timerName` wrote. @throws AssertionError for any other text. */
export function timerOf(name: string): Timer {
  const [kind = "", subject = "", detail] = name.split(" ");
  assert(Object.hasOwn(SUBJECTS, kind), `${name} is no timer`);
  const member = SUBJECTS[kind as Kind];
  if (member === undefined) return { kind } as Timer;
  if (kind === "round") return { kind, slot: subject, round: Number(detail) as Round };
  return { kind, [member]: kind === "wait" ? `${subject} ${detail}` : subject } as Timer;
}

/** Returns the slot whose timer it is, `undefined` for a timer of no slot. */
export function slotOfTimer(timer: Timer): SlotKey | undefined {
  return "slot" in timer ? timer.slot : undefined;
}
