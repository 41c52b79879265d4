/** Normal forms of memories, and fingerprints: texts of everything in them that can affect later steps. */

import { entryOf } from "../../core/base/entry.ts";
import type { Hash, Millis } from "../../core/base/ids.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import { type Slot, slotKey } from "../../core/base/slot.ts";
import { Table } from "../../core/base/table.ts";
import { decidedRecord, durablePart, newSlot, type SlotState } from "../../core/consensus/slot-state.ts";
import { tokenBytes } from "../../core/ledger/roots.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Token } from "../../core/ledger/token.ts";
import { SYNC_MS } from "../../core/validator/limits.ts";
import type { CloseRecord, DurableRecord, SlotRecord } from "../../core/validator/output.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import { MempoolState, SlotsState } from "../../core/validator/sub-states.ts";
import { timerOf } from "../../core/validator/timer.ts";
import { STEP_TIME_MS } from "../limits.ts";
import type { LocalState } from "./local-state.ts";
import { locksIn, locksText } from "./statements.ts";

/** Fingerprints of memories; hashes are shortened to one word each. */
export class Fingerprints {
  readonly #numbers = new Map<string, number>();
  readonly #words = new Map<string, string>();
  readonly #ledgers = new WeakMap<LedgerState, string>();
  readonly #tokens = new WeakMap<Token, string>();
  readonly #slots = new MemoTable<SlotState, string>();
  readonly #slotText = (slot: SlotState): string => this.#slot(slot);
  readonly #withDisk: boolean;

  /** Disks are included only if crashes are possible. */
  constructor(withDisk: boolean) {
    this.#withDisk = withDisk;
  }

  /**
   * Returns the fingerprint of a memory, equal to that of its normal form (`normalize`). It names no validator, so equal
   * fingerprints of two validators mean memories that differ only by their owner. Certificates are represented by what
   * they certify, since any q signatures prove it equally.
   */
  of({ state, disk }: Pick<LocalState, "state" | "disk">): string {
    const { slots, sync } = state;
    const honestValues = ownValues(state);
    const parts = [
      this.#ledger(state.ledger),
      ...slots.records
        .entries()
        .map(([key, slot]) => `${this.#word(key)}:${this.#slots.getOrCompute(slot, this.#slotText)}`),
    ];
    for (const [hash] of slots.contents.entries()) if (honestValues.has(hash)) parts.push(`has ${this.#word(hash)}`);
    for (const [key, list] of slots.barriers.entries()) parts.push(`bar ${key} ${list.map(restrictionText).join(";")}`);
    for (const [key, slot] of sync.missingContents.entries())
      if (isAwaited(state, key, slot)) parts.push(`wants ${this.#word(key)}`);
    for (const [key] of slots.retries.entries()) parts.push(`retry ${this.#word(key)}`);
    for (const [key] of slots.timers.entries()) if (isKept(key)) parts.push(`timer ${this.#word(key)}`);
    parts.push(this.#chain(state));
    if (this.#withDisk)
      parts.push(...[...disk].map(([key, record]) => `${this.#word(key)}=${this.#record(record)}`).sort());
    return parts.join("|");
  }

  /** Returns the number of a memory's normal form, equal for equal memories of different validators. */
  numberOf(localState: Pick<LocalState, "state" | "disk">): number {
    return entryOf(this.#numbers, this.of(localState), () => this.#numbers.size);
  }

  #word(text: string): string {
    return entryOf(this.#words, text, () => this.#words.size.toString(36));
  }

  #ledger(ledger: LedgerState): string {
    return entryOf(this.#ledgers, ledger, () => this.#word(this.#ledgerText(ledger)));
  }

  /** Covers what a state root covers except for what genesis fixes, without the cost of hashing. */
  #ledgerText({ epoch, opened, accounts, balances, tokens, listed, bridged, ...rest }: LedgerState): string {
    let text = `${epoch} ${opened}`;
    for (const [key, { nonce, sequence, bridgeNonce = 0, multisig }] of accounts.entries())
      text += `|${key} ${nonce} ${sequence} ${bridgeNonce}${multisig === undefined ? "" : " created"}`;
    for (const [key, amount] of balances.entries()) text += `|${key} ${amount}`;
    for (const [key, amount] of rest.pools.entries()) text += `|pool ${key} ${amount}`;
    for (const [key, amount] of rest.burned.entries()) text += `|burned ${key} ${amount}`;
    for (const [key, token] of tokens.entries()) text += `|${key} ${this.#token(token)}`;
    for (const [key] of listed.entries()) text += `|listed ${key}`;
    for (const [key] of bridged.entries()) text += `|bridged ${key}`;
    for (const [key] of rest.authorised.entries()) text += `|due ${key}`;
    return text;
  }

  #token(token: Token): string {
    return entryOf(this.#tokens, token, () => this.#word(tokenBytes(token).join(" ")));
  }

  #slot({ epoch, round, votes, commits, proposed, lock, carried, decided }: SlotState): string {
    const at = (choice: { readonly round: number; readonly value: Hash } | undefined): string =>
      choice === undefined ? "-" : `${choice.round}${this.#word(choice.value)}`;
    if (decided !== undefined) return `${epoch} ${decided.type} ${this.#word(decided.value)}`;
    const justified = proposed === undefined ? "" : this.#word(locksText(locksIn(proposed.justification)));
    return `${epoch} ${round} ${votes.map(at).join("+")} ${commits.map(at).join("+")} ${at(proposed)}${justified} ${at(lock)} ${at(carried)}`;
  }

  #chain({ epochs: { closed, links }, checkpoints: { last: checkpoint }, transfer }: ValidatorState): string {
    const end = closed && `closed ${closed.close.epoch} ${closed.cause.kind} ${this.#claims(closed.close)}`;
    return `${end ?? ""} ${this.#word(checkpoint.hash)} ${links.size} ${transfer === undefined}`;
  }

