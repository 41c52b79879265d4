/** Receipts in responses (wire 1.4). */
import type { Address } from "../../../core/base/ids.ts";
import { isRecovery, type Operation, type Submission } from "../../../core/base/operation.ts";
import type { Receipt as Decided } from "../../../core/base/refusal.ts";
import { bareSignature } from "../../../core/crypto/batch.ts";
import { kindOf, tokenOfOperation } from "../../../core/ledger/operations/kinds.ts";
import { type LedgerState, tokenOf } from "../../../core/ledger/state.ts";
import type { ArchivedSubmission, ChainPosition, FinalRecord } from "../../../live/archive.ts";
import { certificateFile } from "../../../proofs/certificate-file.ts";
import type { Finalized, Receipt } from "../schemas/transactions.ts";
import { signatureFields } from "../values.ts";
import { ZERO_ADDRESS } from "./token.ts";
import { positionFields, senderOf } from "./transaction.ts";

/**
 * What became of the operation of this copy, under the names of all eras (wire 1.4). `ledger` is any state that
 * knows the token: whether one is private never changes.
 */
export function receipt(
  copy: ArchivedSubmission,
  decided: Decided,
  place: ChainPosition | undefined,
  ledger: LedgerState,
): Receipt {
  const { success, fee, feeToken, error } = decided;
  const { submission, hash } = copy;
  const [from, recipient] = [senderOf(submission), recipientOf(submission)];
  const token = tokenOfSubmission(submission) ?? feeToken;
  return {
    success,
    error_code: error?.code ?? null,
    transaction_hash: hash,
    ...positionFields(place),
    fee_used: String(fee),
    from,
    recipient: recipient ?? null,
    to: recipient ?? null,
    token_address: token ?? null,
    success_info: {
      sender: from,
      receiver: recipient ?? ZERO_ADDRESS,
      is_private: isPrivate(submission, token, ledger),
      message: error?.code ?? "",
      bridge_info: null,
    },
  };
}

/** Returns the account credited, or burned from; `undefined` if an operation moves no amount. */
function recipientOf(submission: Submission): Address | undefined {
  if (isRecovery(submission) || !("recipient" in kindOf(submission.operation).fields)) return undefined;
  const { recipient } = submission.operation as Extract<Operation, { readonly recipient?: Address }>;
  return recipient ?? submission.sender;
}

function tokenOfSubmission(submission: Submission): Address | undefined {
  return isRecovery(submission) ? undefined : tokenOfOperation(submission.operation);
}

function isPrivate(submission: Submission, token: Address | undefined, ledger: LedgerState): boolean {
  if (!isRecovery(submission) && submission.operation.kind === "issue") return submission.operation.isPrivate ?? false;
  return token !== undefined && (tokenOf(ledger, token)?.isPrivate ?? false);
}

/** The receipt with the certificate that proves the decision (wire 1.4, Finalized). */
export function finalized(
  copy: ArchivedSubmission,
  final: FinalRecord,
  place: ChainPosition | undefined,
  ledger: LedgerState,
): Finalized {
  const { certificate } = final;
  return {
    ...receipt(copy, final.receipt, place, ledger),
    epoch: certificate.epoch,
    counter_signatures: certificate.seals.map(({ signature }) => signatureFields(bareSignature(signature))),
    certificate: certificateFile(ledger.chainId, certificate),
  };
}
