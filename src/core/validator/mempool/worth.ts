/**
 * The worth of an operation that others disclosed: what it would cost an attacker to put one like it into a queue. A
 * disclosed operation serves as a reason to change round, so worth follows the rule by which reasons count (protocol 3.2, 9.3).
 */
import { isRecovery, type SignedOperation, type Submission } from "../../base/operation.ts";
import { accountOf, balanceOf } from "../../ledger/state.ts";
import type { View } from "../slots/grounds.ts";

/**
 * 0: costs nothing, since its nonce is not the next one, or nobody pays for a round that displaces it. 1: the account
 * covers a payment's fee, which may be zero. 2: the balance covers the payment, or the signer holds a role.
 */
export type Worth = 0 | 1 | 2;

/**
 * Returns the worth of a submission at this validator now. A cancellation is worth as much as the best of `rivals`, the
 * submissions known for its nonce; a recovery as much as its proof. O(log accounts) for each operation that it reads.
 */
export function worthOf(state: View, submission: Submission, rivals: readonly Submission[]): Worth {
  if (isRecovery(submission)) return best(state, [submission.evidence.first, submission.evidence.second]);
  if (submission.operation.kind !== "cancellation") return best(state, [submission]);
  const operations = rivals.flatMap((other) => (isRecovery(other) ? [] : [other]));
  return best(state, operations);
}

function best(state: View, operations: readonly SignedOperation[]): Worth {
  const worths = operations.map((signed) => worthAlone(state, signed));
  return ([2, 1] as const).find((worth) => worths.includes(worth)) ?? 0;
}

function worthAlone({ environment, ledger }: View, signed: SignedOperation): Worth {
  const { operation, sender } = signed;
  const rules = environment.rules.ledger;
  if (operation.nonce !== accountOf(ledger, sender).nonce) return 0;
  if (operation.kind !== "payment") return rules.holdsRoleOfToken(ledger, signed) ? 2 : 0;
  const need = operation.value + rules.paymentFee(ledger.parameters.fees, operation.token);
  if (balanceOf(ledger, sender, operation.token) >= need) return 2;
  return rules.coversPaymentFee(ledger, sender, [signed]) ? 1 : 0;
}
