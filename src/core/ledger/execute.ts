/** Execution of authorised operations in their token's slots (protocol 4.1). */
import { ZERO } from "../base/amount.ts";
import { AssertionError } from "../base/assert.ts";
import { type Address, nextCount } from "../base/ids.ts";
import type { Receipt } from "../base/refusal.ts";
import { type ListValue, type SlotKey, slotKey, type TokenSlot } from "../base/slot.ts";
import { type ApplyResult, appliedResult, impossibleResult, waitingResult } from "./apply-result.ts";
import { findAuthorised, removeAuthorised } from "./authorised.ts";
import type { CheckRules } from "./check.ts";
import { effectSlotOf, kindOf } from "./operations/kinds.ts";
import { type AuthorisedOperation, type LedgerState, tokenOf, withToken } from "./state.ts";

/**
 * Executes the list in its order, each operation on the state that the ones before it left, with a receipt for each;
 * the version rises by one. Waits until every operation is authorised here too. Impossible if it lists an operation
 * twice or one of another slot, or if the token does not exist afterwards (`checkList`).
 */
export function applyList(
  state: LedgerState,
  slot: TokenSlot,
  value: ListValue,
  rules: ExecutionRules & { readonly executeOne: typeof executeOne },
): ApplyResult {
  const missing = value.ids.find((id) => findAuthorised(state, id) === undefined);
  if (missing !== undefined) return waitingResult({ code: "resource_authorisation_not_found", id: missing });
  const receipts: Receipt[] = [];
  let current = state;
  for (const id of value.ids) {
    const entry = findAuthorised(current, id);
    if (entry === undefined) return impossibleResult(`operation ${id} is listed twice`);
    if (!isDueIn(slot, entry)) return impossibleResult(`operation ${id} takes effect in another sequence`);
    const executed = rules.executeOne(removeAuthorised(current, entry), slot.token, entry, slotKey(slot), rules);
    receipts.push(executed.receipt);
    current = executed.state;
  }
  const policy = tokenOf(current, slot.token);
  if (policy === undefined) return impossibleResult(`token ${slot.token} does not exist after its list`);
  return appliedResult(withToken(current, slot.token, { ...policy, version: nextCount(policy.version) }), receipts);
}

function isDueIn({ token }: TokenSlot, { signed }: AuthorisedOperation): boolean {
  const target = effectSlotOf(signed);
  return target.kind === "token" && target.token === token;
}

type ExecutionRules = Pick<CheckRules, "checkAuthority">;

export type ExecutionResult = Readonly<{ state: LedgerState; receipt: Receipt }>;

/**
 * Checks the operation against the token's exact state, role included, and executes it or leaves the token as it is.
 * Returns a receipt in both cases; the signer's nonce was used when it was authorised. The version is not counted here.
 */
export function executeOne(
  state: LedgerState,
  token: Address,
  entry: AuthorisedOperation,
  slot: SlotKey,
  rules: ExecutionRules,
): ExecutionResult {
  const { id, signed } = entry;
  const policy = tokenOf(state, token);
  const error = rules.checkAuthority(state, token, signed);
  const receipt: Receipt = { id, success: error === undefined, fee: ZERO, feeToken: undefined, error, slot };
  if (error !== undefined) return { state, receipt };
  const { operation, sender } = signed;
  const { inToken } = kindOf(operation);
  if (inToken === undefined) throw new AssertionError(`a ${operation.kind} takes no effect on a token's policy`);
  return { state: inToken.execute(state, token, policy, operation, sender), receipt };
}
