/** Inclusion proofs: made from a final checkpoint, verified against its certificate alone (protocol 6.1). */

import type { Amount } from "../core/base/amount.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import { fromHex } from "../core/base/encoding.ts";
import { entryOf } from "../core/base/entry.ts";
import type { Address, Hash } from "../core/base/ids.ts";
import type { Receipt, Refusal } from "../core/base/refusal.ts";
import { type CheckpointHeader, parseSlotKey, slotKey } from "../core/base/slot.ts";
import { type ListProof, type ListProver, listProofFault, listProver } from "../core/crypto/merkle-list.ts";
import { receiptBytes } from "../core/ledger/checkpoint.ts";
import { balanceBytes, type Proof, prove, verifyProof } from "../core/ledger/roots.ts";
import { balanceKey, netBalanceOf } from "../core/ledger/state.ts";
import { checkpointHash, closingHash, listedRootOf } from "../core/ledger/value.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import { certificateFile, slotOf, slotPart } from "./certificate-file.ts";
import { closingFault, closingOf, closingPart } from "./closing-file.ts";
import { type BalancePart, headerOf, headerPart, type InclusionFile, type ReceiptPart } from "./inclusion-file.ts";

/** Receipts of a checkpoint, and the prover of their places in one of its lists. */
interface ProvenList {
  readonly receipts: readonly Receipt[];
  readonly prove: ListProver;
}

const operationLists = new WeakMap<ChainLink, ProvenList>();
const receiptLists = new WeakMap<ChainLink, ProvenList>();

/** Returns the receipts of the slots that a checkpoint lists, in order. */
export function receiptsOf({ applications }: Pick<ChainLink, "applications">): readonly Receipt[] {
  return applications.flatMap(({ event }) => event.receipts);
}

function provenList(link: ChainLink, bytesOf: (receipt: Receipt) => Uint8Array): ProvenList {
  const receipts = receiptsOf(link);
  return { receipts, prove: listProver(receipts.map(bytesOf)) };
}

/**
 * The proof that a checkpoint lists the operation of a receipt, from 0 in its order. O(list) for the first one of a link,
 * O(log list) hashes for each further one. @throws RangeError outside of the list
 */
export function operationProof(link: ChainLink, index: number): InclusionFile {
  const { receipts, prove } = entryOf(operationLists, link, () => provenList(link, ({ id }) => fromHex(id)));
  const place = prove(index);
  const { id } = receipts[index] as Receipt;
  return { ...bareFile(link), operation: { id, ...place } };
}

/** The proof of a receipt; index, cost and error as of `operationProof`. */
export function receiptProof(link: ChainLink, index: number): InclusionFile {
  const { receipts, prove } = entryOf(receiptLists, link, () => provenList(link, receiptBytes));
  const place = prove(index);
  const { id, success, fee, feeToken, error, slot } = receipts[index] as Receipt;
  return {
    ...bareFile(link),
    receipt: {
      ...{ id, success, fee: String(fee) },
      ...definedMembers({ fee_token: feeToken, error: error?.code }),
      slot: slotPart(parseSlotKey(slot)),
      ...place,
    },
  };
}

/** The proof of a balance after a checkpoint, 0 included. */
export function balanceProof(link: ChainLink, account: Address, token: Address): InclusionFile {
  const { state } = link;
  const { entry, header, parts } = prove(state, "balances", balanceKey(account, token));
  const [owner, of] = (entry.found?.key ?? "").split("/") as [Address, Address];
  const found = entry.found && { account: owner, token: of, amount: String(netBalanceOf(state, owner, of)) };
  return {
    ...bareFile(link),
    balance: {
      account,
      token,
      amount: String(netBalanceOf(state, account, token)),
      header,
      parts,
      path: entry.path,
      ...(found === undefined ? {} : { found }),
    },
  };
}

function bareFile({ certificate, content: { value }, state }: ChainLink): InclusionFile {
  return {
    certificate: certificateFile(state.chainId, certificate),
    checkpoint: headerPart(value.header),
    listed_root: listedRootOf(value.listed),
    ...(value.type === "closing" ? { closing: closingPart(value) } : {}),
  };
}

/** The reason why a proof does not hold in the checkpoint of its certificate; `undefined` if it holds. */
export function inclusionRefusal(file: InclusionFile): string | undefined {
  const header = headerOf(file.checkpoint);
  const { slot, value, epoch } = file.certificate;
  const { closing } = file;
  const isItsSlot =
    closing === undefined
      ? slot.kind === "checkpoint" && slot.number === header.number
      : slot.kind === "epoch" && slot.number === closing.epoch && epoch === closing.epoch;
  if (!isItsSlot) return "the certificate decides another slot";
  const hash = chainHash(file, header);
  if (typeof hash !== "string") return hash.fault;
  if (hash !== value.toLowerCase()) return "the certificate decides another checkpoint";
  if (file.operation !== undefined) {
    const { id, ...place } = file.operation;
    return listProofFault(header.transactionsRoot, fromHex(id), placeOf(place));
  }
  if (file.receipt !== undefined) {
    return listProofFault(header.receiptsRoot, receiptBytes(receiptOf(file.receipt)), placeOf(file.receipt));
  }
  return file.balance === undefined ? "it proves nothing" : balanceRefusal(header.stateRoot, file.balance);
}

/** The value hash that the certificate must name, of a checkpoint or of a closing. */
function chainHash(
  { listed_root, closing }: InclusionFile,
  header: CheckpointHeader,
): Hash | { readonly fault: string } {
  const listedRoot = listed_root.toLowerCase() as Hash;
  if (closing === undefined) return checkpointHash(header, listedRoot);
  const fault = closingFault(closing);
  return fault === undefined ? closingHash({ header, ...closingOf(closing) }, listedRoot) : { fault };
}

function balanceRefusal(root: Hash, part: BalancePart): string | undefined {
  const lower = (text: string): string => text.toLowerCase();
  const key = (owner: string, token: string): string => balanceKey(lower(owner) as Address, lower(token) as Address);
  const { found } = part;
  const proof: Proof = {
    part: "balances",
    entry: {
      key: key(part.account, part.token),
      found: found && { key: key(found.account, found.token), value: balanceBytes(BigInt(found.amount)) },
      path: part.path.map(({ bit, sibling }) => ({ bit, sibling: lower(sibling) as Hash })),
    },
    header: lower(part.header) as Hash,
    parts: part.parts.map((one) => lower(one) as Hash),
  };
  const judged = verifyProof(root, proof);
  if (judged.result === "invalid") return judged.reason;
  const amount = judged.result === "absent" ? 0n : BigInt(found?.amount ?? 0);
  return amount === BigInt(part.amount) ? undefined : `the balance is ${amount}, not ${part.amount}`;
}

function placeOf({ index, count, path }: Omit<ListProof, "path"> & { readonly path: readonly string[] }): ListProof {
  return { index, count, path: path.map((hash) => hash.toLowerCase() as Hash) };
}

/** The receipt in a file. */
export function receiptOf({ id, success, fee, fee_token: feeToken, error, slot }: ReceiptPart): Receipt {
  return {
    id: id.toLowerCase() as Hash,
    success,
    fee: BigInt(fee) as Amount,
    feeToken: feeToken?.toLowerCase() as Address | undefined,
    error: error === undefined ? undefined : ({ code: error } as Refusal),
    slot: slotKey(slotOf(slot)),
  };
}
