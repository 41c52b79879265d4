/**
 * Independent, sequential model of the ledger (protocol 4, 5): effects of decided slots and rules for votes. Imports
 * base vocabulary only and shares nothing with the core's ledger. Applying one operation costs O(log n), a copy
 * nothing.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Genesis } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type {
  AccountSlot,
  BurnValue,
  LedgerSlot,
  LedgerValue,
  ListValue,
  SkipValue,
  TokenSlot,
} from "../../core/base/slot.ts";
import { accountEffectRefusals, accountRefusals, formRefusals, isFunded } from "./account-rules.ts";
import { feeEntry, skipFee } from "./epoch.ts";
import { debitedBy, effectSlotOf, isCancellation } from "./operation-meaning.ts";
import {
  authorised,
  type Constants,
  countersOf,
  credited,
  executed,
  type LedgerState,
  tokenStateOf,
  withChanges,
} from "./state.ts";
import { listRefusals, policyAfter, policyRefusals, tokenEffectRefusals } from "./token-rules.ts";

/** Receipt that the model expects. `reasons` holds every acceptable error code. */
export interface ModelReceipt {
  readonly id: OperationId;
  readonly success: boolean;
  readonly fee: bigint;
  readonly feeToken: Address | undefined;
  readonly reasons: readonly string[];
}

export interface ModelResult {
  readonly state: LedgerState;
  readonly receipts: readonly ModelReceipt[];
  /** Faults of the decision, policies aside; empty if it is valid. */
  readonly problems: readonly string[];
}

/**
 * Returns the state and receipts after a decided slot. Voters check the policies of account slots, not this function
 * (protocol 4.2).
 */
