/** Checkpoints, epochs and the signature mode in responses (wire 1.4, 4). */

import { fromHex, toHex } from "../../../core/base/encoding.ts";
import type { FeeEntry } from "../../../core/base/epoch.ts";
import type { Address, Hash, PublicKey } from "../../../core/base/ids.ts";
import type { OperationId } from "../../../core/base/operation.ts";
import type { Receipt as Decided } from "../../../core/base/refusal.ts";
import type { CheckpointHeader } from "../../../core/base/slot.ts";
import type { Scheme } from "../../../core/crypto/scheme.ts";
import { checkpointBytes } from "../../../core/ledger/value.ts";
import type { ArchivedSubmission, EpochRecord } from "../../../live/archive.ts";
import type { Archive } from "../../../live/archive-writer.ts";
import { certificateFile, committeeMembers, withCommitteeHash } from "../../../proofs/certificate-file.ts";
import type { ChainLink } from "../../../run/checkpoint-chain.ts";
import { servesVersion, type WriteMode } from "../paths.ts";
import type {
  Checkpoint,
  EpochAnswer,
  EpochMessage,
  Fees,
  LatestEpochCheckpoint,
  NativeStatus,
} from "../schemas/network.ts";
import type { Transaction, WireReceipt } from "../schemas/transactions.ts";
import { receipt } from "./receipt.ts";
import { transaction } from "./transaction.ts";

/** A link of the chain, or the genesis, which lists nothing. */
export type AnyLink = ChainLink | Archive["genesisLink"];

/** The copy by which an operation is shown: checkpoints list ids, clients know hashes. */
export type CopyOf = (id: OperationId) => ArchivedSubmission;

/**
 * Returns a checkpoint with all entries if `full`, else with their hashes (wire 1.4, Checkpoint). `shown`: makes an
 * entry.
 */
export function checkpoint(link: AnyLink, full: boolean, copyOf: CopyOf, shown = transaction): Checkpoint {
  const header = headerOf(link);
  const receipts = receiptsOf(link);
  return {
    hash: link.hash,
    ...rootsOf(header),
    number: header.number,
    timestamp: header.timestamp,
    extra_data: header.extraData,
    size: checkpointBytes(checkpointValueOf(link)),
    transactions:
      full && "content" in link
        ? receipts.map(({ id, fee }, index) => ({ ...shown(copyOf(id), { link, index }), fee: String(fee) }))
        : receipts.map(({ id }) => copyOf(id).hash),
  };
}

/** The receipts of what it lists, in its order (wire 1.1, R9). */
export function checkpointReceipts(link: AnyLink, copyOf: CopyOf): readonly WireReceipt[] {
  if (!("content" in link)) return [];
  return receiptsOf(link).map((decided, index) => receipt(copyOf(decided.id), decided, { link, index }, link.state));
}

/**
 * Returns a checkpoint as an event of the websocket, where numbers are texts and names differ (wire 4). `shown`: makes
 * an entry.
 */
export function eventCheckpoint(link: ChainLink, full: boolean, copyOf: CopyOf, shown = transaction) {
  const header = headerOf(link);
  const receipts = receiptsOf(link);
  return {
    checkpoint: link.hash,
    number: String(header.number),
    timestamp: String(header.timestamp),
    ...rootsOf(header),
    hash: link.hash,
    extra_data: header.extraData,
    size: checkpointBytes(checkpointValueOf(link)),
    transactions: full
      ? receipts.map((decided, index) =>
          eventTransaction(link, index, decided, shown(copyOf(decided.id), { link, index })),
        )
      : receipts.map(({ id }) => copyOf(id).hash),
  };
}

/** The current epoch with the last link (wire 1.1, R17): a closing already belongs to the epoch that it opens. */
export function latestEpochCheckpoint(link: AnyLink): LatestEpochCheckpoint {
  const { number, parentHash } = headerOf(link);
  return {
    epoch: "content" in link ? link.state.epoch : 0,
    checkpoint: number,
    checkpoint_hash: link.hash,
    checkpoint_parent_hash: parentHash,
  };
}

function eventTransaction(link: ChainLink, index: number, { fee }: Decided, entry: Transaction) {
  return {
    ...entry,
    chain_id: String(entry.chain_id),
    nonce: String(entry.nonce),
    checkpoint_number: String(headerOf(link).number),
    transaction_index: String(index),
    fee: String(fee),
    signature: { ...entry.signature, y_parity: entry.signature.v },
  };
}

function checkpointValueOf(link: AnyLink): ChainLink["content"]["value"] {
  return "content" in link ? link.content.value : link.value;
}

function headerOf(link: AnyLink): CheckpointHeader {
  return checkpointValueOf(link).header;
}

function receiptsOf(link: AnyLink): readonly Decided[] {
  return "content" in link ? link.applications.flatMap(({ event }) => event.receipts) : [];
}

function rootsOf({ parentHash, stateRoot, transactionsRoot, receiptsRoot }: CheckpointHeader) {
  return {
    parent_hash: parentHash,
    state_root: stateRoot,
    transactions_root: transactionsRoot,
    receipts_root: receiptsRoot,
  };
}

