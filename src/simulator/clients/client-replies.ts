/** Client logic for replies (protocol 9.1). */
import type { Address, Epoch, Nonce } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { Engine } from "../engine.ts";
import { fireTriggers } from "../network/triggers.ts";
import { type NodeName, VOID_RETRIES_MAX } from "../settings.ts";
import type { Client, OpenSubmission } from "./client.ts";
import { fillWindow, submitAgain } from "./run-client.ts";

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
