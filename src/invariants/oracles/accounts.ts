/** Oracle of protocol 7.4: no overdraft, no nonce gap. */
import { AMOUNT_MAX } from "../../core/base/amount.ts";
import type { Address } from "../../core/base/ids.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Application } from "../history/content.ts";
import type { Change, EventOf, RunSetting } from "../observation.ts";
import { isCancellation, nonceOf } from "../reference/operation-meaning.ts";
import { closingName, shortId, slotKeyName, slotName, tokenName } from "../text.ts";

interface Counters {
  readonly nonce: number;
  readonly sequence: number;
}

/** Ledger of one incarnation of a node, from genesis on. */
interface IncarnationLedger {
  readonly accounts: Trie<Counters>;
  /** Slot in which each operation ended, by id. */
  readonly ends: UndoMap<SlotKey>;
}

type State = Trie<IncarnationLedger>;

const START: State = Trie.empty();

const FRESH: Counters = { nonce: 0, sequence: 0 };

/** Checks each slot that an honest node applies against its counters before. */
export function accounts(setting: RunSetting): Oracle {
  const eventTypes = ["applied", "closed", "crashed", "restarted"] as const;
  return oracle("accounts", eventTypes, START, (state, _seen, record, report) => {
    if (record.type === "crashed" || record.type === "restarted") return state.delete(record.node);
    if (!record.honest) return state;
    if (record.type === "closed") {
      closedOver(setting, record, report);
      return state;
    }
    return state.set(record.node, judged(setting, state.get(record.node) ?? initialLedger(), record, report));
  });
}

function initialLedger(): IncarnationLedger {
  return { accounts: Trie.empty(), ends: UndoMap.empty() };
}

function judged(
  setting: RunSetting,
  incarnation: IncarnationLedger,
  one: Application,
  report: ReportViolation,
): IncarnationLedger {
  for (const change of one.changes) inRange(setting, one, `after ${slotName(one.slot)}`, change, report);
  return { accounts: counted(incarnation.accounts, one, report), ends: endedOnce(incarnation.ends, one, report) };
}

/** Nonces and sequences continue unchanged across epochs (protocol 6.3). */
function closedOver(setting: RunSetting, one: EventOf<"closed">, report: ReportViolation): void {
  const place = closingName(one.value.epoch);
  for (const change of one.changes) {
    inRange(setting, one, `after ${place}`, change, report);
    if (change.of !== "account") continue;
    report(`at ${one.node} ${place} moved the counters of ${shortId(change.address)} to ${phrase(change)}`);
  }
}

function inRange(
  setting: RunSetting,
  one: Application | EventOf<"closed">,
  when: string,
  change: Change,
  report: ReportViolation,
): void {
  if (change.of !== "balance" && change.of !== "pool" && change.of !== "burned") return;
  if (change.after >= 0n && change.after <= AMOUNT_MAX) return;
  const subject = change.of === "balance" ? `the balance of ${shortId(change.address)}` : `the ${change.of} count`;
  const side = change.after < 0n ? "below 0" : "above 2^256 - 1";
  report(
    `at ${one.node} ${when} ${subject} in ${tokenName(setting.genesis, change.token)} is ` + `${change.after}, ${side}`,
    { where: one },
  );
}

function counted(old: Trie<Counters>, one: Application, report: ReportViolation): Trie<Counters> {
  const owner = one.slot.kind === "account" ? one.slot.address : undefined;
  let accounts = old;
  let moved = false;
  for (const change of one.changes) {
    if (change.of !== "account") continue;
    const before = old.get(change.address) ?? FRESH;
    const after = { nonce: change.nonce, sequence: change.sequence };
    if (change.address === owner) {
      moved = true;
      ownerMoved(one, owner, before, after, report);
    } else if (before.nonce !== after.nonce || before.sequence !== after.sequence) {
      report(
        `at ${one.node} ${slotName(one.slot)} moved the counters of ${shortId(change.address)} from ` +
          `${phrase(before)} to ${phrase(after)}, in a slot of another account`,
        { where: one },
      );
    }
    accounts = accounts.set(change.address, after);
  }
  if (owner !== undefined && !moved) {
    report(`at ${one.node} ${slotName(one.slot)} was applied and the account's sequence did not rise`, { where: one });
  }
  return accounts;
}

function ownerMoved(
  one: Application,
  owner: Address,
  before: Counters,
  after: Counters,
  report: ReportViolation,
): void {
  if (one.slot.kind !== "account") return;
  const say = (detail: string): void => report(`at ${one.node} account ${shortId(owner)}: ${detail}`, { where: one });
  if (one.slot.sequence !== before.sequence) {
    say(`slot ${one.slot.sequence} was applied where slot ${before.sequence} is next`);
  }
  if (after.sequence !== before.sequence + 1) {
    say(`the sequence went from ${before.sequence} to ${after.sequence} in slot ${one.slot.sequence}`);
  }
  const step = one.value.type === "burn" ? 0 : 1;
  if (after.nonce !== before.nonce + step) {
    const why = step === 0 ? "a forced burn uses no nonce of the owner's" : "the owner's nonces rise by one";
    say(`the nonce went from ${before.nonce} to ${after.nonce} in slot ${one.slot.sequence}: ${why}`);
  }
  const used = one.value.type === "burn" ? undefined : nonceUsed(one, owner);
  if (used !== undefined && used !== before.nonce) {
    say(`slot ${one.slot.sequence} used nonce ${used} where ${before.nonce} is next`);
  }
}

/** Returns the nonce of the decided operation, or of the one that a skip replaces. */
function nonceUsed(one: Application, owner: Address): number | undefined {
  const own = one.operations.filter((signed) => signed.sender === owner);
  const chosen = own.find(isCancellation) ?? own[0];
  return chosen === undefined ? undefined : nonceOf(chosen);
}

function endedOnce(old: UndoMap<SlotKey>, one: Application, report: ReportViolation): UndoMap<SlotKey> {
  let ends = old;
  for (const receipt of one.receipts) {
    const earlier = ends.get(receipt.id);
    const here = slotKey(one.slot);
    if (earlier === undefined) ends = ends.set(receipt.id, here);
    else {
      report(
        `at ${one.node} ${shortId(receipt.id)} was executed twice: in ${slotKeyName(earlier)} ` +
          `and in ${slotKeyName(here)}`,
        { where: one },
      );
    }
    if (receipt.slot !== here) {
      report(
        `at ${one.node} the receipt of ${shortId(receipt.id)} in ${slotKeyName(here)} names ${slotKeyName(receipt.slot)}`,
        {
          where: one,
        },
      );
    }
  }
  return ends;
}

function phrase(counters: Counters): string {
  return `nonce ${counters.nonce}, sequence ${counters.sequence}`;
}
