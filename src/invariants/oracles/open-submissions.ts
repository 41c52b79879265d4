/** State of the liveness oracle: open submissions, and progress of accounts and tokens. */
import type { Amount } from "../../core/base/amount.ts";
import type { Address, Millis, Sequence, Version } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../../core/base/operation.ts";
import { isChainSlot, type LedgerSlot, paddedNumber, sequencePrefix, slotAt, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { Application } from "../history/content.ts";
import type { EventOf, NodeName, ObservedToken, RunSetting } from "../observation.ts";
import { debitedBy, effectSlotOf, isForcedBurn, tokenOf } from "../reference/operation-meaning.ts";
import { tokenAddress } from "../token-address.ts";

/** Submission without an outcome for its client. */
export interface OpenSubmission {
  readonly id: OperationId;
  readonly submission: Submission;
  readonly client: string;
  /** Start of the obligation, and its cause. */
  readonly at: Millis;
  readonly since: "its submission" | "its epoch's closing" | "a decision became due";
  /** First epoch whose closing may void it: a void response about an earlier one is no outcome of this obligation. */
  readonly epoch: number;
  readonly receivers: readonly NodeName[];
  /** True if an honest validator replied that a restriction bars it: the next step is the client's. */
  readonly knowsBarred: boolean;
  /** Nodes that received it and have not crashed since; a `pending` reply is not durable. */
  readonly remembered: readonly NodeName[];
  /** Progress of accounts and tokens at that time. */
  readonly start: Progress;
}

/** Progress of accounts and tokens. */
export type Progress = Pick<OpenSubmissions, "accounts" | "tokens">;

export interface OpenSubmissions {
  readonly healed: { readonly at: Millis; readonly core: readonly NodeName[]; readonly start: Progress } | undefined;
  readonly waiting: Trie<OpenSubmission>;
  /** Ids by `account/nonce/id`, of all submissions without an outcome. */
  readonly byNonce: Trie<OperationId>;
  /** Operations with an outcome. */
  readonly settled: UndoMap<true>;
  /** Most advanced counters at any honest node. */
  readonly accounts: Trie<{ readonly nonce: number; readonly sequence: number }>;
  readonly tokens: Trie<ObservedToken>;
  /** Balances by the last change at any honest node, by `address/token`. */
  readonly balances: Trie<Amount>;
  /** Holders of a role of a token in the current epoch, revoked ones included, by `token/address`. */
  readonly holders: Trie<true>;
  /** Authorised at some honest node and not known to be executed. */
  readonly due: Trie<true>;
  /** Slots of accounts and tokens that were decided in a later round than round 1, by key. */
  readonly retried: Trie<true>;
}

/** Returns the state before any submission; `tokens` are those of the genesis. */
export function emptySubmissions(tokens: RunSetting["genesis"]["tokens"]): OpenSubmissions {
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

/** Returns a copy with some parts changed. Field by field, which costs a tenth of a record spread. */
function withChanges(cases: OpenSubmissions, parts: Partial<OpenSubmissions>): OpenSubmissions {
  const { healed, waiting, byNonce, settled, accounts, tokens, balances, holders, due, retried } = cases;
  return Object.assign({ healed, waiting, byNonce, settled, accounts, tokens, balances, holders, due, retried }, parts);
}

/** Returns the account whose nonce a submission would use. */
export function accountOf(submission: Submission): Address {
  return isRecovery(submission) ? submission.account : submission.sender;
}

/** Returns the nonce that a submission would use. */
export function nonceOfSubmission(submission: Submission): number {
  return isRecovery(submission) ? submission.nonce : submission.operation.nonce;
}

export function progressOf({ accounts, tokens }: OpenSubmissions): Progress {
  return { accounts, tokens };
}

/** protocol 13.3: a slot begins with rounds that are too short for a slow disk, and so does each that comes before its own. */
export function boundOf({ livenessMs, slotMs }: RunSetting, cases: OpenSubmissions, one: OpenSubmission): Millis {
  return slotMs === 0 ? livenessMs : ((livenessMs + slotMs * retriedMeanwhile(cases, one)) as Millis);
}

/**
 * How many slots that come before an operation's own took more than one round after round 0, while it had to wait: of the
 * account that it is signed for, and of the token or account that it changes.
 */
function retriedMeanwhile(cases: OpenSubmissions, { submission, at, start }: OpenSubmission): number {
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
  const token = effectSlotOf(submission) === "token" ? tokenOf(operation, tokenAddress) : undefined;
  if (token === undefined) return signedFor;
  return (
    signedFor +
    retriedWithin(cases, { kind: "token", token, version: versionOf(before, token) }, versionOf(cases, token))
  );
}

function retriedWithin({ retried }: OpenSubmissions, from: LedgerSlot, to: number): number {
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
export function decidedIn(cases: OpenSubmissions, { slot, round }: EventOf<"decided">): OpenSubmissions {
  if (round < 2 || isChainSlot(slot) || cases.retried.has(slotKey(slot))) return cases;
  return withChanges(cases, { retried: cases.retried.set(slotKey(slot), true) });
}

/**
 * Adds a submission, first or repeated. Once the core is healed, the obligation counts from the first that goes to one
 * of its validators: the others may lose what they receive (protocol 13.3).
 */
export function withSubmission(cases: OpenSubmissions, fresh: OpenSubmission): OpenSubmissions {
  if (cases.settled.has(fresh.id)) return cases;
  const known = cases.waiting.get(fresh.id);
  if (known !== undefined) {
    const receivers = [...new Set([...known.receivers, ...fresh.receivers])];
    const isFirstInCore =
      !known.receivers.some((node) => isInCore(cases, node)) && fresh.receivers.some((node) => isInCore(cases, node));
    if (receivers.length === known.receivers.length) return cases;
    const { at, since, epoch, start } = isFirstInCore ? fresh : known;
    const more = { ...known, at, since, epoch, start, receivers };
    return withChanges(cases, { waiting: cases.waiting.set(fresh.id, more) });
  }
  const key = nonceKey(accountOf(fresh.submission), nonceOfSubmission(fresh.submission)) + fresh.id;
  return withChanges(cases, { waiting: cases.waiting.set(fresh.id, fresh), byNonce: cases.byNonce.set(key, fresh.id) });
}

function isInCore({ healed }: OpenSubmissions, node: NodeName): boolean {
  return healed?.core.includes(node) === true;
}

/** Returns true if a validator of the healed core received it and has not crashed since. */
export function isRememberedInCore(cases: OpenSubmissions, { remembered }: OpenSubmission): boolean {
  return remembered.some((node) => isInCore(cases, node));
}

/** Marks an operation as barred by a restriction, as its client knows. */
export function withBarredReply(cases: OpenSubmissions, id: OperationId): OpenSubmissions {
  const known = cases.waiting.get(id);
  if (known === undefined || known.knowsBarred) return cases;
  return withChanges(cases, { waiting: cases.waiting.set(id, { ...known, knowsBarred: true }) });
}

/** Marks a node as a receiver of the operation. */
export function withReceiver(cases: OpenSubmissions, node: NodeName, id: OperationId): OpenSubmissions {
  const known = cases.waiting.get(id);
  if (known === undefined || known.remembered.includes(node)) return cases;
  return withChanges(cases, { waiting: cases.waiting.set(id, { ...known, remembered: [...known.remembered, node] }) });
}

/** After an undisclosed refusal, and after it called the submission void, the node does not keep it. */
export function withReceiverRefusal(cases: OpenSubmissions, { id, node, answer }: EventOf<"replied">): OpenSubmissions {
  const isDropped = answer.status === "void" || (answer.status === "refused" && !answer.disclosed);
  const known = isDropped ? cases.waiting.get(id) : undefined;
  if (known?.remembered.includes(node) !== true) return cases;
  const remembered = known.remembered.filter((other) => other !== node);
  return withChanges(cases, { waiting: cases.waiting.set(id, { ...known, remembered }) });
}

/** After a crash of a node its undisclosed submissions are lost. */
export function withReceiverCrash(cases: OpenSubmissions, node: NodeName): OpenSubmissions {
  let { waiting } = cases;
  for (const one of cases.waiting.values()) {
    if (!one.remembered.includes(node)) continue;
    waiting = waiting.set(one.id, { ...one, remembered: one.remembered.filter((other) => other !== node) });
  }
  return waiting === cases.waiting ? cases : withChanges(cases, { waiting });
}

/**
 * After the closing of an epoch its undecided operations are void: each client is owed that reply, or another after a
 * resubmission. Authorised operations stay due.
 */
export function voided(cases: OpenSubmissions, epoch: number, at: Millis): OpenSubmissions {
  let { waiting } = cases;
  for (const one of cases.waiting.values()) {
    if (!cases.due.has(one.id))
      waiting = waiting.set(one.id, { ...one, at, since: "its epoch's closing", epoch, start: progressOf(cases) });
  }
  return withChanges(cases, { waiting, holders: holdersNow(cases) });
}

/** Starts the obligation of an operation anew: it was owed no decision until now. */
export function withEndedExcuse(cases: OpenSubmissions, one: OpenSubmission, at: Millis): OpenSubmissions {
  const owed = { ...one, at, since: "a decision became due", start: progressOf(cases) } as const;
  return withChanges(cases, { waiting: cases.waiting.set(one.id, owed) });
}

/**
 * Returns the open submissions that an application may make votable: of each account whose balance it changed, and all
 * of them where it changed a token's policy.
 */
export function touchedBy(cases: OpenSubmissions, { changes }: Application): readonly OpenSubmission[] {
  if (changes.some(({ of }) => of === "token")) return [...cases.waiting.values()];
  const accounts = changes.flatMap((change) => (change.of === "balance" ? [change.address] : []));
  return [...new Set(accounts)].flatMap((account) => openOf(cases, account));
}

/** Drops the holders whose roles were revoked in the ended epoch. */
function holdersNow({ holders, tokens }: OpenSubmissions): OpenSubmissions["holders"] {
  let now = holders;
  for (const [token, { roles }] of tokens.entries()) {
    for (const [key] of holders.within(`${token}/`))
      if (!roles.some(({ address }) => key === `${token}/${address}`)) now = now.delete(key);
  }
  return now;
}

function withHolders(
  holders: OpenSubmissions["holders"],
  token: Address,
  { roles }: Pick<ObservedToken, "roles">,
): OpenSubmissions["holders"] {
  return roles.reduce((known, { address }) => known.set(`${token}/${address}`, true), holders);
}

/** Removes a submission with an outcome. After an undisclosed refusal the operation may be submitted again. */
export function resolved(cases: OpenSubmissions, id: OperationId, isPermanent: boolean): OpenSubmissions {
  const known = cases.waiting.get(id);
  const settled = isPermanent ? cases.settled.set(id, true) : cases.settled;
  if (known === undefined) return settled === cases.settled ? cases : withChanges(cases, { settled });
  const key = nonceKey(accountOf(known.submission), nonceOfSubmission(known.submission)) + id;
  return withChanges(cases, { settled, waiting: cases.waiting.delete(id), byNonce: cases.byNonce.delete(key) });
}

/** Returns the open submissions for one nonce of an account. */
function waitingFor(cases: OpenSubmissions, account: Address, nonce: number): readonly OperationId[] {
  return cases.byNonce.within(nonceKey(account, nonce)).map(([, id]) => id);
}

/** Returns the open submissions of one account. */
export function openOf(cases: OpenSubmissions, account: Address): readonly OpenSubmission[] {
  const found: OpenSubmission[] = [];
  for (const [, id] of cases.byNonce.within(`${account}/`)) {
    const one = cases.waiting.get(id);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** Updates accounts, tokens and due operations from an application at an honest node. */
export function withApplication(before: OpenSubmissions, one: Application): OpenSubmissions {
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
  return withChanges(before, { accounts, tokens, balances, holders, due });
}

/**
 * Returns the operations that one application resolves: those with receipts, and the others for the nonce that it used.
 */
export function resolvedBy(cases: OpenSubmissions, one: Application): readonly OperationId[] {
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
  return `${account}/${paddedNumber(nonce)}/`;
}
