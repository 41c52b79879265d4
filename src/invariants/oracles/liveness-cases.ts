/** What clients wait for, and how far accounts and tokens have come: the memory of the liveness oracle. */
import type { Amount } from "../../core/base/amount.ts";
import type { Address, Millis, Sequence, Version } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../../core/base/operation.ts";
import { digits, isChainSlot, type LedgerSlot, sequencePrefix, slotAt, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { Application } from "../history/application.ts";
import type { NodeName, ObservedToken, RecordOf, Setting } from "../observation.ts";
import { debitedBy, effectPlace, isForcedBurn, tokenOf } from "../reference/meaning.ts";
import { tokenAddress } from "../token-address.ts";

/** An operation whose client still waits. */
export interface Case {
  readonly id: OperationId;
  readonly submission: Submission;
  readonly client: string;
  /** Since when it is owed an answer, and what happened then. */
  readonly at: Millis;
  readonly since: "it was handed in" | "its epoch closed";
  readonly to: readonly NodeName[];
  /** True if an honest validator has said that a restriction bars it: the next step is its client's. */
  readonly isToldBarred: boolean;
  /** Whom it has reached, and who has not crashed since: an answer of "pending" is not durable. */
  readonly remembered: readonly NodeName[];
  /** How far accounts and tokens had come then. */
  readonly start: Progress;
}

/** How far accounts and tokens have come. */
export type Progress = Pick<Cases, "accounts" | "tokens">;

export interface Cases {
  readonly healed: { readonly at: Millis; readonly core: readonly NodeName[]; readonly start: Progress } | undefined;
  readonly waiting: Trie<Case>;
  /** Ids by `account/nonce/id`, of all that was handed in and is not settled. */
  readonly byNonce: Trie<OperationId>;
  /** Decided, one way or the other. */
  readonly settled: UndoMap<true>;
  /** The furthest that any honest node has come. */
  readonly accounts: Trie<{ readonly nonce: number; readonly sequence: number }>;
  readonly tokens: Trie<ObservedToken>;
  /** Balances as honest nodes last showed a change, by `address/token`. */
  readonly balances: Trie<Amount>;
  /** Holders of a role of a token, and those that have held one since the epoch began, by `token/address`. */
  readonly holders: Trie<true>;
  /** Authorised at some honest node and not known to be executed. */
  readonly due: Trie<true>;
  /** Slots of accounts and tokens that were decided in a later round than round 1, by key. */
  readonly retried: Trie<true>;
}

/** Before anything was handed in; `tokens` are those of the genesis. */
export function noCases(tokens: Setting["genesis"]["tokens"]): Cases {
  return {
    healed: undefined,
    waiting: Trie.empty(),
    byNonce: Trie.empty(),
    settled: UndoMap.empty(),
    accounts: Trie.empty(),
    tokens: Trie.empty(),
    balances: Trie.empty(),
    holders: tokens.reduce((holders, one) => withHolders(holders, one.token, one), Trie.empty<true>()),
    due: Trie.empty(),
    retried: Trie.empty(),
  };
}

/** Cases with some parts changed. Copied field by field, which costs a tenth of spreading one record into another. */
function changed(cases: Cases, parts: Partial<Cases>): Cases {
  const { healed, waiting, byNonce, settled, accounts, tokens, balances, holders, due, retried } = cases;
  return Object.assign({ healed, waiting, byNonce, settled, accounts, tokens, balances, holders, due, retried }, parts);
}

/** The account whose nonce a submission would use. */
export function accountOf(submission: Submission): Address {
  return isRecovery(submission) ? submission.account : submission.sender;
}

/** The nonce that a submission would use. */
export function nonceAsked(submission: Submission): number {
  return isRecovery(submission) ? submission.nonce : submission.operation.nonce;
}

export function progressOf({ accounts, tokens }: Cases): Progress {
  return { accounts, tokens };
}

/** protocol 13.3: a slot begins with rounds that are too short for a slow disk, and so does each that comes before its own. */
export function boundOf({ livenessMs, slotMs }: Setting, cases: Cases, one: Case): Millis {
  return slotMs === 0 ? livenessMs : ((livenessMs + slotMs * retriedMeanwhile(cases, one)) as Millis);
}

/**
 * How many slots that come before an operation's own took more than one round after round 0, while it had to wait: of the
 * account that it is signed for, and of the token or account that it changes.
 */
function retriedMeanwhile(cases: Cases, { submission, at, start }: Case): number {
  const { healed } = cases;
  const before = healed !== undefined && healed.at > at ? healed.start : start;
  const from = (address: Address): number =>
    retriedWithin(
      cases,
      { kind: "account", address, sequence: sequenceOf(before, address) },
      sequenceOf(cases, address),
    );
  const signedFor = from(accountOf(submission));
  if (isRecovery(submission)) return signedFor;
  const { operation, sender } = submission;
  if (operation.kind === "burn" && isForcedBurn(submission)) return signedFor + from(debitedBy(operation, sender));
  const token = effectPlace(submission) === "token" ? tokenOf(operation, tokenAddress) : undefined;
  if (token === undefined) return signedFor;
  return (
    signedFor +
    retriedWithin(cases, { kind: "token", token, version: versionOf(before, token) }, versionOf(cases, token))
  );
}

function retriedWithin({ retried }: Cases, from: LedgerSlot, to: number): number {
  const first = slotKey(from);
  const end = slotKey(slotAt(from, to));
  return retried.within(sequencePrefix(from)).filter(([key]) => first <= key && key < end).length;
}

function sequenceOf({ accounts }: Progress, address: Address): Sequence {
  return (accounts.get(address)?.sequence ?? 0) as Sequence;
}

function versionOf({ tokens }: Progress, token: Address): Version {
  return tokens.get(token)?.version ?? (0 as Version);
}

/** With a decision that an honest node took: a round after round 0 had failed where it came in a later one than round 1. */
export function decidedIn(cases: Cases, { slot, round }: RecordOf<"decided">): Cases {
  if (round < 2 || isChainSlot(slot) || cases.retried.has(slotKey(slot))) return cases;
  return changed(cases, { retried: cases.retried.set(slotKey(slot), true) });
}

/** With an operation handed in, once more or for the first time. */
export function handedIn(cases: Cases, fresh: Case): Cases {
  if (cases.settled.has(fresh.id)) return cases;
  const known = cases.waiting.get(fresh.id);
  if (known !== undefined) {
    if (fresh.to.every((node) => known.to.includes(node))) return cases;
    const more = { ...known, to: [...known.to, ...fresh.to] };
    return changed(cases, { waiting: cases.waiting.set(fresh.id, more) });
  }
  const key = nonceKey(accountOf(fresh.submission), nonceAsked(fresh.submission)) + fresh.id;
  return changed(cases, { waiting: cases.waiting.set(fresh.id, fresh), byNonce: cases.byNonce.set(key, fresh.id) });
}

/** With the word that a restriction bars an operation. */
export function toldBarred(cases: Cases, id: OperationId): Cases {
  const known = cases.waiting.get(id);
  if (known === undefined || known.isToldBarred) return cases;
  return changed(cases, { waiting: cases.waiting.set(id, { ...known, isToldBarred: true }) });
}

/** With a copy that has reached a node. */
export function heardBy(cases: Cases, node: NodeName, id: OperationId): Cases {
  const known = cases.waiting.get(id);
  if (known === undefined || known.remembered.includes(node)) return cases;
  return changed(cases, { waiting: cases.waiting.set(id, { ...known, remembered: [...known.remembered, node] }) });
}

/** After a crash of a node: what it was handed and had told nobody is lost. */
export function forgottenBy(cases: Cases, node: NodeName): Cases {
  let { waiting } = cases;
  for (const one of cases.waiting.values()) {
    if (!one.remembered.includes(node)) continue;
    waiting = waiting.set(one.id, { ...one, remembered: one.remembered.filter((other) => other !== node) });
  }
  return waiting === cases.waiting ? cases : changed(cases, { waiting });
}

/**
 * After the closing of an epoch: what it did not decide is void, and its client is owed that answer, or another one if it
 * submits again. What is authorised already stays due.
 */
export function voided(cases: Cases, at: Millis): Cases {
  let { waiting } = cases;
  for (const one of cases.waiting.values()) {
    if (!cases.due.has(one.id))
      waiting = waiting.set(one.id, { ...one, at, since: "its epoch closed", start: progressOf(cases) });
  }
  return changed(cases, { waiting, holders: holdersNow(cases) });
}

/** Without those whose roles were revoked in the epoch that is over. */
function holdersNow({ holders, tokens }: Cases): Cases["holders"] {
  let now = holders;
  for (const [token, { roles }] of tokens.entries()) {
    for (const [key] of holders.within(`${token}/`))
      if (!roles.some(({ address }) => key === `${token}/${address}`)) now = now.delete(key);
  }
  return now;
}

function withHolders(
  holders: Cases["holders"],
  token: Address,
  { roles }: Pick<ObservedToken, "roles">,
): Cases["holders"] {
  return roles.reduce((known, { address }) => known.set(`${token}/${address}`, true), holders);
}

/** Without a case: its client has an answer. A refusal shown to nobody leaves the operation free to come again. */
export function closed(cases: Cases, id: OperationId, forGood: boolean): Cases {
  const known = cases.waiting.get(id);
  const settled = forGood ? cases.settled.set(id, true) : cases.settled;
  if (known === undefined) return settled === cases.settled ? cases : changed(cases, { settled });
  const key = nonceKey(accountOf(known.submission), nonceAsked(known.submission)) + id;
  return changed(cases, { settled, waiting: cases.waiting.delete(id), byNonce: cases.byNonce.delete(key) });
}

/** All waiting for one nonce of an account. */
function waitingFor(cases: Cases, account: Address, nonce: number): readonly OperationId[] {
  return cases.byNonce.within(nonceKey(account, nonce)).map(([, id]) => id);
}

/** All waiting of one account. */
export function waitingOf(cases: Cases, account: Address): readonly Case[] {
  const found: Case[] = [];
  for (const [, id] of cases.byNonce.within(`${account}/`)) {
    const one = cases.waiting.get(id);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** With what an honest node's application shows of accounts, tokens and due operations. */
export function furthered(before: Cases, one: Application): Cases {
  let { accounts, tokens, balances, holders, due } = before;
  for (const change of one.changes) {
    if (change.of === "account") {
      const { address, nonce, sequence } = change;
      if (sequence > (accounts.get(address)?.sequence ?? 0)) accounts = accounts.set(address, { nonce, sequence });
    } else if (change.of === "token") {
      if (change.after.version > (tokens.get(change.token)?.version ?? 0))
        tokens = tokens.set(change.token, change.after);
      holders = withHolders(holders, change.token, change.after);
    } else if (change.of === "balance") {
      balances = balances.set(`${change.address}/${change.token}`, change.after);
    } else if (change.of === "authorised") {
      due = change.present && !before.settled.has(change.id) ? due.set(change.id, true) : due.delete(change.id);
    }
  }
  return changed(before, { accounts, tokens, balances, holders, due });
}

/** What one application settles: what it writes receipts for, and what wanted the nonce that it used. */
export function settledBy(cases: Cases, one: Application): readonly OperationId[] {
  const ids = one.receipts.map(({ id }) => id);
  if (one.slot.kind !== "account" || one.value.type === "burn" || one.value.type === "list") return ids;
  const { address } = one.slot;
  const { id } = one.value;
  for (const change of one.changes) {
    if (change.of !== "account" || change.address !== address) continue;
    ids.push(...waitingFor(cases, address, change.nonce - 1).filter((other) => other !== id));
  }
  return ids;
}

function nonceKey(account: Address, nonce: number): string {
  return `${account}/${digits(nonce)}/`;
}