export function applySlot(
  state: LedgerState,
  slot: LedgerSlot,
  value: LedgerValue,
  operations: readonly SignedOperation[],
  constants: Constants,
): ModelResult {
  if (slot.kind === "token") {
    if (value.type !== "list") return { state, receipts: [], problems: ["a token's slot decides a list"] };
    return applyList(state, slot, value, constants);
  }
  switch (value.type) {
    case "operation":
      return applyOperation(state, slot, value.id, operations[0], constants);
    case "burn":
      return applyBurn(state, slot, value, constants);
    case "skip":
      return applySkip(state, slot, value, operations, constants);
    case "list":
      return { state, receipts: [], problems: ["an account's slot decides no list"] };
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
  constants: Constants,
): readonly string[] {
  if (slot.kind === "account") return accountRefusals(state, slot, value, operations, constants);
  return value.type === "list" ? listRefusals(state, slot, value, constants) : ["a token's slot decides a list"];
}

/** Returns a refusal if earlier slots of the sequence are not applied yet (protocol 3.1, 1a). */
export function effectRefusals(state: LedgerState, slot: LedgerSlot): readonly string[] {
  return slot.kind === "account" ? accountEffectRefusals(state, slot) : tokenEffectRefusals(state, slot);
}

function applyOperation(
  before: LedgerState,
  slot: AccountSlot,
  id: OperationId,
  signed: SignedOperation | undefined,
  constants: Constants,
): ModelResult {
  if (signed === undefined) return { state: before, receipts: [], problems: ["the operation is unknown"] };
  const { operation, sender } = signed;
  const problems: string[] = [...placeProblems(before, slot), ...formRefusals(before, slot.address, signed, constants)];
  if (sender !== slot.address) problems.push("it was signed by another account");
  if (isCancellation(signed)) problems.push("a cancellation is decided as a skip");
  const state = turned(before, slot, 1);
  if (effectSlotOf(signed) !== "account") {
    return { state: authorised(state, id, signed, constants), receipts: [], problems };
  }
  if (!isFunded(state, signed)) problems.push("the funds are insufficient");
  if (operation.kind === "payment") {
    const fee = feeEntry(before.epoch.parameters.fees, operation.token).payment;
    const paid = credited(state, operation.token, sender, -(operation.value + fee));
    const received = credited(paid, operation.token, operation.recipient, operation.value);
    const receipts = [{ id, success: true, fee, feeToken: operation.token, reasons: [] }];
    return { state: pooled(received, operation.token, fee), receipts, problems };
  }
  if (operation.kind === "burn") {
    return { state: burned(state, operation.token, sender, operation.value), receipts: [free(id, [])], problems };
  }
  return { state, receipts: [], problems };
}

function applyBurn(before: LedgerState, slot: AccountSlot, value: BurnValue, constants: Constants): ModelResult {
  const problems = [...placeProblems(before, slot)];
  const state = turned(before, slot, 0);
  const signed = before.due.get(value.id);
  if (signed === undefined || signed.operation.kind !== "burn") {
    return { state, receipts: [], problems: [...problems, "no such burn is due"] };
  }
  const { token, value: amount } = signed.operation;
  if (debitedBy(signed.operation, signed.sender) !== slot.address) problems.push("it burns from another account");
  const done = executed(state, value.id, signed, constants);
  if (value.outcome === "failed") {
    return { state: done, receipts: [free(value.id, ["business_burn_unfunded"])], problems };
  }
  if (!isFunded(state, signed)) problems.push("the funds are insufficient");
  return { state: burned(done, token, slot.address, amount), receipts: [free(value.id, [])], problems };
}

function applySkip(
  before: LedgerState,
  slot: AccountSlot,
  value: SkipValue,
  operations: readonly SignedOperation[],
  constants: Constants,
): ModelResult {
  const problems = [...placeProblems(before, slot)];
  for (const signed of operations) {
    if (signed.sender !== slot.address) problems.push("its warrant was signed by another account");
    problems.push(...formRefusals(before, slot.address, signed, constants));
  }
  const fee = skipFee(before.epoch.parameters.fees, value, value.feeStep);
  const state = turned(before, slot, 1);
  const receipts = [{ id: value.id, success: true, fee, feeToken: value.feeToken, reasons: [] }];
  if (value.feeToken === undefined) return { state, receipts, problems };
  const paid = credited(state, value.feeToken, slot.address, -fee);
  return { state: pooled(paid, value.feeToken, fee), receipts, problems };
}

function applyList(before: LedgerState, slot: TokenSlot, value: ListValue, constants: Constants): ModelResult {
  const problems = [...listRefusals(before, slot, value, constants)];
  const receipts: ModelReceipt[] = [];
  let state = before;
  for (const id of value.ids) {
    const signed = state.due.get(id);
    if (signed === undefined) continue;
    const { policy } = tokenStateOf(state, slot.token);
    const reasons = policyRefusals(policy, signed, constants.genesis.operator);
    receipts.push(free(id, reasons));
    state = executed(state, id, signed, constants);
    if (reasons.length === 0) state = effected(state, slot.token, signed, constants.genesis);
  }
  const { version, policy } = tokenStateOf(state, slot.token);
  return {
    state: { ...state, tokens: state.tokens.set(slot.token, { version: version + 1, policy }) },
    receipts,
    problems,
  };
}

function effected(state: LedgerState, token: Address, signed: SignedOperation, { openTokens }: Genesis): LedgerState {
  const { version, policy: before } = tokenStateOf(state, token);
  const policy = policyAfter(before, signed, openTokens);
  const after = { ...state, tokens: state.tokens.set(token, { version, policy }) };
  const { operation } = signed;
  return operation.kind === "mint" ? credited(after, token, operation.recipient, operation.value) : after;
}

/** One more decided slot of the account, which uses `nonces` of the owner's nonces; a forced burn uses none. */
function turned(state: LedgerState, { address }: AccountSlot, nonces: 0 | 1): LedgerState {
  const { nonce, sequence } = countersOf(state, address);
  const counters = { nonce: nonce + nonces, sequence: sequence + 1, afterBurn: nonces === 0 };
  return withChanges(state, { accounts: state.accounts.set(address, counters) });
}

function placeProblems(state: LedgerState, { address, sequence }: AccountSlot): readonly string[] {
  const due = countersOf(state, address).sequence;
  return due === sequence ? [] : [`slot ${due} is next`];
}

function pooled(state: LedgerState, token: Address, fee: bigint): LedgerState {
  if (fee === 0n) return state;
  return withChanges(state, { pools: state.pools.set(token, (state.pools.get(token) ?? 0n) + fee) });
}

function burned(state: LedgerState, token: Address, from: Address, amount: bigint): LedgerState {
  const all = (state.burned.get(token) ?? 0n) + amount;
  return { ...credited(state, token, from, -amount), burned: state.burned.set(token, all) };
}

function free(id: OperationId, reasons: readonly string[]): ModelReceipt {
  return { id, success: reasons.length === 0, fee: 0n, feeToken: undefined, reasons };
}
