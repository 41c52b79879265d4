/** Schemas of transactions and receipts in responses (wire 1.4, 2.1; specification 15.3). */

import type { Static } from "typebox";
import { type CertificateFile, counterSignatureShape } from "../../../proofs/certificate-file.ts";
import { AMOUNT } from "../../../proofs/json-file.ts";
import { optional } from "../../../schema/shape.ts";
import type { FinalityProof } from "../finality-proof.ts";
import {
  ANY_MEMBERS,
  address,
  amount,
  boolean,
  count,
  hash,
  KEY_EXAMPLE,
  list,
  namedObject,
  nullable,
  object,
  oneOf,
  textOrInteger,
  withCode,
  words,
} from "./schema-types.ts";
import { tokenMeta } from "./tokens.ts";

/**
 * Cancellation and Recovery are names of this server: no published client has any (wire 2.1). Raw stands for them with
 * `--compat rust-0.15` alone.
 */
export const TRANSACTION_TYPES = [
  "TokenCreate",
  "TokenTransfer",
  "TokenMint",
  "TokenBurn",
  "TokenGrantAuthority",
  "TokenRevokeAuthority",
  "TokenBlacklistAccount",
  "TokenWhitelistAccount",
  "TokenPause",
  "TokenUnpause",
  "TokenUpdateMetadata",
  "TokenClawback",
  "TokenBridgeAndMint",
  "TokenBurnAndBridge",
  "BatchPayment",
  "CreateMultiSig",
  "Cancellation",
  "Recovery",
  "Raw",
] as const;

export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Decimal text; a number with `--compat go` alone, where it has exactly this value (wire 6.2). */
const fee = textOrInteger(
  "the fee that was paid, in the token's smallest unit: decimal text, a number by option",
  AMOUNT,
  "10000",
);

/** Decimal with `--signature-format decimal` or profile `specification` alone. */
const word = withCode<string>("0x and 64 hex digits, or decimal text by option", {
  type: "string",
  pattern: "^(0x[0-9a-f]{64}|0|[1-9][0-9]{0,77})$",
  examples: ["0x41e1e158803da19ef1fc9ab35d86776cb02ac493265b948ff18b2c57a4e52432"],
});

const signatureNumbers = {
  r: word,
  s: word,
  v: withCode<number>("0 or 1", { type: "integer", enum: [0, 1], examples: [0] }),
};

export const signatureAnswer = namedObject("Signature", "a signature", signatureNumbers);

/** Members of a multisig account stand beside zeros: some clients need r, s and v in every transaction. */
const transactionSignature = namedObject("TransactionSignature", "a signature, or those of a multisig account", {
  ...signatureNumbers,
  account: optional(address("the multisig account")),
  signatures: optional(
    list(
      "the signatures of its signers",
      object("a signature with its key", {
        signer_pubkey: words("the public key", undefined, [KEY_EXAMPLE]),
        signature: signatureAnswer,
      }),
    ),
  ),
});

const data = namedObject("TransactionData", "the fields of an operation of its type", {
  recipient: optional(address("the account credited; of a burn, the account burned from")),
  to: optional(address("as recipient")),
  from: optional(address("the account that a clawback debits")),
  token: optional(address("the token")),
  value: optional(nullable(amount("the amount, or the allowance"))),
  sender: optional(address("the signer of a burn and bridge")),
  source_chain_id: optional(count("the chain that bridged units come from")),
  source_tx_hash: optional(words("the transaction there")),
  destination_chain_id: optional(count("the chain that bridged units go to")),
  destination_address: optional(words("the address there")),
  escrow_fee: optional(amount("the fee of the bridge")),
  bridge_metadata: optional(words("the text for the bridge, empty for none")),
  bridge_param: optional(words("the bytes for the bridge in hex, 0x for none")),
  operations: optional(
    list(
      "the payments of a batch, in order",
      object("a payment", { recipient: address("the recipient"), amount: amount("the amount") }),
    ),
  ),
  operations_hash: optional(nullable(words("the hash of the payments, if the sender gave it, in hex"))),
  batch_id: optional(nullable(words("the name of the batch, if the sender gave one"))),
  created_at: optional(
    withCode<number | string>("the time in seconds that a batch names: a number, text above 2^53 - 1", {
      type: ["integer", "string"],
      examples: [1_747_785_600],
    }),
  ),
  symbol: optional(words("the symbol")),
  name: optional(words("the name")),
  decimals: optional(count("the decimals")),
  master_authority: optional(address("the master authority")),
  is_private: optional(boolean("whether the token is private")),
  clawback_enabled: optional(boolean("the clawback flag of the issue")),
  authority_type: optional(words("the role", undefined, ["MintBurnTokens"])),
  authority_address: optional(address("the account that gets or loses the role")),
  address: optional(address("the account listed")),
  action: optional(oneOf("the change of the list", ["Add", "Remove"])),
  metadata: optional(tokenMeta),
  input: optional(words("of a Raw one: the signed bytes, 0x and hex digits", undefined, ["0x"])),
  signers: optional(
    list(
      "the signers of a multisig account, in the order signed",
      object("a signer", {
        public_key: words("the public key", undefined, [KEY_EXAMPLE]),
        weight: count("the weight"),
      }),
    ),
  ),
  threshold: optional(count("the weight that its operations need")),
  multisig_address: optional(address("the multisig account")),
  account: optional(address("the account that a recovery frees")),
  evidence: optional(list("the hashes of the two copies in a recovery's evidence", hash("a hash"))),
});

