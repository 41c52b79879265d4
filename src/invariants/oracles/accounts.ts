/** Oracle of protocol 7.4: no overdraft, no nonce gap. */

import { AMOUNT_MAX } from "../../core/base/amount.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Address } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { dropNode, type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import type { Change, EventOf, NodeName } from "../observation.ts";
import { isCancellation } from "../reference/operation-meaning.ts";
import { closingName, shortId, slotKeyName, slotName, tokenName } from "../text.ts";

interface ObservedCounters {
  readonly nonce: number;
  readonly sequence: number;
}

/** Ledger of one incarnation of a node, from genesis on. */
interface IncarnationLedger {
  readonly accounts: Map<Address, ObservedCounters>;
  /** Slot in which each operation ended, by id. */
  readonly ends: Map<OperationId, SlotKey>;
}

type AccountsState = Map<NodeName, IncarnationLedger>;

const FRESH: ObservedCounters = { nonce: 0, sequence: 0 };

/** Checks each slot that an honest node applies against its counters before. */
export function accounts(): Oracle {
  return oracle<AccountsState>("accounts", new Map(), {
    applied: checkApplication,
    closed: checkClosing,
    crashed: dropNode,
    restarted: dropNode,
    forgotten: (state, { operations }) => {
      for (const { ends } of state.values()) for (const id of operations) ends.delete(id);
    },
  });
}

function checkApplication(
  state: AccountsState,
  application: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  if (!application.honest) return;
  const { accounts, ends } = entryOf(state, application.node, () => ({ accounts: new Map(), ends: new Map() }));
  for (const change of application.changes) checkAmountRange(application, change, chronicle, report);
  checkCounters(accounts, application, report);
  if (!chronicle.isForgotten(slotKey(application.slot))) checkSingleOutcome(ends, application, report);
}

/** Nonces and sequences continue unchanged across epochs (protocol 6.3). */
function checkClosing(
  _state: AccountsState,
  closed: EventOf<"closed">,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  if (!closed.honest) return;
  const place = closingName(closed.value.epoch);
  for (const change of closed.changes) {
    checkAmountRange(closed, change, chronicle, report);
    if (change.of !== "account") continue;
    report(`at ${closed.node} ${place} moved the counters of ${shortId(change.address)} to ${countersText(change)}`);
  }
}

function checkAmountRange(
  event: Application | EventOf<"closed">,
  change: Change,
  { setting }: Chronicle,
  report: ReportViolation,
): void {
  if (change.of !== "balance" && change.of !== "pool" && change.of !== "burned") return;
  // A skip may leave its account owing the fee, and its next credits pay what is owed (protocol 4.4).
  const isOwing = event.type === "applied" && event.value.type === "skip" && event.slot.kind === "account";
  const owed =
    change.of === "balance" && (change.after > change.before || (isOwing && event.slot.address === change.address));
  if ((owed || change.after >= 0n) && change.after <= AMOUNT_MAX) return;
  const place = event.type === "closed" ? closingName(event.value.epoch) : slotName(event.slot);
  const subject = change.of === "balance" ? `the balance of ${shortId(change.address)}` : `the ${change.of} count`;
  const side = change.after < 0n ? "below 0" : "above 2^256 - 1";
  report(
    `at ${event.node} after ${place} ${subject} in ${tokenName(setting.genesis, change.token)} is ${change.after}, ${side}`,
  );
}

function checkCounters(
  accounts: Map<Address, ObservedCounters>,
  application: Application,
  report: ReportViolation,
): void {
  const owner = application.slot.kind === "account" ? application.slot.address : undefined;
  let moved = false;
  report.judged();
  for (const change of application.changes) {
    if (change.of !== "account") continue;
    const before = accounts.get(change.address) ?? FRESH;
    if (change.address === owner) {
      moved = true;
      checkOwnerCounters(application, owner, before, change, report);
    } else if (before.nonce !== change.nonce || before.sequence !== change.sequence) {
      report(
        `at ${application.node} ${slotName(application.slot)} moved the counters of ${shortId(change.address)} from ` +
          `${countersText(before)} to ${countersText(change)}, in a slot of another account`,
      );
    }
    accounts.set(change.address, change);
  }
  if (owner !== undefined && !moved) {
    report(`at ${application.node} ${slotName(application.slot)} was applied and the account's sequence did not rise`);
  }
}

function checkOwnerCounters(
  application: Application,
  owner: Address,
  before: ObservedCounters,
  after: ObservedCounters,
  report: ReportViolation,
): void {
  if (application.slot.kind !== "account") return;
  const say = (detail: string): void => report(`at ${application.node} account ${shortId(owner)}: ${detail}`);
  if (application.slot.sequence !== before.sequence) {
    say(`slot ${application.slot.sequence} was applied where slot ${before.sequence} is next`);
  }
  if (after.sequence !== before.sequence + 1) {
    say(`the sequence went from ${before.sequence} to ${after.sequence} in slot ${application.slot.sequence}`);
  }
  const step = application.value.type === "burn" ? 0 : 1;
  if (after.nonce !== before.nonce + step) {
    const why = step === 0 ? "a forced burn uses no nonce of the owner's" : "the owner's nonces rise by one";
    say(`the nonce went from ${before.nonce} to ${after.nonce} in slot ${application.slot.sequence}: ${why}`);
  }
  const used = application.value.type === "burn" ? undefined : usedNonce(application, owner);
  if (used !== undefined && used !== before.nonce) {
    say(`slot ${application.slot.sequence} used nonce ${used} where ${before.nonce} is next`);
  }
}

/** Returns the nonce of the decided operation, or of the one that a skip replaces. */
function usedNonce(application: Application, owner: Address): number | undefined {
  let first: SignedOperation | undefined;
  for (const signed of application.operations) {
    if (signed.sender !== owner) continue;
    if (isCancellation(signed)) return signed.operation.nonce;
    first ??= signed;
  }
  return first?.operation.nonce;
}

function checkSingleOutcome(ends: Map<OperationId, SlotKey>, application: Application, report: ReportViolation): void {
  const slot = slotKey(application.slot);
  for (const receipt of application.receipts) {
    const earlier = ends.get(receipt.id);
    if (earlier === undefined) ends.set(receipt.id, slot);
    else {
      report(
        `at ${application.node} ${shortId(receipt.id)} was executed twice: in ${slotKeyName(earlier)} ` +
          `and in ${slotKeyName(slot)}`,
      );
    }
    if (receipt.slot !== slot) {
      report(
        `at ${application.node} the receipt of ${shortId(receipt.id)} in ${slotKeyName(slot)} names ${slotKeyName(receipt.slot)}`,
      );
    }
  }
}

function countersText(counters: ObservedCounters): string {
  return `nonce ${counters.nonce}, sequence ${counters.sequence}`;
}
