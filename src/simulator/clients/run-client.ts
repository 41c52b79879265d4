/**
 * Client behaviour. A correct client signs one operation for a nonce, unless the first was refused undisclosed; retries
 * with the same bytes; and after doubt signs only the cancellation of that nonce (protocol 4.2).
 */
import { required } from "../../core/base/assert.ts";
import type { Address, Nonce } from "../../core/base/ids.ts";
import { isRecovery, type Operation, type OperationId, type Submission } from "../../core/base/operation.ts";
import { paddedNumber } from "../../core/base/slot.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import { EVENT_KIND } from "../digest.ts";
import type { Engine } from "../engine.ts";
import { transmit } from "../network/transmit.ts";
import type { OperationDraft } from "../plan.ts";
import { type NodeName, TIMEOUT_GROWTH_MAX } from "../settings.ts";
import { type Client, dequeue, EMPTY_WALLET, enqueue, type OpenSubmission, type Wallet } from "./client.ts";

/**
 * Submits a signed submission. A scripted client sends it and keeps no state; a correct one tracks it. A client that
 * reuses nonces keeps to its first operation until that is refused undisclosed: nothing happens before. @throws
 * RangeError if another correct client is given a second operation for a nonce.
 */
export function submit(engine: Engine, client: Client, submission: Submission, to: readonly NodeName[]): void {
  const id = idOf(engine, submission);
  if (client.plan.onRefusal === "reuse" && isSecond(client, submission, id)) {
    return;
  }
  const open = client.open.get(id);
  if (open !== undefined) client.open = client.open.set(id, { ...open, copies: open.copies + to.length });
  else if (client.plan.behaviour === "correct") follow(engine, client, id, submission, to);
  for (const node of to) send(engine, client, id, submission, node);
}

/** Orders an operation from the wallet of a correct client. It waits for room in the account's window. */
export function order(engine: Engine, client: Client, account: Address, draft: OperationDraft): void {
  const wallet = client.wallets.get(account) ?? EMPTY_WALLET;
  client.wallets = client.wallets.set(account, waitingWith(wallet, enqueue(wallet.waiting, draft)));
  fillWindow(engine, client, account);
}

/** Cancels an open operation now. Does nothing if that nonce is not open. */
export function cancel(engine: Engine, client: Client, account: Address, nonce: Nonce): void {
  const id = client.signed.get(nonceKey(account, nonce));
  const open = id === undefined ? undefined : client.open.get(id);
  if (open !== undefined) sendAll(engine, client, withCancellation(engine, client, open), [client.plan.home]);
}

/** Handles a client timeout: sends the same bytes to f + 1 validators, in turn; after too many tries a cancellation. */
export function clientTimeout(engine: Engine, client: Client, id: OperationId): void {
  const open = client.open.get(id);
  if (open === undefined) return;
  const { cancelAfter, giveUpAfter } = client.plan;
  if (open.tries >= giveUpAfter) {
    client.open = client.open.set(id, { ...open, timer: undefined });
    return;
  }
  const needsCancellation = open.isBarred || (cancelAfter > 0 && open.tries >= cancelAfter);
  const now = needsCancellation ? withCancellation(engine, client, open) : open;
  const entryNodes = entryNodesFor(engine, client, open.tries);
  const waiting = wait(engine, client, {
    ...now,
    tries: open.tries + 1,
    copies: open.copies + entryNodes.length,
    contacted: [...new Set([...open.contacted, ...entryNodes])],
  });
  sendAll(engine, client, waiting, entryNodes);
}

/** Sends the same bytes to the home at once, like a new order: the awaited outcome will not come. */
export function submitAgain(engine: Engine, client: Client, open: OpenSubmission): void {
  const { home } = client.plan;
  if (open.timer !== undefined) engine.foreground -= 1;
  const entryNodes = [...new Set([...open.contacted, home])];
  const waiting = wait(engine, client, { ...open, tries: 1, copies: open.copies + 1, contacted: entryNodes });
  sendAll(engine, client, waiting, [home]);
}

/** Signs and submits waiting drafts, up to the account's window. */
export function fillWindow(engine: Engine, client: Client, account: Address): void {
  for (;;) {
    const wallet = client.wallets.get(account) ?? EMPTY_WALLET;
    const first = wallet.openCount < client.plan.window ? dequeue(wallet.waiting) : undefined;
    if (first === undefined) return;
    client.wallets = client.wallets.set(account, waitingWith(wallet, first.rest));
    const operation = { ...first.item, nonce: wallet.nextNonce } as Operation;
    submit(engine, client, sign(engine, account, operation), [client.plan.home]);
  }
}

/** Tracks a submission until its outcome. */
function follow(
  engine: Engine,
  client: Client,
  id: OperationId,
  submission: Submission,
  to: readonly NodeName[],
): void {
  if (isRecovery(submission)) {
    const { nonce } = submission;
    return void wait(engine, client, opened(id, `recovery ${id}`, nonce, submission, to));
  }
  const { sender, operation } = submission;
  const signedId = client.signed.get(nonceKey(sender, operation.nonce));
  const earlier = signedId === undefined ? undefined : client.open.get(signedId);
  if (operation.kind === "cancellation" && earlier !== undefined) {
    attachCancellation(client, earlier, id, submission);
    return;
  }
  // A cancellation is no equivocation, whether it comes before its operation or after its end (protocol 3.0).
  if (operation.kind !== "cancellation") noteSigned(client, sender, operation.nonce, id);
  const wallet = client.wallets.get(sender) ?? EMPTY_WALLET;
  const nextNonce = Math.max(wallet.nextNonce, operation.nonce + 1) as Nonce;
  const busy: Wallet = { nextNonce, openCount: wallet.openCount + 1, waiting: wallet.waiting };
  client.wallets = client.wallets.set(sender, busy);
  wait(engine, client, opened(id, sender, operation.nonce, submission, to));
}