export type TransactionData = Static<typeof data>;

const memo = namedObject("Memo", "the memo that the operation carries", {
  type: words("the type of the memo"),
  format: words("the format of the data"),
  data: words("the memo itself"),
});

export const transactionMembers = {
  hash: hash("the transaction hash"),
  chain_id: count("the chain id"),
  from: address("the account whose nonce it uses"),
  nonce: count("the nonce"),
  transaction_type: oneOf("the type", TRANSACTION_TYPES),
  data,
  signature: transactionSignature,
  signature_type: optional(oneOf("the kind of the signature; none of a recovery", ["Single", "Multi"])),
  signature_scheme: optional(oneOf("the version that was signed", ["legacy_native", "domain_separated"])),
  recent_epoch: optional(count("the epoch that the client signed first, if it did")),
  recent_checkpoint: optional(count("the checkpoint that the client signed before the chain id, if it did")),
  checkpoint_hash: nullable(hash("the checkpoint that lists it")),
  checkpoint_number: nullable(count("its number")),
  transaction_index: nullable(count("the position in its list")),
  memo: optional(memo),
};

export const transaction = namedObject("Transaction", "a transaction", transactionMembers);

/** R10. */
export type Transaction = Static<typeof transaction>;

export const listedTransaction = namedObject("TransactionEntry", "a transaction with its fee", {
  ...transactionMembers,
  fee,
});

/** Entry of a full checkpoint. */
export type ListedTransaction = Static<typeof listedTransaction>;

export const submittedAnswer = namedObject("SubmittedOperation", "an operation that was admitted", {
  hash: hash("the transaction hash"),
  token: optional(address("of an issue: the new token")),
});

export const feeAnswer = namedObject("Fee", "the fee of a payment", { fee: amount("the fee") });

/** R13. */
export type FeeAnswer = Static<typeof feeAnswer>;

const successInfo = namedObject("SuccessInfo", "sender, receiver and amount", {
  sender: address("as from"),
  receiver: address("as recipient, or the zero address"),
  is_private: boolean("whether the token is private"),
  message: words("the success of the kind, else the error code", undefined, ["payment success"]),
  bridge_info: nullable(
    object("what a burn and bridge asks of the bridge", {
      bbnonce: count("the number of burns to other chains that the account has made, this one included"),
      destination_chain_id: count("the chain that the units go to"),
      destination_address: words("the address there"),
      bridge_param: words("the bytes for the bridge in hex, 0x for none"),
    }),
  ),
});

const batchFacts = {
  batch_id: nullable(words("the name of the batch, if the sender gave one")),
  operations_count: count("the number of payments"),
  total_amount: amount("the sum of the payments"),
  operations_hash: nullable(words("the hash of the payments, if the sender gave it, in hex")),
};

const batchInfo = namedObject("BatchInfo", "what a batch paid", {
  ...batchFacts,
  failure: withCode<null>("null: no payment of a batch fails alone", { type: "null" }),
});

/** Members by type: Started and Completed have those of the batch, PaymentExecuted those of one payment. */
const executionEvent = namedObject("ExecutionEvent", "a step of a batch", {
  event_type: oneOf("the type", ["BatchStarted", "PaymentExecuted", "BatchCompleted"]),
  batch_id: optional(batchFacts.batch_id),
  operations_count: optional(batchFacts.operations_count),
  total_amount: optional(batchFacts.total_amount),
  operations_hash: optional(batchFacts.operations_hash),
  operation_index: optional(count("the place of the payment, from 0")),
  recipient: optional(address("the recipient")),
  amount: optional(amount("the amount")),
});

export type ExecutionEvent = Static<typeof executionEvent>;

const members = {
  status: oneOf("the state of the operation (specification 8.1): there is a receipt of a final one only", ["final"]),
  success: boolean("whether it took effect"),
  error_code: nullable(words("the error code", undefined, ["business_insufficient_funds"])),
  transaction_hash: hash("the transaction"),
  transaction_index: nullable(count("the position in the checkpoint's list")),
  checkpoint_hash: nullable(hash("the checkpoint that lists it")),
  checkpoint_number: nullable(count("its number")),
  fee_used: fee,
  from: address("the account whose nonce it used"),
  recipient: nullable(address("the account credited; of a burn, the account burned from")),
  to: nullable(address("as recipient")),
  token_address: nullable(address("the token")),
  success_info: successInfo,
  batch_info: optional(batchInfo),
  execution_events: optional(list("the steps of a batch, in order", executionEvent)),
};

export const receipt = namedObject("Receipt", "a receipt", members);

/** R11. Exists as soon as the effect is final. */
export type WireReceipt = Static<typeof receipt>;

export const receiptList = list("the receipts of a checkpoint, in its order", receipt);

export const finalized = namedObject("FinalizedTransaction", "a receipt with its certificate", {
  ...members,
  epoch: count("the epoch of the certificate"),
  fee: nullable(amount("the fee of an operation of a kind that has one")),
  fee_bound: boolean("whether the aggregate signs the fee"),
  counter_signature: counterSignatureShape,
  counter_signatures: list("the signatures of the certificate", signatureAnswer),
  certificate: withCode<CertificateFile>("the finality certificate, as `quorumlab verify` reads it", ANY_MEMBERS),
  proof: withCode<FinalityProof>("what `quorumlab verify` recomputes the members from", ANY_MEMBERS),
});

/** R12. */
export type FinalizedTransaction = Static<typeof finalized>;
