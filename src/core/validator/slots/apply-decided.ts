/** Decided slots take effect in the order of their sequence, as soon as content, warrants and funds are here (protocol 3.1, 5; 4.3). */
import { assert, present } from "../../base/assert.ts";
import type { Address, Millis, Nonce } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import type { Receipt } from "../../base/receipt.ts";
import type { Refusal } from "../../base/refusal.ts";
import { type LedgerSlot, parseSlotKey, type Slot, sequencePrefix, slotAt, slotKey } from "../../base/slot.ts";
import { takeFinality } from "../../consensus/agreement.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { Applied } from "../../ledger/applied.ts";
import { applyRules } from "../../ledger/apply.ts";
import { accountOf, dueFor, isNext } from "../../ledger/state.ts";
import type { Turn } from "../agenda.ts";
import { halt } from "../halt.ts";
import { ownersTurn } from "../limits.ts";
import { pendingFor } from "../mempool/pending.ts";
import { mark, setTimer } from "../speak.ts";
import type { FinalProof, ValidatorState } from "../state.ts";
import { askForCredits, contentOfDecision, noteApplied } from "../sync/sync.ts";
import { isLedgerContent, type LedgerContent } from "./content.ts";
import { becomeDue } from "./due.ts";
import { endFinal, endNonce } from "./endings.ts";
import { onSlot, persist, reasonsOf, slotState } from "./slots.ts";

/** Applies a decided slot if it is the next of its sequence and nothing is missing; what becomes possible goes on the agenda. */
export function applyDecided(turn: Turn, slot: LedgerSlot): void {
  const { state } = turn;
  const certificate = slotState(state, slot).decided;
  if (certificate === undefined || !isNext(state.ledger, slot)) return;
  const content = contentOfDecision(turn, certificate);
  if (content === undefined) {
    stall(turn, slot);
    return;
  }
  if (!isLedgerContent(content)) {
    halt(turn, slot, `it decides a ${content.value.type}`);
    return;
  }
  const applied = tryToApply(state, slot, content);
  if (applied.outcome === "impossible") {
    halt(turn, slot, applied.reason);
    return;
  }
  if (applied.outcome === "waiting") {
    stall(turn, slot);
    lackFor(turn, content, applied.missing);
    return;
  }
  takeEffect(turn, slot, content, { certificate, content }, applied);
}

/** Returns the ledger after a slot, or what that still lacks here, or why it cannot be. Changes nothing. */
export function tryToApply(state: ValidatorState, slot: LedgerSlot, content: LedgerContent): Applied {
  const { rules, hashes } = state.environment;
  const memoised = { ...applyRules, operationId: hashes.operationId };
  return rules.ledger.apply(state.ledger, slot, content.value, content.operations[0], memoised);
}

/** A slot takes effect. `proof` decides it, or a checkpoint that lists it. */
export function takeEffect(
  turn: Turn,
  slot: LedgerSlot,
  content: LedgerContent,
  proof: FinalProof,
  applied: Extract<Applied, { outcome: "applied" }>,
): void {
  const { state } = turn;
  const nonce = slot.kind === "account" ? accountOf(state.ledger, slot.address).nonce : undefined;
  state.ledger = applied.state;
  // What came after its certificate was made durable, such as the content, becomes durable now.
  if (state.stalled.has(slotKey(slot))) persist(turn, slot);
  state.stalled = state.stalled.delete(slotKey(slot));
  noteApplied(turn, slot);
  turn.outputs.push({
    type: "event",
    event: { type: "applied", slot, value: content.value, content, receipts: applied.receipts },
  });
  if (slot.kind === "account" && nonce !== undefined) afterAccountSlot(turn, slot.address, content, nonce);
  else if (slot.kind === "token") afterTokenSlot(turn, slot, content);
  for (const receipt of applied.receipts) conclude(turn, receipt, proof, content);
  carryReasons(state, slot, content);
  goOn(turn, slot);
}

/** A forced burn leaves the nonce open: a cancellation or a proof for it is a reason in the next slot, too (protocol 3.2). */
function carryReasons(state: ValidatorState, slot: LedgerSlot, { value }: LedgerContent): void {
  const ofNonce = reasonsOf(state, slot).filter(({ kind }) => kind === "cancellation" || kind === "equivocation");
  state.reasons = state.reasons.delete(slotKey(slot));
  if (slot.kind === "account" && value.type === "burn" && ofNonce.length > 0)
    state.reasons = state.reasons.set(slotKey(slotAt(slot, slot.sequence + 1)), ofNonce);
}

function conclude(turn: Turn, receipt: Receipt, proof: FinalProof, content: LedgerContent): void {
  turn.state.dueSince = turn.state.dueSince.delete(receipt.id);
  if (!receipt.success) {
    if (parseSlotKey(receipt.slot).kind === "token") mark(turn, "token operation failed");
    if (receipt.error?.code === "business_allowance_exceeded") mark(turn, "allowance ran out in a race");
    if (receipt.error?.code === "business_missing_role") mark(turn, "role lost in a race");
  }
  const { operationId } = turn.state.environment.hashes;
  // A recovery is no operation of its own; those that it shows have its account and nonce.
  const signed = content.operations.find((one) => operationId(one) === receipt.id) ?? content.operations[0];
  const { sender: account, operation } = present(signed, `operation ${receipt.id}`);
  endFinal(turn, receipt, { account, nonce: operation.nonce }, proof);
}

