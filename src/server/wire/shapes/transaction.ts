/** Transactions in responses (wire 1.4, 2.1). */

import { unreachable } from "../../../core/base/assert.ts";
import { type Address, isMultisigSignature, type Signature, toSignature } from "../../../core/base/ids.ts";
import { isRecovery, type SignedOperation, type Submission } from "../../../core/base/operation.ts";
import { transactionHash } from "../../../core/ledger/identity.ts";
import { hasMemo, RECENT } from "../../../core/ledger/layout.ts";
import { multisigAddress } from "../../../core/ledger/multisig.ts";
import { debitedAccount } from "../../../core/ledger/operations/supply.ts";
import { grantActionOf, listActionOf, pauseActionOf, roleOf } from "../../../core/ledger/spelling.ts";
import type { ArchivedSubmission, ChainPosition } from "../../../live/archive.ts";
import type { Transaction, TransactionData, TransactionType } from "../schemas/transactions.ts";
import { memberSignaturesOf, signatureFields } from "../write-of.ts";
import { metaOf } from "./token.ts";

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
    ...recentOf(submission),
    ...signatureOf(submission),
    ...positionFields(place),
    ...memoOf(submission),
  };
}

/** A final transaction as an event of the stream CERTIFIED_TRANSACTIONS (wire 4): its hash, and if `full` its fields. */
export function certifiedTransaction(
  { hash, chain_id, nonce, transaction_type, data }: Transaction,
  full: boolean,
): object {
  if (!full) return { tx_hash: hash };
  const envelope = { [transaction_type]: { payload: { chain_id, nonce, ...data } } };
  return { certificate: { V0: { tx: { UserTransaction: { envelope } } } }, tx_hash: hash };
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

/** Members that some clients sign first, under the names of their bodies: the clients of that time read them (wire 3.3). */
function recentOf(submission: Submission): Pick<Transaction, "recent_epoch" | "recent_checkpoint"> {
  if (isRecovery(submission)) return {};
  const { operation } = submission;
  const given = RECENT.filter(({ name }) => operation[name] !== undefined);
  return Object.fromEntries(given.map(({ name, wire }) => [wire, operation[name]]));
}

/** Zeros stand beside the signatures of a multisig account as well. */
function signatureOf(submission: Submission): Pick<Transaction, "signature" | "signature_type" | "signature_scheme"> {
  if (isRecovery(submission)) return { signature: signatureFields(UNSIGNED) };
  const { operation, signature, sender } = submission;
  const signature_scheme = operation.layout === "v2" ? "domain_separated" : "legacy_native";
  if (!isMultisigSignature(signature))
    return { signature_type: "Single", signature_scheme, signature: signatureFields(signature) };
  const signatures = memberSignaturesOf(signature);
  return {
    signature_type: "Multi",
    signature_scheme,
    signature: { ...signatureFields(UNSIGNED), account: sender, signatures },
  };
}

function memoOf(submission: Submission): Pick<Transaction, "memo"> {
  if (isRecovery(submission)) return {};
  const { operation } = submission;
  return operation.memo === undefined || !hasMemo(operation) ? {} : { memo: operation.memo };
}

/**
 * Returns the type of an operation in answers (wire 2.1). Both changes of a list have the type of the list;
 * cancellations and recoveries have names of ours.
 */
export function typeOf(submission: Submission): TransactionType {
  if (isRecovery(submission)) return "Recovery";
  const { operation } = submission;
  switch (operation.kind) {
    case "list":
      return operation.list === "blacklist" ? "TokenBlacklistAccount" : "TokenWhitelistAccount";
    case "authority":
      return grantActionOf(operation.action) === "revoke" ? "TokenRevokeAuthority" : "TokenGrantAuthority";
    case "pause":
      return pauseActionOf(operation.action) === "unpause" ? "TokenUnpause" : "TokenPause";
    default:
      return TYPES[operation.kind];
  }
}

/** Types of kinds that have one. */
const TYPES = {
  payment: "TokenTransfer",
  cancellation: "Cancellation",
  issue: "TokenCreate",
  mint: "TokenMint",
  burn: "TokenBurn",
  metadata: "TokenUpdateMetadata",
  clawback: "TokenClawback",
  bridgeMint: "TokenBridgeAndMint",
  bridgeBurn: "TokenBurnAndBridge",
  batch: "BatchPayment",
  multisig: "CreateMultiSig",
} as const;

/** Roles and actions in their newest spelling, whatever was signed: clients know closed sets of them. */
function dataOf(submission: Submission): TransactionData {
  if (!isRecovery(submission)) return operationData(submission);
  const { account, evidence } = submission;
  return { account, evidence: [transactionHash(evidence.first), transactionHash(evidence.second)] };
}

function operationData({ operation, sender }: SignedOperation): TransactionData {
  switch (operation.kind) {
    case "payment":
    case "mint": {
      const { recipient, token, value } = operation;
      return { recipient, to: recipient, token, value: String(value) };
    }
    case "cancellation":
      return {};
    case "issue": {
      const { symbol, name, decimals, masterAuthority, isPrivate = false, clawbackEnabled = true } = operation;
      const issued = { symbol, name, decimals, master_authority: masterAuthority, is_private: isPrivate };
      return { ...issued, clawback_enabled: clawbackEnabled };
    }
    case "burn": {
      const recipient = debitedAccount(operation, sender);
      return { recipient, to: recipient, token: operation.token, value: String(operation.value) };
    }
    case "metadata":
      return { metadata: metaOf(operation), token: operation.token };
    case "list": {
      const action = listActionOf(operation) === "remove" ? "Remove" : "Add";
      return { address: operation.address, token: operation.token, action };
    }
    case "authority": {
      const { authorityType, authorityAddress, token, value } = operation;
      return {
        authority_type: roleOf(authorityType) ?? authorityType,
        authority_address: authorityAddress,
        token,
        value: value === undefined ? null : String(value),
      };
    }
    case "pause":
      return { token: operation.token };
    case "clawback": {
      const { from, recipient, token, value } = operation;
      return { from, recipient, to: recipient, token, value: String(value) };
    }
    case "bridgeMint": {
      const { recipient, value, token, sourceChainId, sourceTxHash, bridgeMetadata } = operation;
      return {
        ...{ recipient, to: recipient, value: String(value), token },
        ...{ source_chain_id: sourceChainId, source_tx_hash: sourceTxHash, bridge_metadata: bridgeMetadata ?? "" },
      };
    }
    case "bridgeBurn": {
      const { value, token, destinationChainId, destinationAddress, escrowFee, bridgeMetadata } = operation;
      return {
        ...{ sender: operation.sender, value: String(value), token, destination_chain_id: destinationChainId },
        ...{ destination_address: destinationAddress, escrow_fee: String(escrowFee) },
        ...{ bridge_metadata: bridgeMetadata ?? "", bridge_param: operation.bridgeParam ?? "0x" },
      };
    }
    case "batch": {
      const { token, legs, createdAt, operationsHash, batchId } = operation;
      return {
        ...{ token, operations: legs.map(({ recipient, amount }) => ({ recipient, amount: String(amount) })) },
        ...{ operations_hash: operationsHash ?? null, batch_id: batchId ?? null, created_at: secondsOf(createdAt) },
      };
    }
    case "multisig": {
      const signers = operation.signers.map(({ key, weight }) => ({ public_key: key, weight }));
      return { signers, threshold: operation.threshold, multisig_address: multisigAddress(operation) };
    }
    default:
      return unreachable(operation);
  }
}

/** Text where readers of JSON would round a number. */
function secondsOf(createdAt: bigint): number | string {
  return createdAt <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(createdAt) : String(createdAt);
}
