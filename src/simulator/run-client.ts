/**
 * Clients at work. A correct one signs one operation for a nonce, ever; retries with the same bytes; and after doubt
 * signs only the cancellation of that nonce (design 4.2).
 */
import { present, unreachable } from "../core/base/assert.ts";
import type { Address, Nonce } from "../core/base/ids.ts";
import { isRecovery, type Operation, type OperationId, type Submission } from "../core/base/operation.ts";
import { digits } from "../core/base/slot.ts";
import { submissionId } from "../core/ledger/identity.ts";
import type { Reply } from "../core/validator/output.ts";
import { type Client, EMPTY_WALLET, type Open, type Wallet } from "./client.ts";
import type { Engine } from "./engine.ts";
import { dequeue, enqueue } from "./fifo.ts";
import { KIND } from "./kinds.ts";
import { TIMEOUT_GROWTH_MAX } from "./limits.ts";
import type { Draft, NodeName } from "./plan.ts";
import { transmit } from "./transmit.ts";
import { notify } from "./triggers.ts";

/**
 * Submits what is signed already. A scripted client sends it and forgets it; a correct one follows it up.
 * @throws RangeError where a correct client is told to submit a second operation for a nonce.
 */
export function submit(engine: Engine, client: Client, submission: Submission, to: readonly NodeName[]): void {
  const id = submissionId(submission);
  if (client.plan.behaviour === "correct" && !client.open.has(id)) follow(engine, client, id, submission, to);
  for (const node of to) send(engine, client, id, submission, node);
}

/** Asks the wallet of a correct client for an operation. It waits until the account's window has a free place. */
export function order(engine: Engine, client: Client, account: Address, draft: Draft): void {
  const wallet = client.wallets.get(account) ?? EMPTY_WALLET;
  client.wallets = client.wallets.set(account, { ...wallet, waiting: enqueue(wallet.waiting, draft) });
  fillWindow(engine, client, account);
}

/** Cancels an open operation now. Nothing happens where that nonce is not open. */
export function cancel(engine: Engine, client: Client, account: Address, nonce: Nonce): void {
  const id = client.signed.get(nonceKey(account, nonce));
  const open = id === undefined ? undefined : client.open.get(id);
  if (open !== undefined) sendAll(engine, client, withCancellation(engine, client, open), [client.plan.home]);
}

/** Patience is at an end: the same bytes to f + 1 validators, in turn; after too many tries a cancellation. */
export function loosePatience(engine: Engine, client: Client, id: OperationId): void {
  const open = client.open.get(id);
  if (open === undefined) return;
  const { cancelAfter, giveUpAfter } = client.plan;
  if (open.tries >= giveUpAfter) {
    client.open = client.open.set(id, { ...open, timer: undefined });
    return;
  }
  const doubts = cancelAfter > 0 && open.tries >= cancelAfter;
  const now = doubts ? withCancellation(engine, client, open) : open;
  const asked = doorsFor(engine, client, open.tries);
  const waiting = wait(engine, client, {
    ...now,
    tries: open.tries + 1,
    asked: [...new Set([...open.asked, ...asked])],
  });
  sendAll(engine, client, waiting, asked);
}

/** A reply has reached its client. */
export function receiveReply(engine: Engine, client: Client, from: NodeName, id: OperationId, reply: Reply): void {
  const { believe } = engine.ground.plan;
  const quorum = reply.status === "final" ? (believe?.(reply) ?? 0) : 0;
  engine.listener.answered?.(client.name, id, from, reply, quorum);
  if (engine.armed.length > 0) notify(engine, { on: "answered", client: client.name, id, reply });
  const open = client.open.get(client.cancelled.get(id) ?? id);
  if (open === undefined) return;
  switch (reply.status) {
    case "pending":
      return;
    case "final":
      // Without a proof it is a claim, and claims settle nothing.
      if (reply.receipt.id === id && (believe === undefined || quorum > 0)) settle(engine, client, open);
      return;
    case "superseded":
      heedSuperseded(engine, client, open, from);
      return;
    case "refused":
      if (!reply.shown && id === open.id) heedRefusal(engine, client, open, from);
      return;
    default:
      unreachable(reply);
  }
}

/** One validator may lie; f + 1 that say the same include an honest one. */
function heedSuperseded(engine: Engine, client: Client, open: Open, from: NodeName): void {
  if (open.superseders.includes(from)) return;
  const told: Open = { ...open, superseders: [...open.superseders, from] };
  client.open = client.open.set(open.id, told);
  if (told.superseders.length > engine.ground.plan.faulty) settle(engine, client, told);
}

/** Nobody else has seen it, if that validator is honest: a client that trusts it has its nonce back. */
function heedRefusal(engine: Engine, client: Client, open: Open, from: NodeName): void {
  const isOnlyOne = open.tries === 1 && open.asked.length === 1 && open.asked[0] === from;
  const wallet = client.wallets.get(open.wallet);
  if (client.plan.onRefusal !== "reuse" || !isOnlyOne || wallet === undefined) return;
  const isLast = wallet.nextNonce === open.nonce + 1;
  if (!isLast || open.cancellation !== undefined) return;
  client.wallets = client.wallets.set(open.wallet, { ...wallet, nextNonce: open.nonce });
  client.signed = client.signed.delete(nonceKey(open.wallet, open.nonce));
  settle(engine, client, open);
}

