/** File formats of `verify` for inclusion proofs: an operation, a receipt or a balance in a checkpoint. */
import type { CheckpointNumber, Hash } from "../core/base/ids.ts";
import type { CheckpointHeader } from "../core/base/slot.ts";
import { flag, list, object, oneOf, optional, type Shape, text, wholeNumber } from "../scenario/schema/shape.ts";
import { type CertificateFile, certificateShape, HASH, type SlotPart, slotShape } from "./certificate-file.ts";
import { type ClosingPart, closingShape } from "./closing-file.ts";

/** The Checkpoint resource without hash and transactions. */
export interface HeaderPart {
  readonly number: number;
  readonly parent_hash: string;
  readonly state_root: string;
  readonly transactions_root: string;
  readonly receipts_root: string;
  readonly timestamp: number;
  readonly size: number;
  readonly extra_data: string;
}

/** Merkle proof in a list: index, length, sibling hashes from the leaf to the root. */
interface Placed {
  readonly index: number;
  readonly count: number;
  readonly path: readonly string[];
}

export interface OperationPart extends Placed {
  readonly id: string;
}

export interface ReceiptPart extends Placed {
  readonly id: string;
  readonly success: boolean;
  readonly fee: string;
  readonly fee_token?: string;
  readonly error?: string;
  readonly slot: SlotPart;
}

export interface BalancePart {
  readonly account: string;
  readonly token: string;
  /** In the token's smallest unit. */
  readonly amount: string;
  /** Hash of the ledger header; `parts`: roots of the state parts. */
  readonly header: string;
  readonly parts: readonly string[];
  readonly path: readonly { readonly bit: number; readonly sibling: string }[];
  /** The entry at the end of the path. An entry of another account or token proves that the balance is 0. */
  readonly found?: { readonly account: string; readonly token: string; readonly amount: string };
}

export interface InclusionFile {
  /** The certificate of the checkpoint. */
  readonly certificate: CertificateFile;
  readonly checkpoint: HeaderPart;
  readonly listed_root: string;
  /** Present if the checkpoint is the closing of an epoch. */
  readonly closing?: ClosingPart;
  readonly operation?: OperationPart;
  readonly receipt?: ReceiptPart;
  readonly balance?: BalancePart;
}

const MAX = Number.MAX_SAFE_INTEGER;
const ADDRESS = "^0x[0-9a-fA-F]{40}$";
const AMOUNT = "^(0|[1-9][0-9]{0,77})$";
const hash = (description: string): Shape<string> => text(`${description}: 0x and 64 hex digits, in quotes`, HASH);
const address = (description: string): Shape<string> =>
  text(`${description}: 0x and 40 hex digits, in quotes`, ADDRESS);
const amount = (description: string): Shape<string> =>
  text(`${description} in the smallest unit, as decimal text`, AMOUNT);
const anyLength = { minItems: 0, maxItems: 2_048 };
const place = {
  index: wholeNumber("the index in the list, from 0", 0, MAX),
  count: wholeNumber("the length of the list", 1, MAX),
  path: list("the sibling hashes from the leaf to the root", hash("a hash"), anyLength),
};
const entry = { account: address("the account"), token: address("the token"), amount: amount("the balance") };

export const inclusionShape: Shape<InclusionFile> = object<InclusionFile>(
  "An inclusion proof.",
  {
    certificate: certificateShape,
    checkpoint: object<HeaderPart>("the header of the checkpoint", {
      number: wholeNumber("the number", 1, MAX),
      parent_hash: hash("the parent's hash"),
      state_root: hash("the state root"),
      transactions_root: hash("the transactions root"),
      receipts_root: hash("the receipts root"),
      timestamp: wholeNumber("seconds", 0, MAX),
      size: wholeNumber("bytes", 0, MAX),
      extra_data: text("extra data", undefined, { minLength: 0 }),
    }),
    listed_root: hash("the root of the listed slots"),
    closing: optional(closingShape),
    operation: optional(
      object<OperationPart>("an operation that took effect", { id: hash("the operation's id"), ...place }),
    ),
    receipt: optional(
      object<ReceiptPart>("a receipt", {
        id: hash("the operation's id"),
        success: flag("true if the operation succeeded"),
        fee: amount("the fee"),
        fee_token: optional(address("the token of the fee")),
        error: optional(text("the refusal code")),
        slot: slotShape,
        ...place,
      }),
    ),
    balance: optional(
      object<BalancePart>("an account's balance", {
        ...entry,
        header: hash("the hash of the state's header"),
        parts: list("the roots of the state's parts", hash("a root"), { minItems: 6, maxItems: 6 }),
        path: list(
          "the path from the root to the balance",
          object<BalancePart["path"][number]>("a step", {
            bit: wholeNumber("the bit in which the two subtrees differ", 0, MAX),
            sibling: hash("the hash of the sibling subtree"),
          }),
          anyLength,
        ),
        found: optional(object<NonNullable<BalancePart["found"]>>("the entry at the end of the path", entry)),
      }),
    ),
  },
  oneOf(["operation", "receipt", "balance"]),
);

/** The JSON of a header. */
export function headerPart(header: CheckpointHeader): HeaderPart {
  const { number, parentHash, stateRoot, transactionsRoot, receiptsRoot, timestamp, size, extraData } = header;
  return {
    number,
    parent_hash: parentHash,
    state_root: stateRoot,
    transactions_root: transactionsRoot,
    receipts_root: receiptsRoot,
    timestamp,
    size,
    extra_data: extraData,
  };
}

/** The header in a file. */
export function headerOf(part: HeaderPart): CheckpointHeader {
  const lower = (text: string): Hash => text.toLowerCase() as Hash;
  return {
    number: part.number as CheckpointNumber,
    parentHash: lower(part.parent_hash),
    stateRoot: lower(part.state_root),
    transactionsRoot: lower(part.transactions_root),
    receiptsRoot: lower(part.receipts_root),
    timestamp: part.timestamp,
    size: part.size,
    extraData: part.extra_data,
  };
}
