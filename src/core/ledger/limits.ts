/**
 * Bounds of the ledger layer. Text lengths are in bytes of UTF-8. The lengths are this program's choice (specification
 * 14.1); clients set none but the memo's (wire 5).
 */
import type { Role } from "../base/operation.ts";

/** Largest nonce that an operation may carry: the counter after it is still a safe integer. */
export const NONCE_MAX: number = Number.MAX_SAFE_INTEGER - 1;
/** Token decimals (specification 14.1). */
export const DECIMALS_MAX = 18;
/** At least one byte: the token's address derives from it. */
export const SYMBOL_BYTES = 32;
export const NAME_BYTES = 128;
export const URI_BYTES = 2_048;
/** Key/value pairs of a metadata update. */
export const ADDITIONAL_PAIRS = 32;
export const ADDITIONAL_KEY_BYTES = 64;
export const ADDITIONAL_VALUE_BYTES = 1_024;
/** Hash of a transaction, or an address, of another chain. */
export const FOREIGN_BYTES = 128;
export const BRIDGE_METADATA_BYTES = 1_024;
export const BRIDGE_PARAM_BYTES = 1_024;
/** Payments of one batch: as many fit in the body of a request. */
export const BATCH_LEGS = 256;
export const BATCH_ID_BYTES = 128;
/** Seconds since 1970 that a batch may name: what 64 bits hold. */
export const CREATED_AT_MAX: bigint = 2n ** 64n - 1n;
/** Action and role spellings; the longest known one has 15 bytes. */
export const SPELLING_BYTES = 32;
/** Members of a memo (wire 5). */
export const MEMO_BYTES: { readonly type: number; readonly format: number; readonly data: number } = {
  type: 128,
  format: 64,
  data: 256,
};
/** Largest number of addresses that hold a role (specification 14.2). */
export const ROLE_CAPS: Readonly<Record<Role, number>> = {
  MasterMintBurn: 1,
  MintBurnTokens: 20,
  Pause: 5,
  ManageList: 5,
  UpdateMetadata: 5,
  Clawback: 5,
  Bridge: 5,
};
/** Largest L of protocol 3 that a genesis may set, and the default: 64 of the largest metadata updates are 2.4 MB. */
export const LIST_LIMIT = 64;
/** Largest M of protocol 6.1 that a genesis may set. */
export const CHECKPOINT_LIMIT = 65_536;
/** Members of a signer set (specification 14.1). */
export const SIGNERS_MAX = 20;
export const WEIGHT_MAX = 255;
/** Longest interval between two checkpoints, a day, in milliseconds; the longest period is as long, in seconds. */
export const CHECKPOINT_INTERVAL_MS = 86_400_000;
/** Entries of one piece of a state. */
export const PIECE_ENTRIES = 256;
/** Branches above a piece: far more than the bits in which keys of a state differ. What lies below them is no state. */
export const PIECE_DEPTH = 2_048;
/** Levels of branches in the response to one location. */
export const PIECE_LEVELS = 4;
/** Free text that a proposer may add to a checkpoint, in bytes of UTF-8. */
export const EXTRA_DATA_BYTES = 256;
/** Largest number of checkpoints in an epoch. */
export const EPOCH_CHECKPOINTS = 1_000_000;
/** Largest committee. */
export const VALIDATORS_MAX = 1_000;

/** Time for which an operation is due before it precedes restrictions in its token's list. In virtual milliseconds. */
export const LIST_WAIT_MS = 5_000;
