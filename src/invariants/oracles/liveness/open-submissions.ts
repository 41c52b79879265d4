/** State of the liveness oracle: open submissions, and progress of accounts and tokens. */

import { entryOf } from "../../../core/base/entry.ts";
import type { Address, Millis } from "../../../core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../../../core/base/operation.ts";
import { isChainSlot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { Application } from "../../history/content.ts";
import type { EventOf, NodeName, ObservedToken, RunSetting } from "../../observation.ts";
import { multisigAddress } from "../../reference/addresses.ts";
import { accountOf, isCancellation, nonceOfSubmission } from "../../reference/operation-meaning.ts";

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
  readonly start: LedgerProgress;
}

/** Progress of accounts and tokens: tries, since each submission keeps that of its time. */
export interface LedgerProgress {
  /** Most advanced counters at any honest node. */
  readonly accounts: Trie<{ readonly nonce: number; readonly sequence: number }>;
  readonly tokens: Trie<ObservedToken>;
  /** Number of slots so far that had no room for another operation: full lists of a token, burns of an account. */
  readonly fullSlots: Trie<number>;
}

/** Ids by account and nonce, those of one nonce in their order. */
type IdsByNonce = Map<Address, Map<number, readonly OperationId[]>>;

export interface OpenSubmissions extends LedgerProgress {
  healed: { readonly at: Millis; readonly core: readonly NodeName[]; readonly start: LedgerProgress } | undefined;
  readonly waiting: Map<OperationId, OpenSubmission>;
  /** Those of `waiting` by account and nonce. */
  readonly byNonce: IdsByNonce;
  /** Operations with a permanent outcome, by account and nonce: those of nonces that no honest node has seen used. */
  readonly settled: IdsByNonce;
  accounts: LedgerProgress["accounts"];
  tokens: LedgerProgress["tokens"];
  fullSlots: LedgerProgress["fullSlots"];
  /** Balances by the last change at any honest node, by address and token. */
  readonly balances: Map<Address, Map<Address, bigint>>;
  /** Holders of a role of a token in the current epoch, revoked ones included, by `token/address`. */
  holders: Trie<true>;
  /** Those of `waiting` that are authorised at some honest node and not known to be executed. */
  readonly due: Set<OperationId>;
  /** Multisig accounts whose signer set some honest node knows. */
  readonly created: Set<Address>;
  /** Slots of accounts and tokens that were decided in a later round than round 1, by key. */
  retried: Trie<true>;
}

/** Returns the state before any submission. */
export function emptySubmissions({ tokens, multisigs = [] }: RunSetting["genesis"]): OpenSubmissions {
  return {
    healed: undefined,
    waiting: new Map(),
    byNonce: new Map(),
    settled: new Map(),
    accounts: Trie.empty(),
    tokens: Trie.empty(),
    fullSlots: Trie.empty(),
    balances: new Map(),
    holders: tokens.reduce((holders, token) => withHolders(holders, token.token, token), Trie.empty<true>()),
    due: new Set(),
    created: new Set(multisigs.map(multisigAddress)),
    retried: Trie.empty(),
  };
}