function stall(turn: Turn, slot: Slot): void {
  turn.state.stalled = turn.state.stalled.set(slotKey(slot), true);
}

/** What a decision lacks: credits that others have applied (4.3), or the decision that authorised it. */
function lackFor(turn: Turn, content: LedgerContent, missing: Refusal): void {
  if (missing.code === "business_insufficient_funds") {
    mark(turn, "decision waited for funds");
    askForCredits(turn);
    return;
  }
  for (const certificate of content.certificates) takeWarrant(turn, certificate, content);
}

/** A warrant is the decision of an account slot whose content is the operation itself. */
function takeWarrant(turn: Turn, certificate: FinalityCertificate, { operations }: LedgerContent): void {
  const { state } = turn;
  const { hashes, self } = state.environment;
  // The closing that opened the epoch warrants what was authorised before, which is applied here.
  if (certificate.slot.kind === "epoch") return;
  for (const signed of operations) {
    const value = hashes.operationValue(signed);
    if (hashes.value(value) !== certificate.value) continue;
    if (!state.contents.has(certificate.value)) {
      state.contents = state.contents.set(certificate.value, { value, operations: [signed], certificates: [] });
      turn.agenda.push({ do: "content", value: certificate.value });
    }
    onSlot(turn, certificate.slot, self, (context, transition) =>
      takeFinality(context, transition, certificate, false),
    );
  }
}

function afterAccountSlot(turn: Turn, address: Address, { value, operations }: LedgerContent, nonce: Nonce): void {
  const { state } = turn;
  assert(value.type !== "list", "an account slot decides no list");
  if (value.type === "burn") {
    mark(turn, value.outcome === "burned" ? "forced burn" : "forced burn failed");
    beginOwnersTurn(turn, address, (operations[0] as SignedOperation).sender, nonce);
    return;
  }
  forgetOwnersTurn(state, address);
  endNonce(turn, address, nonce, value.id);
  if (value.type === "skip") {
    mark(turn, value.by === "cancellation" ? "skip by cancellation" : "skip by recovery");
    if (value.feeToken !== undefined && value.feeStep !== "full") mark(turn, "skip at a lower fee step");
    return;
  }
  afterOperation(turn, operations[0] as SignedOperation, value.id);
}

/** A burn gives the owner a turn before the next one: longer each time that the owner wanted something and was displaced. */
function beginOwnersTurn(turn: Turn, address: Address, authority: Address, nonce: Nonce): void {
  const { state } = turn;
  const isDisplaced = pendingFor(state, address, nonce).length > 0;
  if (isDisplaced) mark(turn, "operation displaced");
  const displaced = isDisplaced ? (state.turns.get(address)?.displaced ?? 0) + 1 : 0;
  const length = ownersTurn(displaced);
  state.turns = state.turns.set(address, { until: (turn.at + length) as Millis, displaced, authority });
  setTimer(turn, `turn ${address}`, length);
}

/** The owner has had its turn. Whose burn was last is kept while any is due. */
function forgetOwnersTurn(state: ValidatorState, address: Address): void {
  const known = state.turns.get(address);
  if (known === undefined) return;
  const { sequence } = accountOf(state.ledger, address);
  const isDue = dueFor(state.ledger, { kind: "account", address, sequence }).length > 0;
  state.turns = isDue
    ? state.turns.set(address, { ...known, until: 0 as Millis, displaced: 0 })
    : state.turns.delete(address);
}

/** Credits let others go on; an authorised operation is due in the slot of its effect (protocol 4.1). */
function afterOperation(turn: Turn, signed: SignedOperation, id: Receipt["id"]): void {
  becomeDue(turn, id, signed);
  if (signed.operation.kind === "payment") credited(turn, signed.operation.recipient);
}

function afterTokenSlot(turn: Turn, slot: Slot & { kind: "token" }, { operations }: LedgerContent): void {
  const { state, agenda } = turn;
  // protocol 4.2, Barrier: dropped exactly when that version is applied, whatever was decided.
  state.barriers = state.barriers.delete(slotKey(slot));
  for (const { operation } of operations) if (operation.kind === "mint") credited(turn, operation.recipient);
  agenda.push({ do: "judgeAgain", prefix: "" }, { do: "token", token: slot.token });
}

function credited(turn: Turn, address: Address): void {
  turn.agenda.push({ do: "judgeAgain", prefix: `account/${address}/` }, { do: "advance", address });
}

function goOn(turn: Turn, slot: LedgerSlot): void {
  if (turn.state.ledger.parameters.checkpoints !== undefined) turn.agenda.push({ do: "checkpoint" });
  if (slot.kind === "account") {
    turn.agenda.push({ do: "judgeAgain", prefix: sequencePrefix(slot) }, { do: "advance", address: slot.address });
  }
}
