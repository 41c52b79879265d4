/** File formats of `verify` for inclusion proofs: an operation, a receipt or a balance in a checkpoint. */
import type { Static } from "typebox";
import type { CheckpointNumber, Hash } from "../core/base/ids.ts";
import type { CheckpointHeader } from "../core/base/slot.ts";
import { STATE_PARTS } from "../core/ledger/roots.ts";
import { flag, list, object, oneOf, optional, text, wholeNumber } from "../schema/shape.ts";
import { address, amount, certificateShape, hash, MAX, slotShape } from "./certificate-file.ts";
import { closingShape } from "./closing-file.ts";

const PARTS = { minItems: STATE_PARTS.length, maxItems: STATE_PARTS.length };
const anyLength = { minItems: 0, maxItems: 2_048 };
const place = {
  index: wholeNumber("the index in the list, from 0", 0, MAX),
  count: wholeNumber("the length of the list", 1, MAX),
  path: list("the sibling hashes from the leaf to the root", hash("a hash"), anyLength),
};
/** Below zero is what the account owes (protocol 4.4). */
const balance = text("the balance in the smallest unit, as decimal text", "^(0|-?[1-9][0-9]{0,77})$");
const entry = { account: address("the account"), token: address("the token"), amount: balance };

export const inclusionShape = object(
  "An inclusion proof.",
  {
    certificate: certificateShape,
    checkpoint: object("the header of the checkpoint", {
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
    operation: optional(object("an operation that took effect", { id: hash("the operation's id"), ...place })),
    receipt: optional(
      object("a receipt", {
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
      object("an account's balance", {
        ...entry,
        header: hash("the hash of the state's header"),
        parts: list("the roots of the state's parts", hash("a root"), PARTS),
        path: list(
          "the path from the root to the balance",
          object("a step", {
            bit: wholeNumber("the bit in which the two subtrees differ", 0, MAX),
            sibling: hash("the hash of the sibling subtree"),
          }),
          anyLength,
        ),
        found: optional(object("the entry at the end of the path", entry)),
      }),
    ),
  },
  oneOf(["operation", "receipt", "balance"]),
);

export type InclusionFile = Static<typeof inclusionShape>;
/** The Checkpoint resource without hash and transactions. */
export type HeaderPart = InclusionFile["checkpoint"];
export type ReceiptPart = NonNullable<InclusionFile["receipt"]>;
export type BalancePart = NonNullable<InclusionFile["balance"]>;

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
