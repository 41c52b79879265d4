/**
 * Application of decided slots in the order of their sequence, once content, warrants and funds are here (protocol 3.1,
 * 5; 4.3), and the state that follows from ledger and records: due operations (protocol 4.1), and after a restart or a
 * state transfer barriers, pending operations, cancellations and equivocation proofs (protocol 11.2; 4.2).
 */
import { assert, requireDefined } from "../../base/assert.ts";
import type { Address, Millis, Nonce } from "../../base/ids.ts";
import { isCancellation, isRecovery, type OperationId, type SignedOperation } from "../../base/operation.ts";
import type { Receipt } from "../../base/refusal.ts";
import { type LedgerSlot, parseSlotKey, type Slot, sequencePrefix, slotAt, slotKey } from "../../base/slot.ts";
import type { SlotState } from "../../consensus/slot-state.ts";
import type { ApplyResult } from "../../ledger/apply-result.ts";
import { dueOperations } from "../../ledger/authorised.ts";
import { multisigAddress } from "../../ledger/multisig.ts";
import { effectSlotOf, tokenOfOperation } from "../../ledger/operations/kinds.ts";
import { accountOf, owedFees } from "../../ledger/state.ts";
import { barrierOf } from "../check-content.ts";
import { type Decision, isLedgerContent, type LedgerContent } from "../content.ts";
import { OWNERS_TURN_MS } from "../limits.ts";
import { isReasonCharged, moveReasons } from "../mempool/budget.ts";
import { addPending, finishFinal, finishNonce, operationsFor, pendingFor, pendingOf } from "../mempool/pending.ts";
import type { SlotReason } from "../message.ts";
import { isSettled, nextSlot } from "../slot-position.ts";
import type { ValidatorState } from "../state.ts";
import { coverage, halt, type StepContext, setTimer, wake } from "../step-context.ts";
import { recordApplied, requestCredits } from "../sync/sync.ts";
import { reasonsOf } from "./reason-check.ts";
import { startProofWait, storeCancellationPair } from "./round-change-reasons.ts";
import { decisionToApply, raiseBarrier } from "./slots.ts";

/** Applies a decided slot if it is next and nothing is missing; follow-up work goes on the agenda. */
export function applyDecided(context: StepContext, slot: LedgerSlot): void {
  const { state } = context;
  const decision = decisionToApply(context, slot, isLedgerContent);
  if (decision === undefined) return;
  const applied = tryToApply(state, slot, decision.content);
  if (applied.outcome === "impossible") {
    halt(context, slot, applied.reason);
    return;
  }
  if (applied.outcome === "waiting") {
    if (applied.missing.code === "business_insufficient_funds") coverage(context, "decision waited for funds");
    // Others have applied the credits, the creation of its account, or the slot that authorised it.
    requestCredits(context);
    return;
  }
  applyToState(context, slot, decision.content, decision, applied);
}

/** Returns the ledger after a slot, or what it still lacks here, or why it is impossible. Changes nothing. */
export function tryToApply(state: ValidatorState, slot: LedgerSlot, content: LedgerContent): ApplyResult {
  const { rules } = state.environment;
  return rules.ledger.apply(state.ledger, slot, content.value, content.operations[0], rules.ledger);
}

/** Applies a slot. `proof` decides it, or a checkpoint that lists it. */
export function applyToState(
  context: StepContext,
  slot: LedgerSlot,
  content: LedgerContent,
  proof: Decision,
  applied: Extract<ApplyResult, { outcome: "applied" }>,
): void {
  const { state } = context;
  const nonce = slot.kind === "account" ? accountOf(state.ledger, slot.address).nonce : undefined;
  state.ledger = applied.state;
  recordApplied(context, slot);
  context.outputs.push({
    type: "event",
    event: { type: "applied", slot, value: content.value, content, receipts: applied.receipts },
  });
  carryReasons(state, slot, content);
  if (slot.kind === "account" && nonce !== undefined) afterAccountSlot(context, slot.address, content, nonce);
  else if (slot.kind === "token") afterTokenSlot(context, slot, content);
  for (const receipt of applied.receipts) finishOperation(context, receipt, proof, content);
  if (state.ledger.parameters.checkpoints !== undefined) context.agenda.push({ do: "checkpoint" });
  if (slot.kind === "account") wake(context, slot.address);
}

