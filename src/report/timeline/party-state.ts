/** State of each party after an event, as the events tell it: what it has signed, what it waits for, and what is durable. */

import { timerText, valueText } from "../../run/events/reference-text.ts";
import type { RunEvent, SlotRef, ValueRef } from "../../run/events/run-event.ts";
import { slotName, type TimelineModel } from "./model.ts";

/** A slot as one validator sees it. */
export interface SlotView {
  readonly epoch: number;
  readonly round: number;
  /** Its last vote, commit (which locks the value), and proposal: round and value. */
  readonly vote?: string;
  readonly commit?: string;
  readonly proposal?: string;
  /** Round, value and signers of the certificate. */
  readonly certificate?: string;
  readonly isApplied: boolean;
  /** Its record was written: it survives a crash. */
  readonly isDurable: boolean;
}

export interface PartyState {
  isRunning: boolean;
  isByzantine: boolean;
  epoch: number;
  checkpoint: number;
  slots: Map<string, SlotView>;
  /** Virtual milliseconds at which each is due, by text. */
  timers: Map<string, number>;
  /** Operations that it has answered with `pending`. */
  pending: Set<string>;
  /** By account and token. */
  balances: Map<string, string>;
}

/** Signers of a certificate that are named; of more there is the number. */
const NAMED = 10;
/** Events between two kept states. */
const STRIDE = 4_096;

/** Answers for any event, in time that does not depend on the number of events before it. */
export class StateReader {
  readonly #model: TimelineModel;
  readonly #kept: FoldState[] = [];
  #last: FoldState;

  constructor(model: TimelineModel) {
    this.#model = model;
    this.#last = initialFold(model);
    this.#kept.push(structuredClone(this.#last));
  }

  /** Returns the states after an event; they are the reader's own until the next call. */
  statesAfter(position: number): ReadonlyMap<string, PartyState> {
    if (position < this.#last.next - 1) {
      const kept = this.#kept[Math.min(this.#kept.length - 1, Math.floor((position + 1) / STRIDE))] as FoldState;
      this.#last = structuredClone(kept);
    }
    while (this.#last.next <= position) {
      foldEvent(this.#model, this.#last);
      if (this.#last.next === this.#kept.length * STRIDE) this.#kept.push(structuredClone(this.#last));
    }
    return this.#last.parties;
  }
}

interface FoldState {
  readonly parties: Map<string, PartyState>;
  /** Position of the next event. */
  next: number;
  /** Position of the next balance. */
  balance: number;
}

function initialFold({ data }: TimelineModel): FoldState {
  const genesis = data.balances
    .filter(({ step }) => step === 0)
    .map(({ account, token, value }) => [`${account} ${token}`, value] as const);
  const parties = data.validators.map((name): [string, PartyState] => [
    name,
    {
      ...{ isRunning: false, isByzantine: false, epoch: 0, checkpoint: 0 },
      ...{ slots: new Map(), timers: new Map(), pending: new Set(), balances: new Map(genesis) },
    },
  ]);
  return { parties: new Map(parties), next: 0, balance: genesis.length };
}

function foldEvent(model: TimelineModel, folded: FoldState): void {
  const event = model.events[folded.next] as RunEvent;
  folded.next += 1;
  const { balances } = model.data;
  const isStepOver = model.events[folded.next]?.step !== event.step;
  for (; isStepOver && (balances[folded.balance]?.step ?? Number.POSITIVE_INFINITY) <= event.step; folded.balance++) {
    const change = balances[folded.balance];
    if (change?.party !== undefined)
      folded.parties.get(change.party)?.balances.set(`${change.account} ${change.token}`, change.value);
  }
  if (event.kind === "action") {
    const { action } = event;
    if (action.do !== "byzantine" && action.do !== "behave") return;
    const party = folded.parties.get(action.node);
    if (party !== undefined) party.isByzantine = action.do === "byzantine";
    return;
  }
  const party = "party" in event ? folded.parties.get(event.party) : undefined;
  if (party !== undefined) applyEvent(party, event, model);
}

const NEW_SLOT: SlotView = { epoch: 0, round: 0, isApplied: false, isDurable: false };

function applyEvent(party: PartyState, event: RunEvent, { labels }: TimelineModel): void {
  const change = (slot: SlotRef, changes: Partial<SlotView>): void => {
    const name = slotName(slot);
    party.slots.set(name, { ...(party.slots.get(name) ?? NEW_SLOT), ...changes });
  };
  const statementText = (round: number, value: ValueRef): string => `round ${round}: ${valueText(value, labels)}`;
  switch (event.kind) {
    case "started":
    case "restarted":
      party.isRunning = true;
      return;
    case "crashed":
      party.isRunning = false;
      party.timers.clear();
      party.pending.clear();
      for (const [name, slot] of party.slots) if (!slot.isDurable) party.slots.delete(name);
      return;
    case "timerSet":
      party.timers.set(timerText(event.timer, labels), event.due);
      return;
    case "timerCancelled":
    case "timerExpired":
      party.timers.delete(timerText(event.timer, labels));
      return;
    case "persisted":
      if (event.slot !== undefined) change(event.slot, { isDurable: true, round: event.round ?? 0 });
      return;
    case "erased":
      if (event.slot !== undefined) party.slots.delete(slotName(event.slot));
      return;
    case "signed": {
      const { slot, epoch, round } = event;
      if (event.statement === "roundChange" || event.statement === "close") change(slot, { epoch, round });
      else change(slot, { epoch, round, [event.statement]: statementText(round, event.value) });
      return;
    }
    case "replied":
      if (event.status === "pending") party.pending.add(event.operation);
      else party.pending.delete(event.operation);
      return;
    case "decided": {
      const { slot, epoch, round, value, signers } = event;
      const by = signers.length > NAMED ? `${signers.length} validators` : signers.join(", ");
      change(slot, { epoch, certificate: `${statementText(round, value)}, by ${by}` });
      return;
    }
    case "applied":
      change(event.slot, { isApplied: true });
      for (const { operation } of event.effects) party.pending.delete(operation);
      return;
    case "checkpointApplied":
      party.checkpoint = event.number;
      for (const [name, { isApplied }] of party.slots) if (isApplied) party.slots.delete(name);
      return;
    case "epochClosed":
      party.epoch = event.epoch + 1;
      party.slots.clear();
      return;
    default:
      return;
  }
}
