import { type Address, type Signature, toSignature } from "../../../core/base/ids.ts";
import { isRecovery, type Submission } from "../../../core/base/operation.ts";
import type { ArchivedSubmission, ChainPosition } from "../../../live/archive.ts";
import type { Transaction } from "../schemas/transactions.ts";
import { signatureFields } from "../signature.ts";
import { dataOf, typeOf } from "./transaction-data.ts";

/** One copy of an operation; `place` is where a checkpoint lists its effect (wire 1.4, Transaction). */
export function transaction({ hash, submission }: ArchivedSubmission, place: ChainPosition | undefined): Transaction {
  const { chainId, nonce } = isRecovery(submission) ? submission : submission.operation;
  return {
    hash,
    chain_id: chainId,
    from: senderOf(submission),
    nonce,
    transaction_type: typeOf(submission),
    data: dataOf(submission),
    signature: signatureFields(isRecovery(submission) ? UNSIGNED : submission.signature),
    ...positionFields(place),
    ...memoOf(submission),
  };
}

/** The account whose nonce a submission uses. */
export function senderOf(submission: Submission): Address {
  return isRecovery(submission) ? submission.account : submission.sender;
}

/** Returns the position in a checkpoint; nulls before one lists it. */
export function positionFields(
  place: ChainPosition | undefined,
): Pick<Transaction, "checkpoint_hash" | "checkpoint_number" | "transaction_index"> {
  return {
    checkpoint_hash: place?.link.hash ?? null,
    checkpoint_number: place?.link.content.value.header.number ?? null,
    transaction_index: place?.index ?? null,
  };
}

/** Zeros for a recovery, which is unsigned: some clients need a signature in every transaction. */
const UNSIGNED: Signature = toSignature(`0x${"00".repeat(65)}`);

function memoOf(submission: Submission): Pick<Transaction, "memo"> {
  const memo = isRecovery(submission) ? undefined : submission.operation.memo;
  return memo === undefined ? {} : { memo };
}
