/** Receipts in responses, and events of the stream TRANSACTIONS (wire 1.4, 4). */
import { unreachable } from "../../../core/base/assert.ts";
import { type Address, type Hash, ZERO_ADDRESS } from "../../../core/base/ids.ts";
import {
  isRecovery,
  type Leg,
  type Operation,
  type OperationId,
  type SignedOperation,
  type Submission,
} from "../../../core/base/operation.ts";
import type { Receipt as Decided } from "../../../core/base/refusal.ts";
import { totalOf } from "../../../core/ledger/legs.ts";
import type { Field } from "../../../core/ledger/operations/kind.ts";
import { kindOf, tokenOfOperation } from "../../../core/ledger/operations/kinds.ts";
import { type LedgerState, tokenOf } from "../../../core/ledger/state.ts";
import type { ArchivedSubmission, ChainPosition, FinalRecord } from "../../../live/archive.ts";
import type { Notification } from "../../../live/notifications.ts";
import { type CounterSignatureFile, certificateFile } from "../../../proofs/certificate-file.ts";
import { finalityProof } from "../finality-proof.ts";
import type { ExecutionEvent, FinalizedTransaction, WireReceipt } from "../schemas/transactions.ts";
import { signatureFields } from "../write-of.ts";
import { positionFields, senderOf, typeOf } from "./transaction.ts";

/**
 * What became of the operation of this copy, under the names of all eras (wire 1.4). `ledger` is any state that
 * knows the token: whether one is private never changes.
 */
export function receipt(
  copy: ArchivedSubmission,
  decided: Decided,
  place: ChainPosition | undefined,
  ledger: LedgerState,
): WireReceipt {
  const token = tokenOfSubmission(copy.submission) ?? decided.feeToken;
  const isPrivate = token !== undefined && (tokenOf(ledger, token)?.isPrivate ?? false);
  return receiptMembers(copy, decided, positionFields(place), issuedPrivacy(copy.submission) ?? isPrivate);
}

/** The receipt of a copy at its position in a checkpoint. */
export function receiptMembers(
  { submission, hash }: Pick<ArchivedSubmission, "submission" | "hash">,
  decided: Decided,
  position: ReturnType<typeof positionFields>,
  ofPrivateToken: boolean,
): WireReceipt {
  const { success, fee, feeToken, error } = decided;
  const [from, recipient] = [senderOf(submission), recipientOf(submission)];
  const token = tokenOfSubmission(submission) ?? feeToken;
  return {
    status: "final",
    success,
    error_code: error?.code ?? null,
    transaction_hash: hash,
    ...position,
    fee_used: String(fee),
    from,
    recipient: recipient ?? null,
    to: recipient ?? null,
    token_address: token ?? null,
    success_info: {
      sender: from,
      receiver: recipient ?? ZERO_ADDRESS,
      is_private: ofPrivateToken,
      message: error?.code ?? successText(submission),
      bridge_info: bridgeInfo(submission, decided),
    },
    ...batchMembers(submission),
  };
}

/** Published for payments and batches; other kinds follow their pattern (wire 1.4). */
function successText(submission: Submission): string {
  if (isRecovery(submission)) return "recovery success";
  const { operation } = submission;
  if (operation.kind === "batch") return `batch payment success: ${operation.legs.length} operations`;
  return `${SUBJECTS[operation.kind] ?? operation.kind} success`;
}

/** Kinds in words, where these differ. */
const SUBJECTS: Readonly<Partial<Record<Operation["kind"], string>>> = {
  issue: "token issue",
  metadata: "metadata update",
  list: "list update",
  authority: "authority update",
  bridgeMint: "bridge and mint",
  bridgeBurn: "burn and bridge",
  multisig: "multisig creation",
};

/** Every payment of a batch is carried out, or the batch has no receipt. */
function batchMembers(submission: Submission): Pick<WireReceipt, "batch_info" | "execution_events"> {
  if (isRecovery(submission) || submission.operation.kind !== "batch") return {};
  const { legs, operationsHash = null, batchId = null } = submission.operation;
  const facts = {
    batch_id: batchId,
    operations_count: legs.length,
    total_amount: String(totalOf(legs)),
    operations_hash: operationsHash,
  };
  const paid = legs.map(({ recipient, amount }, index): ExecutionEvent => {
    return { event_type: "PaymentExecuted", operation_index: index, recipient, amount: String(amount) };
  });
  return {
    batch_info: { ...facts, failure: null },
    execution_events: [{ event_type: "BatchStarted", ...facts }, ...paid, { event_type: "BatchCompleted", ...facts }],
  };
}

/** Returns the account credited, or burned from; `undefined` if an operation moves no amount. */
function recipientOf(submission: Submission): Address | undefined {
  if (isRecovery(submission) || !("recipient" in kindOf(submission.operation).fields)) return undefined;
  const { recipient } = submission.operation as Extract<Operation, { readonly recipient?: Address }>;
  return recipient ?? submission.sender;
}

function bridgeInfo(submission: Submission, { bridgeNonce }: Decided): WireReceipt["success_info"]["bridge_info"] {
  if (isRecovery(submission) || submission.operation.kind !== "bridgeBurn") return null;
  const { destinationChainId, destinationAddress, bridgeParam } = submission.operation;
  return {
    bbnonce: (bridgeNonce ?? 0) + 1,
    destination_chain_id: destinationChainId,
    destination_address: destinationAddress,
    bridge_param: bridgeParam ?? "0x",
  };
}