function settle(engine: Engine, client: Client, open: Open): void {
  if (open.timer !== undefined) engine.foreground -= 1;
  client.open = client.open.delete(open.id);
  if (open.cancellation !== undefined) client.cancelled = client.cancelled.delete(open.cancellation.id);
  const wallet = client.wallets.get(open.wallet);
  if (wallet === undefined) return;
  client.wallets = client.wallets.set(open.wallet, { ...wallet, openCount: wallet.openCount - 1 });
  fillWindow(engine, client, open.wallet as Address);
}

function fillWindow(engine: Engine, client: Client, account: Address): void {
  for (;;) {
    const wallet = client.wallets.get(account) ?? EMPTY_WALLET;
    const first = wallet.openCount < client.plan.window ? dequeue(wallet.waiting) : undefined;
    if (first === undefined) return;
    client.wallets = client.wallets.set(account, { ...wallet, waiting: first.rest });
    const operation = { ...first.item, nonce: wallet.nextNonce } as Operation;
    submit(engine, client, sign(engine, account, operation), [client.plan.home]);
  }
}

/** Remembers a submission until it is settled. */
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
  // A cancellation that comes after its operation has ended is late, but no equivocation (design 3.0).
  if (operation.kind !== "cancellation" || signedId === undefined) noteSigned(client, sender, operation.nonce, id);
  const wallet = client.wallets.get(sender) ?? EMPTY_WALLET;
  const nextNonce = Math.max(wallet.nextNonce, operation.nonce + 1) as Nonce;
  const busy: Wallet = { ...wallet, nextNonce, openCount: wallet.openCount + 1 };
  client.wallets = client.wallets.set(sender, busy);
  wait(engine, client, opened(id, sender, operation.nonce, submission, to));
}

function opened(
  id: OperationId,
  wallet: string,
  nonce: Nonce,
  submission: Submission,
  asked: readonly NodeName[],
): Open {
  return { id, wallet, nonce, submission, asked, tries: 1, cancellation: undefined, superseders: [], timer: undefined };
}

/** A correct client equivocates never: a second operation for a nonce is an error of whoever wrote the plan. */
function noteSigned(client: Client, account: string, nonce: Nonce, id: OperationId): void {
  const key = nonceKey(account, nonce);
  const known = client.signed.get(key);
  if (known !== undefined && known !== id) {
    throw new RangeError(
      `client "${client.name}" is correct and has signed ${known} for nonce ${nonce}; got ${id} too`,
    );
  }
  client.signed = client.signed.set(key, id);
}

function withCancellation(engine: Engine, client: Client, open: Open): Open {
  const { submission } = open;
  if (open.cancellation !== undefined || isRecovery(submission)) return open;
  const { operation, sender } = submission;
  if (operation.kind === "cancellation") return open;
  const { layout, chainId, nonce } = operation;
  const cancellation = sign(engine, sender, { kind: "cancellation", layout, chainId, nonce });
  attachCancellation(client, open, submissionId(cancellation), cancellation);
  return present(client.open.get(open.id), "open operation");
}

function attachCancellation(client: Client, open: Open, id: OperationId, submission: Submission): void {
  client.open = client.open.set(open.id, { ...open, cancellation: { id, submission } });
  client.cancelled = client.cancelled.set(id, open.id);
}

/** Begins to wait for an answer, longer with each try. */
function wait(engine: Engine, client: Client, open: Open): Open {
  const growth = Math.min(2 ** (open.tries - 1), TIMEOUT_GROWTH_MAX);
  const at = engine.now + client.plan.timeoutMs * growth;
  const timer = engine.schedule(at, { type: "patience", client: client.name, id: open.id });
  const waiting = { ...open, timer };
  client.open = client.open.set(open.id, waiting);
  return waiting;
}

/** The operation, and its cancellation beside it: a validator that lacks one of them gets the pair. */
function sendAll(engine: Engine, client: Client, open: Open, to: readonly NodeName[]): void {
  for (const node of to) {
    send(engine, client, open.id, open.submission, node);
    if (open.cancellation !== undefined) {
      send(engine, client, open.cancellation.id, open.cancellation.submission, node);
    }
  }
}

function send(engine: Engine, client: Client, id: OperationId, submission: Submission, node: NodeName): void {
  engine.trace.note(KIND.submitted, client.index, id);
  engine.listener.submitted?.(client.name, id, submission, node, client.plan.behaviour === "correct");
  transmit(engine, client.index, engine.index(node), { type: "submit", submission, id });
}

/** f + 1 validators, one after the other in the plan's order, from the home on. */
function doorsFor(engine: Engine, client: Client, tries: number): readonly NodeName[] {
  const { doors, plan } = engine.ground;
  const count = Math.min(plan.faulty + 1, doors.length);
  const first = Math.max(doors.indexOf(client.plan.home), 0) + (tries - 1) * count;
  return Array.from({ length: count }, (_, index) => doors[(first + index) % doors.length] as NodeName);
}

function sign(engine: Engine, account: Address, operation: Operation): Submission {
  const { keyring } = engine.ground.plan;
  if (keyring === undefined) throw new RangeError("client: the plan has no keyring, so no wallet can sign");
  return keyring.sign(account, operation);
}

function nonceKey(account: string, nonce: Nonce): string {
  return `${account} ${digits(nonce)}`;
}
