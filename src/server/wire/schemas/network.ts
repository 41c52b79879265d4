/** Schemas of responses about the network: chain, epochs, signature mode, checkpoints (wire 1.1, 1.4, 4; specification 10.1). */
import type { CertificateFile, CommitteeFile } from "../../../proofs/certificate-file.ts";
import { optional, type Shape } from "../../../scenario/schema/shape.ts";
import type { SignatureFields } from "../values.ts";
import { address, amount, boolean, count, hash, list, object, oneOf, orNull, withCode, words } from "./schema-types.ts";
import { type Transaction, transaction } from "./transactions.ts";

/** Fees in the smallest unit of the token that is moved. */
export interface Fees {
  readonly payment: string;
  readonly cancellation: string;
  readonly recovery: string;
}

/** The members of a committee file, and what else an epoch fixes (specification 11.1). */
export interface EpochCertificate extends CommitteeFile {
  readonly type: "Epoch";
  readonly proposal: { readonly epoch: number };
  readonly fees: Fees & { readonly tokens: readonly (Fees & { readonly token: string })[] };
  /** Account that gets the share of each validator, in the order of `validators`. */
  readonly rewards: readonly string[];
  /** Certificate of the closing that opened it; null for epoch 0, which was not decided. */
  readonly opening: CertificateFile | null;
}

/** R15 and R16. */
export interface EpochAnswer {
  readonly epoch_id: number;
  /** Hash of the closing that opened the epoch; of epoch 0 the hash of the genesis checkpoint. */
  readonly certificate_hash: string;
  readonly certificate: EpochCertificate;
}

/** R18. */
export interface NativeStatus {
  readonly native_write_mode: "v1_only";
  readonly read_only: boolean;
  readonly activation_source: "not_activated";
  readonly dual_activated_at_secs: null;
  readonly native_domain_separated_transactions: {
    readonly support_count: number;
    readonly required_count: number;
    readonly full_support: boolean;
  };
}

export const chainId: Shape<{ readonly chain_id: number }> = object("the chain", { chain_id: count("the chain id") });

const feeMembers = {
  payment: amount("the fee of a payment"),
  cancellation: amount("the fee of a cancellation"),
  recovery: amount("the fee of a recovery"),
};
const tokenFees = object<EpochCertificate["fees"]["tokens"][number]>("the fees of one token", {
  ...feeMembers,
  token: address("the token"),
});

export const epoch: Shape<EpochAnswer> = object<EpochAnswer>("an epoch", {
  epoch_id: count("the number of the epoch"),
  certificate_hash: hash("the hash of the closing that opened it"),
  certificate: object<EpochCertificate>("the parameters of the epoch", {
    type: oneOf("the type", ["Epoch"] as const),
    proposal: object<EpochCertificate["proposal"]>("the proposal", { epoch: count("the number of the epoch") }),
    chain_id: count("the chain id"),
    epoch: count("the number of the epoch"),
    validators: list("the committee, in its order", address("the address of a validator's key")),
    crypto: { maybe: oneOf("the signature scheme", ["real", "stand-in"] as const) },
    fees: object<EpochCertificate["fees"]>("the fees, and those of tokens with fees of their own", {
      ...feeMembers,
      tokens: list("tokens with fees of their own", tokenFees),
    }),
    rewards: list("the accounts that get the share of each validator", address("an account")),
    opening: orNull(
      withCode<CertificateFile>("the certificate of the closing that opened it", {
        type: "object",
        additionalProperties: true,
      }),
    ),
  }),
});

export const nativeStatus: Shape<NativeStatus> = object<NativeStatus>("the signature mode of writes", {
  native_write_mode: oneOf("the mode", ["v1_only"] as const),
  read_only: boolean("whether writes are refused"),
  activation_source: oneOf("why", ["not_activated"] as const),
  dual_activated_at_secs: withCode("never", { type: "null" }),
  native_domain_separated_transactions: object<NativeStatus["native_domain_separated_transactions"]>(
    "support of domain-separated signatures",
    {
      support_count: count("validators that do"),
      required_count: count("validators that would have to"),
      full_support: boolean("whether all do"),
    },
  ),
});

/** R7 and R8. */
export interface Checkpoint {
  readonly hash: string;
  readonly parent_hash: string;
  readonly state_root: string;
  readonly transactions_root: string;
  readonly receipts_root: string;
  readonly number: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly extra_data: string;
  /** Bytes of the copies that it fixes. */
  readonly size?: number;
  /** All entries or all hashes: clients cannot read a mixture. */
  readonly transactions: readonly string[] | readonly Transaction[];
}

/** Entry of a full checkpoint in an event, where numbers are texts (wire 4). */
export interface EventTransaction
  extends Omit<Transaction, "chain_id" | "nonce" | "checkpoint_number" | "transaction_index" | "signature"> {
  readonly chain_id: string;
  readonly nonce: string;
  readonly checkpoint_number: string;
  readonly transaction_index: string;
  readonly fee: string;
  readonly signature: SignatureFields & { readonly y_parity: number };
}

/** Event of the stream `CHECKPOINTS`, with other names and types than the HTTP response (wire 4). */
export interface EventCheckpoint {
  /** Its hash. */
  readonly checkpoint: string;
  readonly number: string;
  readonly timestamp: string;
  readonly parent_hash: string;
  readonly state_root: string;
  readonly transactions_root: string;
  readonly receipts_root: string;
  readonly size: number;
  readonly transactions: readonly string[] | readonly EventTransaction[];
}

/** R17. */
export interface LatestEpochCheckpoint {
  readonly epoch: number;
  readonly checkpoint: number;
  readonly checkpoint_hash: string;
  readonly checkpoint_parent_hash: string;
}

export const checkpointNumber: Shape<{ readonly number: number }> = object("the number of the last checkpoint", {
  number: count("the number"),
});

export const checkpoint: Shape<Checkpoint> = object<Checkpoint>("a checkpoint", {
  hash: hash("the hash"),
  parent_hash: hash("the hash of the one before"),
  state_root: hash("the root of the state after it"),
  transactions_root: hash("the root of the ids of its operations"),
  receipts_root: hash("the root of their receipts"),
  number: count("the number; the genesis is 0"),
  timestamp: count("Unix seconds"),
  extra_data: words("extra data"),
  size: optional(count("bytes of the copies that it fixes")),
  transactions: withCode("all hashes, or with full=true all entries", {
    type: "array",
    items: { anyOf: [hash("a transaction's hash"), transaction] },
  }),
});

export const latestEpochCheckpoint: Shape<LatestEpochCheckpoint> = object<LatestEpochCheckpoint>(
  "the current epoch and the last checkpoint",
  {
    epoch: count("the epoch"),
    checkpoint: count("the number of the last checkpoint"),
    checkpoint_hash: hash("its hash"),
    checkpoint_parent_hash: hash("the hash of the one before"),
  },
);