/** The token that an operation names. */
export function tokenOfSubmission(submission: Submission): Address | undefined {
  return isRecovery(submission) ? undefined : tokenOfOperation(submission.operation);
}

/** True if an issue makes a private token; `undefined` for every other submission. */
export function issuedPrivacy(submission: Submission): boolean | undefined {
  if (isRecovery(submission) || submission.operation.kind !== "issue") return undefined;
  return submission.operation.isPrivate ?? false;
}

/** The fee of an operation, and whether the aggregate signs it: in version 2, where the kind has a fee (wire 1.4). */
export function feeMembers(
  submission: Submission,
  { fee }: Pick<Decided, "fee">,
): Pick<FinalizedTransaction, "fee" | "fee_bound"> {
  if (isRecovery(submission)) return { fee: String(fee), fee_bound: false };
  const { kind, layout } = submission.operation;
  const hasFee = KINDS_WITH_FEE.has(kind);
  return { fee: hasFee ? String(fee) : null, fee_bound: hasFee && layout === "v2" };
}

const KINDS_WITH_FEE: ReadonlySet<Operation["kind"]> = new Set(["payment", "batch", "bridgeBurn", "cancellation"]);

/** The receipt with the certificate that proves the decision (wire 1.4, Finalized). */
export function finalizedTransaction(
  copy: ArchivedSubmission,
  final: FinalRecord,
  place: ChainPosition | undefined,
  ledger: LedgerState,
  counterSignature: CounterSignatureFile,
): FinalizedTransaction {
  const { certificate } = final;
  return {
    ...receipt(copy, final.receipt, place, ledger),
    epoch: certificate.epoch,
    ...feeMembers(copy.submission, final.receipt),
    counter_signature: counterSignature,
    counter_signatures: certificate.seals.map(({ signature }) => signatureFields(signature)),
    certificate: certificateFile(ledger.chainId, certificate),
    proof: finalityProof(copy, final, place),
  };
}

/** Progress of one operation. */
type OperationProgress = Exclude<Notification, { readonly type: "checkpoint" | "violation" }>;

/** Event of the stream `TRANSACTIONS`: the members of every event, and those of its status (wire 4). */
type TransactionEvent = Readonly<Record<string, unknown>> & { readonly status: OperationProgress["type"] };

/**
 * Returns the event of a notification. Numbers are JSON numbers; only the objects of `CHECKPOINTS` have them as text.
 * `hashOf`: the first copy's hash of an operation, null for an unknown one.
 */
export function transactionEvent(
  change: OperationProgress,
  { hash, submission }: ArchivedSubmission,
  hashOf: (id: OperationId) => Hash | null,
): TransactionEvent {
  // Null where an operation has none.
  const subject = {
    hash,
    transaction_type: typeOf(submission),
    from: senderOf(submission),
    to: recipientOf(submission) ?? null,
    token: tokenOfSubmission(submission) ?? null,
    value: amountOf(submission),
    status: change.type,
  };
  switch (change.type) {
    case "submitted":
      return { ...subject, node: change.node };
    case "signed": {
      const { signers, validators, round } = change;
      return { ...subject, signers, validators, round };
    }
    case "locked":
      return { ...subject, round: change.round };
    case "final": {
      const { success, error, fee, feeToken } = change.final.receipt;
      const token = subject.token ?? feeToken ?? null;
      return { ...subject, token, success, error_code: error?.code ?? null, fee_used: String(fee) };
    }
    case "superseded":
      return { ...subject, error_code: "business_superseded", superseded_by: hashOf(change.by) };
    case "void":
      return { ...subject, error_code: "business_epoch_closed", epoch: change.epoch };
    case "refused":
      return { ...subject, error_code: change.code, node: change.node };
    default:
      return unreachable(change);
  }
}

/** Returns the amount moved, of a batch its total, or the allowance of a grant, in the token's smallest unit. */
function amountOf(submission: Submission): string | null {
  if (isRecovery(submission)) return null;
  if (submission.operation.kind === "batch") return String(totalOf(submission.operation.legs));
  if (!("value" in submission.operation)) return null;
  const { value } = submission.operation;
  return value === undefined ? null : String(value);
}

/** Accounts and tokens that an operation touches. */
export interface AffectedParties {
  readonly addresses: readonly Address[];
  /** Token moved or governed, including an issue's new one; none of a cancellation. */
  readonly tokens: readonly Address[];
}

/** Returns the account of a recovery and the parties of its evidence. */
export function affectedParties(submission: Submission): AffectedParties {
  if (!isRecovery(submission)) return operationParties(submission);
  const parts = [submission.evidence.first, submission.evidence.second].map(operationParties);
  return {
    addresses: [submission.account, ...parts.flatMap(({ addresses }) => addresses)],
    tokens: parts.flatMap(({ tokens }) => tokens),
  };
}

/** The sender, each address that the operation names, and its token. */
function operationParties({ operation, sender }: SignedOperation): AffectedParties {
  const named = Object.entries<Field>(kindOf(operation).fields).flatMap(([name, { type, wire }]) => {
    const address = (operation as SignedOperation["operation"] & Readonly<Record<string, unknown>>)[name];
    if (type === "legs") return (address as unknown as readonly Leg[]).map(({ recipient }) => recipient);
    return type === "address" && wire !== "token" && address !== undefined ? [address as Address] : [];
  });
  const token = tokenOfOperation(operation);
  return { addresses: [sender, ...named], tokens: token === undefined ? [] : [token] };
}
