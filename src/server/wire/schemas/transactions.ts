/** Schemas of transactions and receipts in responses (wire 1.4, 2.1; specification 15.3). */

import type { CertificateFile } from "../../../proofs/certificate-file.ts";
import { optional, type Shape } from "../../../scenario/schema/shape.ts";
import type { SignatureFields } from "../values.ts";
import { address, amount, boolean, count, hash, list, object, oneOf, orNull, withCode, words } from "./schema-types.ts";
import { type TokenMeta, tokenMeta } from "./tokens.ts";

/** Cancellation and Recovery are names of this server: no published client has any (wire 2.1). */
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
  "Cancellation",
  "Recovery",
] as const;

export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Fields of an operation; its type determines the members. */
export interface TransactionData {
  readonly recipient?: string;
  /** The same as `recipient`, for older clients. */
  readonly to?: string;
  readonly token?: string;
  readonly value?: string | null;
  readonly symbol?: string;
  readonly name?: string;
  readonly decimals?: number;
  readonly master_authority?: string;
  readonly is_private?: boolean;
  readonly clawback_enabled?: boolean;
  readonly authority_type?: string;
  readonly authority_address?: string;
  readonly address?: string;
  /** Of a change of a list: both actions have the same type. */
  readonly action?: "Add" | "Remove";
  readonly metadata?: TokenMeta;
  readonly account?: string;
  /** Hashes of the two copies in a recovery's evidence. */
  readonly evidence?: readonly string[];
}

export interface MemoAnswer {
  readonly type: string;
  readonly format: string;
  readonly data: string;
}

/** R10, and an entry of a full checkpoint. */
export interface Transaction {
  readonly hash: string;
  readonly chain_id: number;
  readonly from: string;
  readonly nonce: number;
  readonly transaction_type: TransactionType;
  readonly data: TransactionData;
  /** Zeros for a recovery, which is unsigned. */
  readonly signature: SignatureFields;
  /** With the next two: null until a checkpoint lists it. */
  readonly checkpoint_hash: string | null;
  readonly checkpoint_number: number | null;
  readonly transaction_index: number | null;
  /** Only where the operation carries one. */
  readonly memo?: MemoAnswer;
}

/** Response to a write: the transaction hash. */
export interface SubmittedAnswer {
  readonly hash: string;
  /** Of an issue: the new token. */
  readonly token?: string;
}

/** R13. */
export interface FeeAnswer {
  readonly fee: string;
}

export const signatureAnswer: Shape<SignatureFields> = object<SignatureFields>("a signature", {
  r: withCode("0x and 64 hex digits", { type: "string", pattern: "^0x[0-9a-f]{64}$" }),
  s: withCode("0x and 64 hex digits", { type: "string", pattern: "^0x[0-9a-f]{64}$" }),
  v: withCode("0 or 1", { type: "integer", enum: [0, 1], examples: [0] }),
});

const data = object<TransactionData>("the fields of an operation of its type", {
  recipient: optional(address("the account credited; of a burn, the account burned from")),
  to: optional(address("as recipient")),
  token: optional(address("the token")),
  value: optional(orNull(amount("the amount, or the allowance"))),
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
  account: optional(address("the account that a recovery frees")),
  evidence: optional(list("the hashes of the two copies in a recovery's evidence", hash("a hash"))),
});

const memo = object<MemoAnswer>("the memo that the operation carries", {
  type: words("the type of the memo"),
  format: words("the format of the data"),
  data: words("the memo itself"),
});

export const transaction: Shape<Transaction> = object<Transaction>("a transaction", {
  hash: hash("the transaction hash"),
  chain_id: count("the chain id"),
  from: address("the account whose nonce it uses"),
  nonce: count("the nonce"),
  transaction_type: oneOf("the type", TRANSACTION_TYPES),
  data,
  signature: signatureAnswer,
  checkpoint_hash: orNull(hash("the checkpoint that lists it")),
  checkpoint_number: orNull(count("its number")),
  transaction_index: orNull(count("the position in its list")),
  memo: optional(memo),
});

export const submittedAnswer: Shape<SubmittedAnswer> = object<SubmittedAnswer>("an operation that was admitted", {
  hash: hash("the transaction hash"),
  token: optional(address("of an issue: the new token")),
});

export const feeAnswer: Shape<FeeAnswer> = object<FeeAnswer>("the fee of a payment", { fee: amount("the fee") });

/** Sender, receiver and amount, for the clients that read it. */
export interface SuccessInfo {
  readonly sender: string;
  /** The zero address without a receiver. */
  readonly receiver: string;
  readonly is_private: boolean;
  /** Empty on success, else the error code. */
  readonly message: string;
  readonly bridge_info: null;
}

/** R11. Exists as soon as the effect is final. */
export interface Receipt {
  readonly success: boolean;
  /** Error code; null on success. Not in the published interface. */
  readonly error_code: string | null;
  readonly transaction_hash: string;
  readonly transaction_index: number | null;
  readonly checkpoint_hash: string | null;
  readonly checkpoint_number: number | null;
  readonly fee_used: string;
  readonly from: string;
  readonly recipient: string | null;
  /** The same as `recipient`, for older clients. */
  readonly to: string | null;
  /** Of an issue, the new token; of a cancellation or recovery, the token of its fee. */
  readonly token_address: string | null;
  readonly success_info: SuccessInfo;
}

/** R12. */
export interface Finalized extends Receipt {
  readonly epoch: number;
  /** Those of the certificate, in its order. */
  readonly counter_signatures: readonly SignatureFields[];
  /** Finality certificate, which proves the decision given the committee; not in the published interface. */
  readonly certificate: CertificateFile;
}

const successInfo = object<SuccessInfo>("sender, receiver and amount", {
  sender: address("as from"),
  receiver: address("as recipient, or the zero address"),
  is_private: boolean("whether the token is private"),
  message: words("empty on success, else the error code"),
  bridge_info: withCode("nothing: there is no bridge", { type: "null" }),
});

const members = {
  success: boolean("whether it took effect"),
  error_code: orNull(words("the error code", undefined, ["business_insufficient_funds"])),
  transaction_hash: hash("the transaction"),
  transaction_index: orNull(count("the position in the checkpoint's list")),
  checkpoint_hash: orNull(hash("the checkpoint that lists it")),
  checkpoint_number: orNull(count("its number")),
  fee_used: amount("the fee that was paid"),
  from: address("the account whose nonce it used"),
  recipient: orNull(address("the account credited; of a burn, the account burned from")),
  to: orNull(address("as recipient")),
  token_address: orNull(address("the token")),
  success_info: successInfo,
};

export const receipt: Shape<Receipt> = object<Receipt>("a receipt", members);

export const receiptList: Shape<readonly Receipt[]> = list("the receipts of a checkpoint, in its order", receipt);

export const finalized: Shape<Finalized> = object<Finalized>("a receipt with its certificate", {
  ...members,
  epoch: count("the epoch of the certificate"),
  counter_signatures: list("the signatures of the certificate", signatureAnswer),
  certificate: withCode("the finality certificate, as `quorumlab verify` reads it", {
    type: "object",
    additionalProperties: true,
  }),
});
