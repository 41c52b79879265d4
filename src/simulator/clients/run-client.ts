/**
 * Client behaviour (protocol 4.2, 9.1). A correct client signs one operation for a nonce, unless the first was refused
 * undisclosed; retries with the same bytes; and after doubt signs only the cancellation of that nonce.
 */
import type { Address, Epoch, Nonce } from "../../core/base/ids.ts";
import { isRecovery, isSkip, type Operation, type OperationId, type Submission } from "../../core/base/operation.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import { layoutOfCancellation } from "../../core/ledger/layout.ts";
import type { Reply } from "../../core/validator/output.ts";
import { EVENT_KIND } from "../digest.ts";
import type { Engine } from "../engine.ts";
import { transmit } from "../network/transmit.ts";
import { fireTriggers } from "../network/triggers.ts";
import type { OperationDraft } from "../plan.ts";
import { type NodeName, TIMEOUT_GROWTH_MAX, VOID_RETRIES_MAX } from "../settings.ts";
import type { Client, OpenSubmission } from "./client.ts";

/**
 * Submits a signed submission. A scripted client sends it and keeps no state; a correct one tracks it. A client that
 * reuses nonces keeps to its first operation until that is refused undisclosed: nothing happens before. @throws
 * RangeError if another correct client is given a second operation for a nonce.
 */
export function submitOperation(engine: Engine, client: Client, submission: Submission, to: readonly NodeName[]): void {
  const id = idOf(engine, submission);
  if (client.plan.onRefusal === "reuse" && isSecondSignature(client, submission, id)) {
    return;
  }
  const open = client.open.get(id);
  if (open !== undefined) open.copies += to.length;
  else if (client.plan.behaviour === "correct") trackSubmission(engine, client, id, submission, to);
  for (const node of to) sendToEntry(engine, client, id, submission, node);
}

/** Orders an operation from the wallet of a correct client. It waits for room in the account's window. */
export function orderOperation(engine: Engine, client: Client, account: Address, draft: OperationDraft): void {
  client.wallet(account).enqueue(draft);
  fillWindow(engine, client, account);
}

/** Cancels an open operation now. Does nothing if that nonce is not open. */
export function cancelOperation(engine: Engine, client: Client, account: Address, nonce: Nonce): void {
  const open = client.openAt(account, nonce);
  if (open === undefined) return;
  addCancellation(engine, client, open);
  sendAll(engine, client, open, [client.plan.home]);
}

/** Handles a client timeout: sends the same bytes to f + 1 validators, in turn; after too many tries a cancellation. */
export function clientTimeout(engine: Engine, client: Client, id: OperationId): void {
  const open = client.open.get(id);
  if (open === undefined) return;
  const { cancelAfter, giveUpAfter } = client.plan;
  if (open.tries >= giveUpAfter) {
    open.timer = undefined;
    return;
  }
  if (open.isBarred || (cancelAfter > 0 && open.tries >= cancelAfter)) addCancellation(engine, client, open);
  sendAgain(engine, client, open, open.tries + 1, entryNodesFor(engine, client, open.tries));
}

/** Sends the same bytes to the home at once, like a new order: the awaited outcome will not come. */
function submitAgain(engine: Engine, client: Client, open: OpenSubmission): void {
  if (open.timer !== undefined) engine.foreground -= 1;
  sendAgain(engine, client, open, 1, [client.plan.home]);
}

function sendAgain(engine: Engine, client: Client, open: OpenSubmission, tries: number, to: readonly NodeName[]): void {
  open.tries = tries;
  open.copies += to.length;
  open.contacted = [...new Set([...open.contacted, ...to])];
  startTimeout(engine, client, open);
  sendAll(engine, client, open, to);
}

/** Signs and submits waiting drafts, up to the account's window. */
function fillWindow(engine: Engine, client: Client, account: Address): void {
  const wallet = client.wallet(account);
  while (wallet.openCount < client.plan.window) {
    const draft = wallet.dequeue();
    if (draft === undefined) return;
    const operation = { ...draft, nonce: wallet.nextNonce } as Operation;
    submitOperation(engine, client, signOperation(engine, account, operation), [client.plan.home]);
  }
}

