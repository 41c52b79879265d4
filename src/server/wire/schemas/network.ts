/** Schemas of responses about the network: chain, epochs, signature mode, checkpoints (wire 1.1, 1.4, 4; specification 10.1). */
import type { Static } from "typebox";
import type { CertificateFile } from "../../../proofs/certificate-file.ts";
import { optional, type Shape } from "../../../schema/shape.ts";
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
  withCode,
  words,
} from "./schema-types.ts";
import { type ListedTransaction, listedTransaction } from "./transactions.ts";

export const chainId = namedObject("ChainId", "the chain", { chain_id: count("the chain id") });

const noPlan = (about: string): Shape<null> => withCode(`the plan of ${about}, null for none`, { type: "null" });

export const plans = namedObject("PricingPlans", "the pricing plans", {
  sender: noPlan("the sender"),
  recipient: noPlan("the recipient"),
  token: noPlan("the token"),
});

const feeMembers = {
  payment: amount("the fee of a payment"),
  cancellation: amount("the fee of a cancellation"),
  recovery: amount("the fee of a recovery"),
};
const tokenFees = object("the fees of one token", { ...feeMembers, token: address("the token") });

const publicKey = (description: string): Shape<string> =>
  withCode(`${description}: 0x and 66 hex digits`, {
    type: "string",
    pattern: "^0x0[23][0-9a-f]{64}$",
    examples: [KEY_EXAMPLE],
  });

/** Members of an epoch that the published relayer reads. */
const epochMessage = object("the parameters as the published network names them", {
  epoch: object("the epoch", { epoch_id: count("the number of the epoch") }),
  chain: count("the chain id"),
  timestamp: count("Unix seconds of the checkpoint that opened it"),
  special_accounts: object("accounts with a role in the network", {
    operator_public_key: publicKey("the operator's key"),
    operator_address: address("the operator"),
    escrow_account_public_key: publicKey("the key of the escrow account, the operator's here"),
    escrow_account_address: address("the escrow account, the operator here"),
    pricing_authority_public_key: publicKey("the key of the pricing authority, the operator's here"),
    pricing_authority_address: address("the pricing authority, the operator here"),
  }),
  validator_set: object("the committee", {
    members: list(
      "its members, in its order",
      object("a validator", {
        consensus_public_key: publicKey("its key"),
        address: address("the address of its key"),
        peer_id: words("the name of its key here", undefined, ["v1"]),
        archive: boolean("whether it is an archive; none votes here that is one"),
      }),
    ),
  }),
});

export type EpochMessage = Static<typeof epochMessage>;

const epochCertificate = namedObject("EpochCertificate", "the parameters of the epoch", {
  type: oneOf("the type", ["Genesis", "Epoch"]),
  proposal: namedObject("EpochProposal", "the proposal", {
    epoch: count("the number of the epoch"),
    message: epochMessage,
  }),
  chain_id: count("the chain id"),
  epoch: count("the number of the epoch"),
  validators: list("the committee, in its order", address("the address of a validator's key")),
  crypto: optional(oneOf("the signature scheme", ["real", "stand-in"])),
  bls_public_keys: list("the BLS public keys of the committee, in its order", words("0x and 192 hex digits")),
  fees: object("the fees, and those of tokens with fees of their own", {
    ...feeMembers,
    tokens: list("tokens with fees of their own", tokenFees),
  }),
  rewards: list("the accounts that get the share of each validator", address("an account")),
  opening: nullable(withCode<CertificateFile>("the certificate of the closing that opened it", ANY_MEMBERS)),
});

export const epoch = namedObject("Epoch", "an epoch", {
  epoch_id: count("the number of the epoch"),
  certificate_hash: hash("the hash of the closing that opened it"),
  certificate: epochCertificate,
  committee_hash: hash("the hash over every other member, by which `quorumlab verify` sees a change"),
});

/** With `encoding=bcs`. */
const encodedEpoch = namedObject("EncodedEpoch", "an epoch with its certificate in BCS", {
  epoch_id: count("the number of the epoch"),
  certificate_hash: hash("the hash of the closing that opened it"),
  certificate: words("the certificate in BCS, 0x and hex digits", undefined, ["0x00"]),
});

export const epochReply = withCode<EpochAnswer | Static<typeof encodedEpoch>>("an epoch", {
  anyOf: [epoch, encodedEpoch],
});

/** R15 and R16. */
export type EpochAnswer = Static<typeof epoch>;
export type EpochCertificate = EpochAnswer["certificate"];
/** Fees in the smallest unit of the token that is moved. */
export type Fees = Omit<EpochCertificate["fees"], "tokens">;

export const nativeStatus = namedObject("NativeStatus", "the signature mode of writes", {
  native_write_mode: oneOf("the mode", ["v1_only", "dual", "v2_only"]),
  read_only: boolean("whether writes are refused"),
  activation_source: oneOf("why", ["not_activated", "binary_release"]),
  dual_activated_at_secs: withCode<null>("never", { type: "null" }),
  native_domain_separated_transactions: object("support of domain-separated signatures", {
    support_count: count("validators that do"),
    required_count: count("validators that would have to"),
    full_support: boolean("whether all do"),
  }),
});

/** R18. */
export type NativeStatus = Static<typeof nativeStatus>;

export const checkpointNumber = namedObject("CheckpointNumber", "the number of the last checkpoint", {
  number: count("the number"),
});

export const checkpoint = namedObject("Checkpoint", "a checkpoint", {
  hash: hash("the hash"),
  parent_hash: hash("the hash of the one before"),
  state_root: hash("the root of the state after it"),
  transactions_root: hash("the root of the ids of its operations"),
  receipts_root: hash("the root of their receipts"),
  number: count("the number; the genesis is 0"),
  timestamp: count("Unix seconds"),
  extra_data: words("extra data"),
  size: optional(count("bytes of the checkpoint in its wire form")),
  transactions: withCode<readonly string[] | readonly ListedTransaction[]>(
    "all hashes, or with full=true all entries",
    {
      type: "array",
      items: { anyOf: [hash("a transaction's hash"), listedTransaction] },
    },
  ),
});

/** R7 and R8. */
export type Checkpoint = Static<typeof checkpoint>;

export const latestEpochCheckpoint = namedObject("LatestEpochCheckpoint", "the current epoch and the last checkpoint", {
  epoch: count("the epoch"),
  checkpoint: count("the number of the last checkpoint"),
  checkpoint_hash: hash("its hash"),
  checkpoint_parent_hash: hash("the hash of the one before"),
});

/** R17. */
export type LatestEpochCheckpoint = Static<typeof latestEpochCheckpoint>;
