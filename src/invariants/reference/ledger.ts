/**
 * Independent, sequential model of the ledger (protocol 4, 5): effects of decided slots and rules for votes. Imports base
 * vocabulary and hashes only, and shares nothing with the core's ledger. Applying one operation costs O(1).
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import type {
  BatchPayment,
  BridgeBurn,
  Burn,
  Clawback,
  OperationId,
  Payment,
  SignedOperation,
} from "../../core/base/operation.ts";
import type {
  AccountSlot,
  BurnValue,
  LedgerSlot,
  LedgerValue,
  ListValue,
  SkipValue,
  TokenSlot,
} from "../../core/base/slot.ts";
import { accountEffectRefusals, accountRefusals, commonRefusals, isFunded, warrantRefusals } from "./account-rules.ts";
import { multisigAddress } from "./addresses.ts";
import { feeEntry, feePayee, skipFee, spentAmount } from "./epoch.ts";
import { debitedAccount, effectSlotOf, isCancellation, isSpending } from "./operation-meaning.ts";
import {
  addToTotal,
  authorise,
  beginDecision,
  charge,
  countersOf,
  credit,
  execute,
  type LedgerState,
  setCounters,
  setToken,
  tokenStateOf,
  withSignerSet,
} from "./state.ts";
import { listRefusals, policyAfter, policyRefusals, tokenEffectRefusals } from "./token-rules.ts";

/** Receipt that the model expects. `reasons` holds every acceptable error code. */
export interface ModelReceipt {
  readonly id: OperationId;
  readonly success: boolean;
  readonly fee: bigint;
  readonly feeToken: Address | undefined;
  /** Number of the burns to other chains before this one; absent in other receipts. */
  readonly bridgeNonce?: number;
  readonly reasons: readonly string[];
}

export interface ModelResult {
  readonly receipts: readonly ModelReceipt[];
  /** Faults of the decision, policies aside; empty if it is valid. */
  readonly problems: readonly string[];
}

/**
 * Applies a decided slot to the state, and returns the receipts. Voters check the policies of account slots, not this function
 * (protocol 4.2).
 */
export function applySlot(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  operations: readonly SignedOperation[],
): ModelResult {
  beginDecision(state);
  if (slot.kind === "token") {
    if (value.type !== "list") return { receipts: [], problems: ["a token's slot decides a list"] };
    return applyList(state, slot, value);
  }
  switch (value.type) {
    case "operation":
      return applyOperation(state, slot, value.id, operations[0]);
    case "burn":
      return applyBurn(state, slot, value);
    case "skip":
      return applySkip(state, slot, value, operations);
    case "list":
      return { receipts: [], problems: ["an account's slot decides no list"] };
    default:
      return unreachable(value);
  }
}

/** Returns the rules that forbid a vote for a value in this state; empty if it is allowed (protocol 3.1 b, 4.2). */
export function voteRefusals(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  operations: readonly SignedOperation[],
): readonly string[] {
  if (slot.kind === "account") return accountRefusals(state, slot, value, operations);
  return value.type === "list" ? listRefusals(state, slot, value) : ["a token's slot decides a list"];
}

/** Returns a refusal if earlier slots of the sequence are not applied yet (protocol 3.1, 1a). */
export function effectRefusals(state: LedgerState, slot: LedgerSlot): readonly string[] {
  return slot.kind === "account" ? accountEffectRefusals(state, slot) : tokenEffectRefusals(state, slot);
}

function applyOperation(
  state: LedgerState,
  slot: AccountSlot,
  id: OperationId,
  signed: SignedOperation | undefined,
): ModelResult {
  if (signed === undefined) return { receipts: [], problems: ["the operation is unknown"] };
  const { operation, sender } = signed;
  const problems = [...placeProblems(state, slot), ...commonRefusals(state, slot.address, signed)];
  if (sender !== slot.address) problems.push("it was signed by another account");
  if (isCancellation(signed)) problems.push("a cancellation is decided as a skip");
  advanceCounters(state, slot, 1);
  if (effectSlotOf(signed) !== "account") {
    authorise(state, id, signed);
    return { receipts: [], problems };
  }
  if (!isFunded(state, signed)) problems.push("the funds are insufficient");
  if (isSpending(operation)) return { receipts: [spend(state, id, operation, sender)], problems };
  if (operation.kind === "multisig") {
    const account = multisigAddress(operation);
    setCounters(state, account, withSignerSet(countersOf(state, account), operation));
    return { receipts: [freeReceipt(id, [])], problems };
  }
  if (operation.kind === "burn" || operation.kind === "clawback") {
    debitUnits(state, sender, operation);
    return { receipts: [freeReceipt(id, [])], problems };
  }
  return { receipts: [], problems };
}

