/** Bounds of the pending operations: limits of the entry validator's queue, and the priority in an eviction. */
import { isRecovery, isSpending, type SignedOperation, type Submission } from "../../base/operation.ts";
import { spentBy } from "../../ledger/fees.ts";
import { accountOf, balanceOf } from "../../ledger/state.ts";
import type { DecisionView } from "../decision-inputs.ts";
import { PENDING, PENDING_PER_ACCOUNT } from "../limits.ts";
import type { EvictionPriority } from "../sub-states.ts";

/** Sizes of a validator's two queues: submissions of its clients, and disclosed ones. */
export type QueueSizes = Readonly<{ submitted: number; disclosed: number; submittedByAccount: number }>;

/**
 * Returns the bound that one more submission of an account would exceed, or `undefined`. Disclosed operations count
 * against no bound here: one Byzantine relay can disclose any number, signed with keys that cost nothing.
 */
export function exceededLimit({
  submitted: asked,
  submittedByAccount: askedOfAccount,
}: QueueSizes): number | undefined {
  if (askedOfAccount >= PENDING_PER_ACCOUNT) return PENDING_PER_ACCOUNT;
  return asked >= PENDING ? PENDING : undefined;
}

/**
 * Returns the priority of a submission at this validator now. A cancellation has the highest priority of `rivals`, the
 * submissions known for its nonce; a recovery that of its proof. O(log accounts) for each operation that it reads.
 */
export function evictionPriority(
  state: DecisionView,
  submission: Submission,
  competitors: readonly { readonly submission: Submission }[],
): EvictionPriority {
  if (isRecovery(submission)) return best(state, [submission.evidence.first, submission.evidence.second]);
  if (submission.operation.kind !== "cancellation") return priorityAlone(state, submission);
  return best(
    state,
    competitors.flatMap(({ submission: other }) => (isRecovery(other) ? [] : [other])),
  );
}

function best(state: DecisionView, operations: readonly SignedOperation[]): EvictionPriority {
  let highest: EvictionPriority = 0;
  for (const signed of operations) {
    const priority = priorityAlone(state, signed);
    if (priority > highest) highest = priority;
  }
  return highest;
}

function priorityAlone({ environment, ledger }: DecisionView, signed: SignedOperation): EvictionPriority {
  const { operation, sender } = signed;
  const rules = environment.rules.ledger;
  if (operation.nonce !== accountOf(ledger, sender).nonce) return 0;
  if (!isSpending(operation)) return rules.holdsRoleOfToken(ledger, signed) ? 2 : 0;
  const need = spentBy(ledger.parameters.fees, operation, rules.paymentFee);
  if (balanceOf(ledger, sender, operation.token) >= need) return 2;
  return rules.coversPaymentFee(ledger, sender, [signed]) ? 1 : 0;
}