/** Tracks a submission until its outcome. */
function trackSubmission(
  engine: Engine,
  client: Client,
  id: OperationId,
  submission: Submission,
  to: readonly NodeName[],
): void {
  if (isRecovery(submission)) {
    openSubmission(engine, client, { id, account: undefined, nonce: submission.nonce, submission }, to);
    return;
  }
  const { sender, operation } = submission;
  const earlier = client.openAt(sender, operation.nonce);
  if (operation.kind === "cancellation" && earlier !== undefined) {
    attachCancellation(client, earlier, id, submission);
    return;
  }
  // A cancellation is no equivocation, whether it comes before its operation or after its end (protocol 3.0).
  if (operation.kind !== "cancellation") noteSigned(client, sender, operation.nonce, id);
  const wallet = client.wallet(sender);
  wallet.nextNonce = Math.max(wallet.nextNonce, operation.nonce + 1) as Nonce;
  wallet.openCount += 1;
  openSubmission(engine, client, { id, account: sender, nonce: operation.nonce, submission }, to);
}

function openSubmission(
  engine: Engine,
  client: Client,
  submitted: Pick<OpenSubmission, "id" | "account" | "nonce" | "submission">,
  entryNodes: readonly NodeName[],
): void {
  const open: OpenSubmission = {
    ...submitted,
    cancellation: undefined,
    tries: 1,
    contacted: entryNodes,
    copies: entryNodes.length,
    supersededBy: [],
    refusedBy: [],
    voidedIn: [],
    isBarred: false,
    timer: undefined,
  };
  client.open.set(open.id, open);
  startTimeout(engine, client, open);
}

/** A correct client never equivocates: a second operation for a nonce is a mistake in the plan. */
function noteSigned(client: Client, account: Address, nonce: Nonce, id: OperationId): void {
  const { signed } = client.wallet(account);
  const signedSubmission = signed.get(nonce);
  if (signedSubmission !== undefined && signedSubmission !== id) {
    throw new RangeError(
      `client "${client.name}" is correct and has signed ${signedSubmission} for nonce ${nonce}, got ${id} for it`,
    );
  }
  signed.set(nonce, id);
}

/**
 * Returns true if the client has signed another operation for this nonce. Cancellations and recoveries do not count.
 */
function isSecondSignature(client: Client, submission: Submission, id: OperationId): boolean {
  if (isSkip(submission)) return false;
  const signedId = client.signedId(submission.sender, submission.operation.nonce);
  return signedId !== undefined && signedId !== id;
}

/** Signs the cancellation of an operation, unless it has one or can have none. */
function addCancellation(engine: Engine, client: Client, open: OpenSubmission): void {
  const { submission } = open;
  if (open.cancellation !== undefined || isRecovery(submission)) return;
  const { operation, sender } = submission;
  if (operation.kind === "cancellation") return;
  const { layout, chainId, nonce } = operation;
  const cancellation = signOperation(engine, sender, {
    kind: "cancellation",
    layout: layoutOfCancellation(layout),
    chainId,
    nonce,
  });
  attachCancellation(client, open, idOf(engine, cancellation), cancellation);
}

function attachCancellation(client: Client, open: OpenSubmission, id: OperationId, submission: Submission): void {
  open.cancellation = { id, submission };
  client.cancelled.set(id, open.id);
}

/** Starts the client timeout, longer with each try. */
function startTimeout(engine: Engine, client: Client, open: OpenSubmission): void {
  const growth = Math.min(2 ** (open.tries - 1), TIMEOUT_GROWTH_MAX);
  const at = engine.now + client.plan.timeoutMs * growth;
  open.timer = engine.schedule(at, { type: "clientTimeout", client: client.name, id: open.id });
}

/** Sends the operation together with its cancellation: a validator that lacks one of them gets the pair. */
function sendAll(engine: Engine, client: Client, open: OpenSubmission, to: readonly NodeName[]): void {
  for (const node of to) {
    sendToEntry(engine, client, open.id, open.submission, node);
    if (open.cancellation !== undefined) {
      sendToEntry(engine, client, open.cancellation.id, open.cancellation.submission, node);
    }
  }
}