/** Takes what an operation spends with its fee, and hands it to its recipients or burns it. */
function spend(
  state: LedgerState,
  id: OperationId,
  operation: Payment | BatchPayment | BridgeBurn,
  sender: Address,
): ModelReceipt {
  const { token } = operation;
  const { fees } = state.epoch.parameters;
  const spent = spentAmount(fees, operation);
  const fee = operation.kind === "bridgeBurn" ? operation.escrowFee : feeEntry(fees, token).payment;
  credit(state, token, sender, -spent);
  const payee = feePayee(operation, state.genesis);
  if (payee === undefined) addToTotal(state, "pool", token, fee);
  else credit(state, token, payee, fee);
  if (operation.kind === "payment") credit(state, token, operation.recipient, operation.value);
  else if (operation.kind === "batch")
    for (const { recipient, amount } of operation.legs) credit(state, token, recipient, amount);
  else {
    addToTotal(state, "burned", token, operation.value);
    return { id, success: true, fee, feeToken: token, bridgeNonce: countBridged(state, sender), reasons: [] };
  }
  return { id, success: true, fee, feeToken: token, reasons: [] };
}

function applyBurn(state: LedgerState, slot: AccountSlot, value: BurnValue): ModelResult {
  const problems = [...placeProblems(state, slot)];
  advanceCounters(state, slot, 0);
  const signed = state.due.get(value.id);
  const operation = signed?.operation;
  if (signed === undefined || (operation?.kind !== "burn" && operation?.kind !== "clawback")) {
    return { receipts: [], problems: [...problems, "no such burn is due"] };
  }
  if (debitedAccount(operation, signed.sender) !== slot.address) problems.push("it burns from another account");
  execute(state, value.id, signed);
  if (value.outcome === "paused") return { receipts: [freeReceipt(value.id, ["business_token_paused"])], problems };
  if (value.outcome === "failed") return { receipts: [freeReceipt(value.id, [UNFUNDED[operation.kind]])], problems };
  if (!isFunded(state, signed)) problems.push("the funds are insufficient");
  debitUnits(state, slot.address, operation);
  return { receipts: [freeReceipt(value.id, [])], problems };
}

function applySkip(
  state: LedgerState,
  slot: AccountSlot,
  value: SkipValue,
  operations: readonly SignedOperation[],
): ModelResult {
  const problems = [...placeProblems(state, slot), ...warrantRefusals(state, slot.address, operations)];
  const fee = skipFee(state.epoch.parameters.fees, value);
  advanceCounters(state, slot, 1);
  const receipts = [{ id: value.id, success: true, fee, feeToken: value.feeToken, reasons: [] }];
  if (value.feeToken !== undefined) charge(state, value.feeToken, slot.address, fee);
  return { receipts, problems };
}

function applyList(state: LedgerState, slot: TokenSlot, value: ListValue): ModelResult {
  const problems = listRefusals(state, slot, value);
  const receipts: ModelReceipt[] = [];
  for (const id of value.ids) {
    const signed = state.due.get(id);
    if (signed === undefined) continue;
    const { policy } = tokenStateOf(state, slot.token);
    const reasons = policyRefusals(policy, signed, state.genesis);
    receipts.push(freeReceipt(id, reasons));
    execute(state, id, signed);
    if (reasons.length === 0) applyEffect(state, slot.token, signed);
  }
  const { version, policy } = tokenStateOf(state, slot.token);
  setToken(state, slot.token, { version: version + 1, policy });
  return { receipts, problems };
}

function applyEffect(state: LedgerState, token: Address, signed: SignedOperation): void {
  const { version, policy } = tokenStateOf(state, token);
  setToken(state, token, { version, policy: policyAfter(policy, signed, state.genesis) });
  const { operation } = signed;
  if (operation.kind === "mint" || operation.kind === "bridgeMint")
    credit(state, token, operation.recipient, operation.value);
}

/** One more decided slot of the account, which uses `nonces` of the owner's nonces; a forced burn uses none. */
function advanceCounters(state: LedgerState, { address }: AccountSlot, nonces: 0 | 1): void {
  const { nonce, sequence, ...rest } = countersOf(state, address);
  setCounters(state, address, { ...rest, nonce: nonce + nonces, sequence: sequence + 1, afterBurn: nonces === 0 });
}

function placeProblems(state: LedgerState, { address, sequence }: AccountSlot): readonly string[] {
  const due = countersOf(state, address).sequence;
  return due === sequence ? NO_PROBLEMS : [`slot ${due} is next`];
}

const NO_PROBLEMS: readonly string[] = [];

const UNFUNDED = { burn: "business_burn_unfunded", clawback: "business_clawback_unfunded" } as const;

/** A burn ends the units, a clawback hands them to its recipient. */
function debitUnits(state: LedgerState, from: Address, operation: Burn | Clawback): void {
  const { token, value } = operation;
  credit(state, token, from, -value);
  if (operation.kind === "burn") addToTotal(state, "burned", token, value);
  else credit(state, token, operation.recipient, value);
}

/** Counts one more burn of the account to another chain, and returns how many there were before. */
function countBridged(state: LedgerState, address: Address): number {
  const counters = countersOf(state, address);
  const { bridgeNonce = 0 } = counters;
  setCounters(state, address, { ...counters, bridgeNonce: bridgeNonce + 1 });
  return bridgeNonce;
}

function freeReceipt(id: OperationId, reasons: readonly string[]): ModelReceipt {
  return { id, success: reasons.length === 0, fee: 0n, feeToken: undefined, reasons };
}