function opened(
  id: OperationId,
  wallet: string,
  nonce: Nonce,
  submission: Submission,
  entryNodes: readonly NodeName[],
): OpenSubmission {
  const replies = { supersededBy: [], refusedBy: [], voidedIn: [], isBarred: false };
  const attempts = { contacted: entryNodes, tries: 1, copies: entryNodes.length };
  return { id, wallet, nonce, submission, cancellation: undefined, ...attempts, ...replies, timer: undefined };
}

/** A correct client never equivocates: a second operation for a nonce is a mistake in the plan. */
function noteSigned(client: Client, account: string, nonce: Nonce, id: OperationId): void {
  const key = nonceKey(account, nonce);
  const known = client.signed.get(key);
  if (known !== undefined && known !== id) {
    throw new RangeError(
      `client "${client.name}" is correct and has signed ${known} for nonce ${nonce}, got ${id} for it`,
    );
  }
  client.signed = client.signed.set(key, id);
}

/**
 * Returns true if the client has signed another operation for this nonce. Cancellations and recoveries do not count.
 */
function isSecond(client: Client, submission: Submission, id: OperationId): boolean {
  if (isRecovery(submission) || submission.operation.kind === "cancellation") return false;
  const known = client.signed.get(nonceKey(submission.sender, submission.operation.nonce));
  return known !== undefined && known !== id;
}

function withCancellation(engine: Engine, client: Client, open: OpenSubmission): OpenSubmission {
  const { submission } = open;
  if (open.cancellation !== undefined || isRecovery(submission)) return open;
  const { operation, sender } = submission;
  if (operation.kind === "cancellation") return open;
  const { layout, chainId, nonce } = operation;
  const cancellation = sign(engine, sender, { kind: "cancellation", layout, chainId, nonce });
  attachCancellation(client, open, idOf(engine, cancellation), cancellation);
  return required(client.open.get(open.id), "open operation");
}

function attachCancellation(client: Client, open: OpenSubmission, id: OperationId, submission: Submission): void {
  client.open = client.open.set(open.id, { ...open, cancellation: { id, submission } });
  client.cancelled = client.cancelled.set(id, open.id);
}

/** Starts the client timeout, longer with each try. */
function wait(engine: Engine, client: Client, open: OpenSubmission): OpenSubmission {
  const growth = Math.min(2 ** (open.tries - 1), TIMEOUT_GROWTH_MAX);
  const at = engine.now + client.plan.timeoutMs * growth;
  const timer = engine.schedule(at, { type: "clientTimeout", client: client.name, id: open.id });
  const waiting = { ...open, timer };
  client.open = client.open.set(open.id, waiting);
  return waiting;
}

/** Sends the operation together with its cancellation: a validator that lacks one of them gets the pair. */
function sendAll(engine: Engine, client: Client, open: OpenSubmission, to: readonly NodeName[]): void {
  for (const node of to) {
    send(engine, client, open.id, open.submission, node);
    if (open.cancellation !== undefined) {
      send(engine, client, open.cancellation.id, open.cancellation.submission, node);
    }
  }
}

function send(engine: Engine, client: Client, id: OperationId, submission: Submission, node: NodeName): void {
  const digest = engine.config.digester.of(submission);
  engine.trace.digest(EVENT_KIND.submitted, client.index, digest);
  const isCorrect = client.plan.behaviour === "correct" && !client.plan.sharesKey && !client.usedByzantineEntry;
  engine.listener.submitted?.(client.name, id, submission, node, isCorrect);
  transmit(engine, client.index, engine.index(node), { type: "submit", submission, id, digest });
}

/** Returns f + 1 validators in the plan's order, from the home on, rotated by the number of tries. */
function entryNodesFor(engine: Engine, client: Client, tries: number): readonly NodeName[] {
  const { entryNodes, plan } = engine.config;
  const count = Math.min(plan.faulty + 1, entryNodes.length);
  const first = Math.max(entryNodes.indexOf(client.plan.home), 0) + (tries - 1) * count;
  return Array.from({ length: count }, (_, index) => entryNodes[(first + index) % entryNodes.length] as NodeName);
}

function sign(engine: Engine, account: Address, operation: Operation): Submission {
  const { keyring } = engine.config.plan;
  if (keyring === undefined) throw new RangeError("client: the plan has no keyring, so no wallet can sign");
  return keyring.sign(account, operation);
}

function waitingWith({ nextNonce, openCount }: Wallet, waiting: Wallet["waiting"]): Wallet {
  return { nextNonce, openCount, waiting };
}

/** Returns the id of a submission. */
export function idOf({ config }: Engine, submission: Submission): OperationId {
  return (config.plan.idOf ?? submissionId)(submission);
}

/** Returns the key of a signed nonce. */
export function nonceKey(account: string, nonce: Nonce): string {
  return `${account} ${paddedNumber(nonce)}`;
}