  #claims({ claims }: CloseRecord["close"]): string {
    return claims
      .map(({ type, slot, round, value }) => `${type[0]}${this.#word(slotKey(slot))}${round}${this.#word(value)}`)
      .join("+");
  }

  #record(record: DurableRecord): string {
    switch (record.of) {
      case "slot":
        return `${this.#slot(record as SlotRecord as unknown as SlotState)} ${record.contents.length}`;
      case "closed":
        return this.#claims(record.close);
      case "snapshot":
        return this.#word(record.certificate.value);
      case "link":
        return this.#word(record.link.certificate.value);
      case "opaque":
        return this.#word(record.bytes);
    }
  }
}

function restrictionText(restriction: object): string {
  return Object.values(restriction).map(String).join(" ");
}

/** The other round timers start again with their round changes. */
function isKept(name: string): boolean {
  const { kind } = timerOf(name);
  return kind === "token" || kind === "closing";
}

/**
 * Returns the normal form of a validator's memory: without what can be delivered to it again.
 *
 * The network of an exploration keeps all messages, so each can be delivered again. A memory without incomplete votes,
 * round changes, reasons and offers therefore does at least what the same memory with them does, and states that differ
 * in nothing else are equal. Removed inputs come back complete: q round changes, or a reason with the round changes
 * that it justifies (transitions-rounds.ts). Normalization assumes of the explored program, right or wrong, that what it
 * removes may prevent a step (a Byzantine validator's second proposal of a round, say), and enables none beyond those of
 * one transition: a mistake that needs votes or operations from before its last visible step is not found. Kept are the
 * contents that a lock or decision waits for; retries count within one transition. Counterexamples are validated without
 * normalization (validate-path.ts).
 */
export function normalize(state: ValidatorState): ValidatorState {
  const { slots, sync } = state;
  const honestValues = ownValues(state);
  return {
    ...state,
    mempool: new MempoolState(),
    slots: {
      ...new SlotsState(),
      records: new Table(slots.records.entries().map(([key, slot]) => [key, durableSlot(slot)] as const)),
      // Only the contents of the validator's own statements are certain to be in its memory.
      contents: new Table(slots.contents.entries().filter(([hash]) => honestValues.has(hash))),
      barriers: slots.barriers.fork(),
      dueSince: new Table(slots.dueSince.entries().map(([id]) => [id, STEP_TIME_MS as Millis] as const)),
      ownersTurns: slots.ownersTurns.fork(),
      retries: new Table(slots.retries.entries().map(([key]) => [key, 0] as const)),
      timers: new Table(slots.timers.entries().filter(([name]) => isKept(name))),
    },
    checkpoints: { ...state.checkpoints, states: state.checkpoints.states.fork() },
    epochs: { ...state.epochs, closes: new Table(), claimed: new Table(), links: state.epochs.links.fork() },
    sync: {
      ...sync,
      missingContents: new Table(sync.missingContents.entries().filter(([key, slot]) => isAwaited(state, key, slot))),
      fetched: new Table(),
      served: new Table(),
      log: sync.log.fork(),
      pause: SYNC_MS,
      index: 0,
    },
  };
}

/** Keeps the validator's own statements; of a decided slot only the decision, since it signs nothing more there. */
function durableSlot(slot: SlotState): SlotState {
  return slot.decided === undefined ? durablePart(slot) : decidedRecord(newSlot(slot.slot, slot.epoch), slot.decided);
}

/** Returns the values that a validator's own statements name. */
function ownValues({ slots }: ValidatorState): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { votes, commits, proposed, decided } of slots.records.values()) {
    for (const { value } of votes) named.add(value);
    for (const { value } of commits) named.add(value);
    if (proposed !== undefined) named.add(proposed.value);
    if (decided !== undefined) named.add(decided.value);
  }
  return named;
}

/** Returns true if a content is missing of the value that its slot has decided or holds a lock on. */
function isAwaited({ slots }: ValidatorState, key: string, slot: Slot): boolean {
  const record = slots.records.get(slotKey(slot));
  return record?.decided !== undefined || (record?.lock !== undefined && key.startsWith(`${record.lock.value} `));
}
