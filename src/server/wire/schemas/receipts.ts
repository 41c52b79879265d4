/** Receipts and finalized transactions under the names of all client versions (wire 1.4). */
import type { CertificateFile } from "../../../proofs/certificate-file.ts";
import type { Shape } from "../../../scenario/schema/shape.ts";
import type { SignatureFields } from "../signature.ts";
import { address, amount, boolean, count, hash, list, object, orNull, withCode, words } from "./schema-types.ts";
import { signatureAnswer } from "./transactions.ts";

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