/**
 * A forced burn leaves the nonce open: a cancellation or a proof for it is a reason in the next slot, too (protocol
 * 3.2). A proof that came from this validator's own record is not: who still wants a recovery shows it again.
 */
function carryReasons(state: ValidatorState, slot: LedgerSlot, { value }: LedgerContent): void {
  const reasons = reasonsOf(state, slot);
  state.slots.reasons.delete(slotKey(slot));
  if (slot.kind !== "account" || value.type !== "burn") return;
  const next = slotAt(slot, slot.sequence + 1);
  const { isReasonValid } = state.environment.rules.validator;
  const isWanted = ({ kind }: SlotReason): boolean =>
    kind !== "equivocation" ||
    isReasonCharged(state, slotKey(slot), kind) ||
    pendingOf(state, slot.address).some(({ submission }) => isRecovery(submission));
  const ofNonce = reasons.filter((reason) => isWanted(reason) && isReasonValid(state, next, reason));
  // After a restart the record of the next slot has brought its own.
  if (ofNonce.length === 0 || reasonsOf(state, next).length > 0) return;
  state.slots.reasons.set(slotKey(next), ofNonce);
  moveReasons(state, slotKey(slot), slotKey(next));
}

function finishOperation(context: StepContext, receipt: Receipt, proof: Decision, content: LedgerContent): void {
  context.state.slots.dueSince.delete(receipt.id);
  if (!receipt.success) {
    if (parseSlotKey(receipt.slot).kind === "token") coverage(context, "token operation failed");
    if (receipt.error?.code === "business_allowance_exceeded") coverage(context, "allowance exceeded in a race");
    if (receipt.error?.code === "business_missing_role") coverage(context, "role lost in a race");
  }
  const { operationId } = context.state.environment.hashes;
  // A recovery is no operation of its own; the two in its proof have its account and nonce.
  const signed = content.operations.find((operation) => operationId(operation) === receipt.id) ?? content.operations[0];
  finishFinal(context, receipt, requireDefined(signed, `operation ${receipt.id}`), proof);
}

function afterAccountSlot(
  context: StepContext,
  address: Address,
  { value, operations }: LedgerContent,
  nonce: Nonce,
): void {
  const { state } = context;
  assert(value.type !== "list", "an account slot decides no list");
  if (value.type === "burn") {
    if (value.outcome === "paused") coverage(context, "forced burn of a paused token");
    else coverage(context, value.outcome === "burned" ? "forced burn" : "forced burn failed");
    const [forced] = operations as [SignedOperation];
    beginOwnersTurn(context, address, forced.sender, nonce);
    if (value.outcome === "burned") wakeAffectedAccounts(context, forced);
    return;
  }
  dropOwnersTurn(state, address);
  finishNonce(context, address, nonce, value.id);
  if (value.type === "skip") {
    coverage(context, value.by === "cancellation" ? "skip by cancellation" : "skip by recovery");
    if (value.feeToken !== undefined && owedFees(state.ledger, address, value.feeToken) > 0n)
      coverage(context, "fee of a skip owed");
    return;
  }
  const [signed] = operations as [SignedOperation];
  setDue(context, value.id, signed);
  if (effectSlotOf(signed).kind === "own") wakeAffectedAccounts(context, signed);
}

/**
 * Begins the owner's turn after a burn that displaced an operation of the owner. What cannot be decided now does not
 * count: an owner without funds would hold up every burn by asking for a payment.
 */
function beginOwnersTurn(context: StepContext, address: Address, authority: Address, nonce: Nonce): void {
  const { state } = context;
  const isDisplaced = isDecidable(state, address, nonce);
  const until = (isDisplaced ? context.at + OWNERS_TURN_MS : context.at) as Millis;
  state.slots.ownersTurns.set(address, { until, authority });
  if (!isDisplaced) return;
  coverage(context, "operation displaced");
  setTimer(context, { kind: "turn", account: address }, OWNERS_TURN_MS);
}

/**
 * Returns true if an operation that is pending for the owner's next nonce gets votes here, or if it is pending with its
 * cancellation. In a new slot nobody has voted, so a proof recovers nothing yet.
 */
function isDecidable(state: ValidatorState, address: Address, nonce: Nonce): boolean {
  const { ledger: rules } = state.environment.rules;
  const operations = operationsFor(state, address, nonce);
  if (operations.length > 0 && pendingFor(state, address, nonce).some(({ submission }) => isCancellation(submission)))
    return true;
  return operations.some(
    (signed) => rules.checkVote(state.ledger, barrierOf(state), signed, rules).answer === "accept",
  );
}

