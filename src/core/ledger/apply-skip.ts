/** Application of a skip: a nonce used up without effect, by cancellation or recovery (protocol 4.4). */
import type { SignedOperation } from "../base/operation.ts";
import { type AccountSlot, type SkipValue, slotKey } from "../base/slot.ts";
import { type Applied, applied, impossible } from "./applied.ts";
import { useNonce, waitingForFunds } from "./apply-operation.ts";
import { debit, depositPool } from "./balances.ts";
import type { skipFeeAmount } from "./fees.ts";
import { accountOf, type LedgerState } from "./state.ts";

/**
 * Takes the decided fee step as given; waits until the fee is here too. Works while the token is paused or the owner
 * listed. Impossible if the skip shows an operation of another account or nonce.
 */
export function applySkip(
  state: LedgerState,
  slot: AccountSlot,
  value: SkipValue,
  shown: SignedOperation | undefined,
  feeOf: typeof skipFeeAmount,
): Applied {
  const { id, by, feeToken, feeStep } = value;
  const { nonce } = accountOf(state, slot.address);
  if (shown !== undefined && (shown.sender !== slot.address || shown.operation.nonce !== nonce))
    return impossible(`skip ${id} is for nonce ${shown.operation.nonce} of ${shown.sender}, expected nonce ${nonce}`);
  const fee = feeOf(state.parameters.fees, by, feeToken, feeStep);
  const receipt = { id, success: true, fee, feeToken, error: undefined, slot: slotKey(slot) };
  const skipped = useNonce(state, slot);
  if (feeToken === undefined) return applied(skipped, [receipt]);
  const debited = debit(skipped, slot.address, feeToken, fee);
  if (debited === undefined) return waitingForFunds(state, slot.address, feeToken, fee);
  return applied(depositPool(debited, feeToken, fee), [receipt]);
}