/** Facts about an epoch that its record lacks. */
export interface EpochFacts {
  /** Unix seconds of the checkpoint that opened it. */
  readonly timestamp: number;
  readonly operator: { readonly publicKey: PublicKey; readonly address: Address };
  /** Keys of its validators, in its order. */
  readonly keys: readonly { readonly name: string; readonly publicKey: PublicKey; readonly blsKey: string }[];
}

/** Parameters of an epoch and the closing that opened it, for epoch 0 the genesis checkpoint (wire 1.4). */
export function epoch(
  chainId: number,
  record: EpochRecord,
  genesis: Hash,
  scheme: Scheme,
  facts: EpochFacts,
): EpochAnswer {
  const { parameters, opening } = record;
  const { validators, fees } = parameters;
  const members = validators.map(({ key }) => key);
  return withCommitteeHash({
    epoch_id: record.epoch,
    certificate_hash: opening?.value ?? genesis,
    certificate: {
      type: opening === undefined ? ("Genesis" as const) : ("Epoch" as const),
      proposal: { epoch: record.epoch, message: epochMessage(chainId, record.epoch, members, facts) },
      ...committeeMembers(chainId, record.epoch, members, scheme),
      bls_public_keys: facts.keys.map(({ blsKey }) => blsKey),
      fees: {
        ...feesOf(fees.default),
        tokens: [...fees.tokens].map(([token, entry]) => ({ token, ...feesOf(entry) })),
      },
      rewards: validators.map(({ reward }) => reward),
      opening: opening === undefined ? null : certificateFile(chainId, opening),
    },
  });
}

/** This ledger has neither an escrow account nor a pricing authority: the operator stands for both. */
function epochMessage(
  chain: number,
  epoch_id: number,
  members: readonly Address[],
  { timestamp, operator: { publicKey, address: account }, keys }: EpochFacts,
): EpochMessage {
  return {
    epoch: { epoch_id },
    chain,
    timestamp,
    special_accounts: {
      operator_public_key: publicKey,
      operator_address: account,
      escrow_account_public_key: publicKey,
      escrow_account_address: account,
      pricing_authority_public_key: publicKey,
      pricing_authority_address: account,
    },
    validator_set: {
      members: members.map((address, index) => ({
        consensus_public_key: keys[index]?.publicKey ?? "",
        address,
        peer_id: keys[index]?.name ?? "",
        archive: false,
      })),
    },
  };
}

type Bytes = readonly number[];

/** A length, or the index of a variant: seven bits a byte, the lowest first. */
function uleb(value: number): Bytes {
  return value < 128 ? [value] : [(value & 127) | 128, ...uleb(value >> 7)];
}

/** Eight bytes, the lowest first. */
function u64(value: number): Bytes {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return [...bytes];
}

function sequence(bytes: Bytes): Bytes {
  return [...uleb(bytes.length), ...bytes];
}

/**
 * The certificate of an epoch in BCS, the encoding in which the published relayer may ask for it: 0x and hex digits of the
 * variant, and of the members of the message in their order. Addresses have a fixed length.
 */
export function epochBcs(type: "Genesis" | "Epoch", message: EpochMessage): string {
  const { epoch, chain, timestamp, special_accounts: accounts, validator_set } = message;
  const account = (key: string, address: string): Bytes => [...sequence([...fromHex(key)]), ...fromHex(address)];
  const members = validator_set.members.flatMap(({ consensus_public_key: key, address, peer_id, archive }) => [
    ...account(key, address),
    ...sequence([...Buffer.from(peer_id)]),
    archive ? 1 : 0,
  ]);
  const bytes = [
    ...uleb(type === "Genesis" ? 0 : 1),
    ...[...u64(epoch.epoch_id), ...u64(chain), ...u64(timestamp)],
    ...account(accounts.operator_public_key, accounts.operator_address),
    ...account(accounts.escrow_account_public_key, accounts.escrow_account_address),
    ...account(accounts.pricing_authority_public_key, accounts.pricing_authority_address),
    ...[...uleb(validator_set.members.length), ...members],
  ];
  return toHex(Uint8Array.from(bytes));
}

function feesOf({ payment, cancellation, recovery }: FeeEntry): Fees {
  return { payment: String(payment), cancellation: String(cancellation), recovery: String(recovery) };
}

/** Says whether writes of version 2, whose signatures are separated by domain, are served (wire 1.4). */
export function nativeStatus(mode: WriteMode, validators: number): NativeStatus {
  const isActive = servesVersion(mode, 2);
  return {
    native_write_mode: STATUS_WORDS[mode],
    read_only: false,
    activation_source: isActive ? "binary_release" : "not_activated",
    dual_activated_at_secs: null,
    native_domain_separated_transactions: {
      support_count: isActive ? validators : 0,
      required_count: validators,
      full_support: isActive,
    },
  };
}

/** Words of clients for the modes (wire 1.4). */
const STATUS_WORDS: Readonly<Record<WriteMode, NativeStatus["native_write_mode"]>> = {
  "v1-only": "v1_only",
  dual: "dual",
  "v2-only": "v2_only",
};