function sendToEntry(engine: Engine, client: Client, id: OperationId, submission: Submission, node: NodeName): void {
  const digest = engine.config.digester.digestOf(submission);
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

function signOperation(engine: Engine, account: Address, operation: Operation): Submission {
  const { keyring } = engine.config.plan;
  if (keyring === undefined) throw new RangeError("client: the plan has no keyring, so no wallet can sign");
  return keyring.sign(account, operation);
}

/** Returns the id of a submission. */
export function idOf({ config }: Engine, submission: Submission): OperationId {
  return (config.plan.idOf ?? submissionId)(submission);
}

/** Handles a reply that has reached its client. */
export function receiveReply(engine: Engine, client: Client, from: NodeName, id: OperationId, reply: Reply): void {
  const { verifyFinality } = engine.config.plan;
  const quorum = reply.status === "final" ? (verifyFinality?.(reply) ?? 0) : 0;
  engine.listener.replyReceived?.(client.name, id, from, reply, quorum);
  const open = client.open.get(client.cancelled.get(id) ?? id);
  if (open !== undefined) handleReply(engine, client, open, { from, id, reply, quorum });
  if (engine.armed.length > 0) fireTriggers(engine, { on: "responded", client: client.name, id });
}

interface ReceivedReply {
  readonly from: NodeName;
  readonly id: OperationId;
  readonly reply: Reply;
  readonly quorum: number;
}

function handleReply(
  engine: Engine,
  client: Client,
  open: OpenSubmission,
  { from, id, reply, quorum }: ReceivedReply,
): void {
  if (reply.status === "superseded") handleSuperseded(engine, client, open, from);
  else if (reply.status === "void") handleVoid(engine, client, open, reply.epoch);
  else if (reply.status === "pending") {
    if (reply.barred !== undefined) open.isBarred = true;
  } else if (reply.status === "refused") {
    if (!reply.disclosed && id === open.id) handleRefusal(engine, client, open, from);
  } else if (reply.status === "final") {
    // Without a proof it is a claim, and claims settle nothing.
    const isProved = engine.config.plan.verifyFinality === undefined || quorum > 0;
    if (isProved && reply.receipt.id === id) settleSubmission(engine, client, open);
  }
}

/** One validator may be Byzantine; f + 1 with the same reply include an honest one. */
function handleSuperseded(engine: Engine, client: Client, open: OpenSubmission, from: NodeName): void {
  if (open.supersededBy.includes(from)) return;
  open.supersededBy = [...open.supersededBy, from];
  if (open.supersededBy.length > engine.config.plan.faulty) settleSubmission(engine, client, open);
}

/**
 * Nothing of it is decided, so the same bytes are sent again: once per epoch, whatever the number of replies (protocol
 * 6.3).
 */
function handleVoid(engine: Engine, client: Client, open: OpenSubmission, epoch: Epoch): void {
  if (open.voidedIn.includes(epoch) || open.voidedIn.length >= VOID_RETRIES_MAX) return;
  open.voidedIn = [...open.voidedIn, epoch];
  submitAgain(engine, client, open);
}

/**
 * If the validators asked are honest, no other validator has received it: a client that trusts them may reuse the
 * nonce.
 */
function handleRefusal(engine: Engine, client: Client, open: OpenSubmission, from: NodeName): void {
  // Of what was void a validator no longer knows whether it disclosed it.
  if (client.plan.onRefusal !== "reuse" || open.voidedIn.length > 0 || open.refusedBy.includes(from)) return;
  open.refusedBy = [...open.refusedBy, from];
  const { account } = open;
  if (account === undefined) return;
  let reclaimed = false;
  while (reclaimLast(engine, client, account)) reclaimed = true;
  if (reclaimed) fillWindow(engine, client, account);
}

/** Releases the last nonce that the wallet has used, if every validator asked has refused it once. */
function reclaimLast(engine: Engine, client: Client, account: Address): boolean {
  const wallet = client.wallet(account);
  if (wallet.nextNonce === 0) return false;
  const nonce = (wallet.nextNonce - 1) as Nonce;
  const open = client.openAt(account, nonce);
  if (open === undefined || open.cancellation !== undefined) return false;
  if (open.copies > open.contacted.length) return false;
  if (!open.contacted.every((node) => open.refusedBy.includes(node))) return false;
  if (open.contacted.some((node) => !engine.node(node).honest)) client.usedByzantineEntry = true;
  wallet.signed.delete(nonce);
  wallet.nextNonce = nonce;
  closeSubmission(engine, client, open);
  return true;
}

function settleSubmission(engine: Engine, client: Client, open: OpenSubmission): void {
  closeSubmission(engine, client, open);
  if (open.account !== undefined) fillWindow(engine, client, open.account);
}

function closeSubmission(engine: Engine, client: Client, open: OpenSubmission): void {
  if (open.timer !== undefined) engine.foreground -= 1;
  client.open.delete(open.id);
  if (open.cancellation !== undefined) client.cancelled.delete(open.cancellation.id);
  if (open.account !== undefined) client.wallet(open.account).openCount -= 1;
}