/** Ends the owner's turn. The authority of the last burn is kept while any burn is due. */
function dropOwnersTurn(state: ValidatorState, address: Address): void {
  const turn = state.slots.ownersTurns.get(address);
  if (turn === undefined) return;
  const isDue = dueOperations(state.ledger, nextSlot(state, address)).length > 0;
  if (isDue) state.slots.ownersTurns.set(address, { ...turn, until: 0 as Millis });
  else state.slots.ownersTurns.delete(address);
}

/** Wakes the accounts that an effect in an account slot credited or created (protocol 4.3). */
function wakeAffectedAccounts(context: StepContext, { operation }: SignedOperation): void {
  if (operation.kind === "payment" || operation.kind === "clawback") wake(context, operation.recipient);
  else if (operation.kind === "batch") {
    const { operator, policies } = context.state.ledger;
    const credited = new Set(operation.legs.map(({ recipient }) => recipient));
    for (const address of policies.batchFees === "operator" ? credited.add(operator) : credited) wake(context, address);
  } else if (operation.kind === "multisig") wake(context, multisigAddress(operation));
}

function afterTokenSlot(context: StepContext, slot: Slot & { kind: "token" }, { operations }: LedgerContent): void {
  const { state, agenda } = context;
  // protocol 4.2, Barrier: dropped exactly when that version is applied, with any decision.
  state.slots.barriers.delete(slotKey(slot));
  for (const { operation } of operations)
    if (operation.kind === "mint" || operation.kind === "bridgeMint") wake(context, operation.recipient);
  // Under a pause, and after it, a due burn ends otherwise (protocol 5).
  if (operations.some(({ operation }) => operation.kind === "pause"))
    for (const { signed } of state.ledger.authorised.values()) {
      const target = effectSlotOf(signed);
      if (target.kind === "account" && tokenOfOperation(signed.operation) === slot.token) wake(context, target.address);
    }
  agenda.push({ do: "judgeAgain", prefix: sequencePrefix(slot) }, { do: "token", token: slot.token });
}

/** Marks an authorised operation as due, in the next slot of its token or of the account that it debits. */
export function setDue(context: StepContext, id: OperationId, signed: SignedOperation): void {
  const { state, agenda } = context;
  const target = effectSlotOf(signed);
  if (target.kind === "own") return;
  if (!state.slots.dueSince.has(id)) state.slots.dueSince.set(id, context.at);
  if (target.kind === "token") agenda.push({ do: "token", token: target.token });
  else wake(context, target.address);
}

/**
 * Continues with all due operations of the state, after a restart, a state transfer or an epoch's end. A token that
 * waits for its issue is among them, and is in no list of tokens.
 */
export function openDueSlots(context: StepContext): void {
  for (const { id, signed } of context.state.ledger.authorised.values()) setDue(context, id, signed);
}

/**
 * Derives what the records of unapplied slots imply, before anything is applied or answered. A token slot that is
 * decided and not applied has its barrier too: at least q - f honest validators committed to it, each of them holds the
 * barrier until it applies that version, and the remaining ones are fewer than a quorum.
 */
export function deriveState(context: StepContext): void {
  const { state } = context;
  for (const record of state.slots.records.values()) {
    if (record.epoch !== state.ledger.epoch || isSettled(state, record.slot)) continue;
    for (const { value } of record.commits) raiseBarrier(context, record.slot, value);
    if (record.decided === undefined) deriveOpenSlot(context, record);
  }
}

/** Its operations are pending again, and its reasons to leave round 0 still count. */
function deriveOpenSlot(context: StepContext, { slot, votes, commits, lock }: SlotState): void {
  const { state } = context;
  for (const named of [...votes, ...commits, lock]) {
    const content = named && state.slots.contents.get(named.value);
    const [signed] = content?.value.type === "operation" ? content.operations : [];
    if (signed !== undefined) addPending(context, signed, { disclosed: true, isEntry: false });
  }
  for (const reason of reasonsOf(state, slot)) {
    if (reason.kind === "cancellation") storeCancellationPair(context, reason);
    if (reason.kind === "equivocation") startProofWait(context, slot);
  }
}