/** Returns the open submissions in the order of their ids. */
export function sortedSubmissions({ waiting }: OpenSubmissions): readonly OpenSubmission[] {
  return [...waiting.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function progressOf({ accounts, tokens, fullSlots }: OpenSubmissions): LedgerProgress {
  return { accounts, tokens, fullSlots };
}

/** Notes a decision that an honest node took: a round after round 0 had failed where it came in a later one than round 1. */
export function noteRetried(cases: OpenSubmissions, { slot, round }: EventOf<"decided">): void {
  if (round >= 2 && !isChainSlot(slot)) cases.retried = cases.retried.set(slotKey(slot), true);
}

/**
 * Adds a submission, first or repeated. Once the core is healed, the obligation counts from the first that goes to one
 * of its validators: the others may lose what they receive (protocol 13.3).
 */
export function addSubmission(cases: OpenSubmissions, fresh: OpenSubmission): void {
  const { id, submission } = fresh;
  const [account, nonce] = [accountOf(submission), nonceOfSubmission(submission)];
  if (cases.settled.get(account)?.get(nonce)?.includes(id) === true) return;
  const openSubmission = cases.waiting.get(id);
  if (openSubmission !== undefined) {
    const receivers = [...new Set([...openSubmission.receivers, ...fresh.receivers])];
    const isFirstInCore =
      !openSubmission.receivers.some((node) => isInCore(cases, node)) &&
      fresh.receivers.some((node) => isInCore(cases, node));
    if (receivers.length === openSubmission.receivers.length) return;
    const { at, since, epoch, start } = isFirstInCore ? fresh : openSubmission;
    cases.waiting.set(id, { ...openSubmission, at, since, epoch, start, receivers });
    return;
  }
  cases.waiting.set(id, fresh);
  addId(cases.byNonce, account, nonce, id);
}

function addId(ids: IdsByNonce, account: Address, nonce: number, id: OperationId): void {
  const byNonce = entryOf(ids, account, () => new Map<number, readonly OperationId[]>());
  const idsOfNonce = byNonce.get(nonce);
  byNonce.set(nonce, idsOfNonce === undefined ? [id] : [...idsOfNonce, id].sort());
}

function isInCore({ healed }: OpenSubmissions, node: NodeName): boolean {
  return healed?.core.includes(node) === true;
}

/** Returns true if a validator of the healed core received it and has not crashed since. */
export function isRememberedInCore(cases: OpenSubmissions, { remembered }: OpenSubmission): boolean {
  return remembered.some((node) => isInCore(cases, node));
}

/** Marks an operation as barred by a restriction, as its client knows. */
export function noteBarred({ waiting }: OpenSubmissions, id: OperationId): void {
  const openSubmission = waiting.get(id);
  if (openSubmission !== undefined && !openSubmission.knowsBarred)
    waiting.set(id, { ...openSubmission, knowsBarred: true });
}

/** Marks a node as a receiver of the operation. */
export function noteReceiver({ waiting }: OpenSubmissions, node: NodeName, id: OperationId): void {
  const openSubmission = waiting.get(id);
  if (openSubmission === undefined || openSubmission.remembered.includes(node)) return;
  waiting.set(id, { ...openSubmission, remembered: [...openSubmission.remembered, node] });
}

/** After an undisclosed refusal, and after it called the submission void, the node does not keep it. */
export function noteRefusal(cases: OpenSubmissions, { id, node, answer }: EventOf<"replied">): void {
  const isRefused = answer.status === "refused" && !answer.disclosed && !owesSkip(cases, id, node);
  const openSubmission = isRefused || answer.status === "void" ? cases.waiting.get(id) : undefined;
  if (openSubmission?.remembered.includes(node) === true) cases.waiting.set(id, withoutHolder(openSubmission, node));
}

/**
 * protocol 4.2: a validator that has the displaced operation owes a cancellation its skip,
 * even after it replied that there is nothing to cancel.
 */
export function owesSkip(cases: OpenSubmissions, id: OperationId, node: NodeName): boolean {
  const submission = cases.waiting.get(id)?.submission;
  if (submission === undefined || isRecovery(submission) || !isCancellation(submission)) return false;
  return submissionsAt(cases, accountOf(submission), nonceOfSubmission(submission)).some(
    (other) => other.id !== id && !isRecovery(other.submission) && other.remembered.includes(node),
  );
}

/** After a crash of a node its undisclosed submissions are lost. */
export function noteReceiverCrash({ waiting }: OpenSubmissions, node: NodeName): void {
  for (const [id, submission] of waiting)
    if (submission.remembered.includes(node)) waiting.set(id, withoutHolder(submission, node));
}

function withoutHolder(submission: OpenSubmission, node: NodeName): OpenSubmission {
  return { ...submission, remembered: submission.remembered.filter((other) => other !== node) };
}

/**
 * After the closing of an epoch its undecided operations are void: each client is owed that reply, or another after a
 * resubmission. Authorised operations stay due.
 */
export function voidAll(cases: OpenSubmissions, epoch: number, at: Millis): void {
  const start = progressOf(cases);
  for (const [id, submission] of cases.waiting)
    if (!cases.due.has(id)) cases.waiting.set(id, { ...submission, at, since: "its epoch's closing", epoch, start });
  cases.holders = currentHolders(cases);
}

/** Starts the obligation of an operation anew: it was owed no decision until now. */
export function noteEndedExcuse(cases: OpenSubmissions, { id }: OpenSubmission, at: Millis): void {
  const openSubmission = cases.waiting.get(id);
  if (openSubmission !== undefined)
    cases.waiting.set(id, { ...openSubmission, at, since: "a decision became due", start: progressOf(cases) });
}

/**
 * Returns the accounts whose open submissions an application may make votable, or "all": those whose balance it changes or
 * that it creates, and all where it is the first to change a token's policy.
 */
export function affectedAccounts({ tokens }: OpenSubmissions, { changes }: Application): ReadonlySet<Address> | "all" {
  const accounts = new Set<Address>();
  for (const change of changes) {
    if (change.of === "token") {
      if (change.after.version > (tokens.get(change.token)?.version ?? 0)) return "all";
    } else if (change.of === "balance" || (change.of === "account" && change.multisig !== undefined))
      accounts.add(change.address);
  }
  return accounts;
}

/** Returns the open submissions of these accounts. */
export function submissionsIn(
  cases: OpenSubmissions,
  accounts: ReadonlySet<Address> | "all",
): readonly OpenSubmission[] {
  return accounts === "all"
    ? sortedSubmissions(cases)
    : [...accounts].flatMap((account) => submissionsOf(cases, account));
}

/** Drops the holders whose roles were revoked in the ended epoch. */
function currentHolders({ holders, tokens }: OpenSubmissions): OpenSubmissions["holders"] {
  let now = holders;
  for (const [token, { roles }] of tokens.entries()) {
    for (const [key] of holders.entriesWithPrefix(`${token}/`))
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

/**
 * Removes a submission with an outcome. After an undisclosed refusal the operation may be submitted again; after a
 * permanent outcome it is remembered until its nonce is used, since nothing is owed to a submission after that.
 */
export function resolveSubmission(cases: OpenSubmissions, id: OperationId, isPermanent: boolean): void {
  const openSubmission = cases.waiting.get(id);
  if (openSubmission === undefined) return;
  cases.waiting.delete(id);
  cases.due.delete(id);
  const account = accountOf(openSubmission.submission);
  const nonce = nonceOfSubmission(openSubmission.submission);
  const byNonce = cases.byNonce.get(account);
  const remaining = byNonce?.get(nonce)?.filter((other) => other !== id) ?? [];
  if (remaining.length > 0) byNonce?.set(nonce, remaining);
  else byNonce?.delete(nonce);
  if (byNonce?.size === 0) cases.byNonce.delete(account);
  if (isPermanent && nonce >= (cases.accounts.get(account)?.nonce ?? 0)) addId(cases.settled, account, nonce, id);
}

/** Drops the outcomes for nonces below this one. */
function forgetSettled({ settled }: OpenSubmissions, account: Address, nonce: number): void {
  const byNonce = settled.get(account);
  if (byNonce === undefined) return;
  for (const used of byNonce.keys()) if (used < nonce) byNonce.delete(used);
  if (byNonce.size === 0) settled.delete(account);
}

const NO_IDS: readonly OperationId[] = [];

/** Returns the open submissions of one account, in the order of their nonces and ids. */
export function submissionsOf(cases: OpenSubmissions, account: Address): readonly OpenSubmission[] {
  const nonces = [...(cases.byNonce.get(account)?.keys() ?? [])].sort((a, b) => a - b);
  return nonces.flatMap((nonce) => submissionsAt(cases, account, nonce));
}

/** Returns the open submissions of one account for a nonce, in the order of their ids. */
export function submissionsAt(cases: OpenSubmissions, account: Address, nonce: number): readonly OpenSubmission[] {
  return (cases.byNonce.get(account)?.get(nonce) ?? NO_IDS).flatMap((id) => cases.waiting.get(id) ?? []);
}

/** Updates accounts, tokens and due operations from an application at an honest node. */
export function noteApplication(cases: OpenSubmissions, application: Application, listLimit: number): void {
  const { value } = application;
  const noteFullSlot = (address: Address): void => {
    cases.fullSlots = cases.fullSlots.set(address, (cases.fullSlots.get(address) ?? 0) + 1);
  };
  for (const change of application.changes) {
    if (change.of === "account") {
      const { address, nonce, sequence, multisig } = change;
      if (multisig !== undefined) cases.created.add(address);
      if (sequence <= (cases.accounts.get(address)?.sequence ?? 0)) continue;
      cases.accounts = cases.accounts.set(address, { nonce, sequence });
      if (value.type === "burn") noteFullSlot(address);
      forgetSettled(cases, address, nonce);
    } else if (change.of === "token") {
      // A validator that lags behind applies roles of an earlier epoch in this one: they no longer count (protocol 3.2).
      if (change.after.version <= (cases.tokens.get(change.token)?.version ?? 0)) continue;
      cases.tokens = cases.tokens.set(change.token, change.after);
      if (value.type === "list" && value.ids.length >= listLimit) noteFullSlot(change.token);
      cases.holders = withHolders(cases.holders, change.token, change.after);
    } else if (change.of === "balance") {
      const held = entryOf(cases.balances, change.address, () => new Map<Address, bigint>());
      held.set(change.token, change.after);
    } else if (change.of === "authorised") {
      if (change.present && cases.waiting.has(change.id)) cases.due.add(change.id);
      else if (!change.present) cases.due.delete(change.id);
    }
  }
}

/**
 * Returns the operations that one application resolves: those with receipts, and the others for the nonce that it used.
 */
export function resolvedOperations({ byNonce }: OpenSubmissions, application: Application): readonly OperationId[] {
  const ids = application.receipts.map(({ id }) => id);
  if (application.slot.kind !== "account" || application.value.type === "burn" || application.value.type === "list")
    return ids;
  const { address } = application.slot;
  const { id } = application.value;
  for (const change of application.changes) {
    if (change.of !== "account" || change.address !== address) continue;
    for (const other of byNonce.get(address)?.get(change.nonce - 1) ?? NO_IDS) if (other !== id) ids.push(other);
  }
  return ids;
}
