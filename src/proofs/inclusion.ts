/** Inclusion proofs: made from an archived checkpoint, verified against its certificate alone (protocol 6.1). */

import type { Amount } from "../core/base/amount.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import { fromHex } from "../core/base/encoding.ts";
import { entryOf } from "../core/base/entry.ts";
import type { Address, Hash } from "../core/base/ids.ts";
import type { Receipt, Refusal } from "../core/base/refusal.ts";
import { type CheckpointHeader, parseSlotKey, slotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { type ListProof, type ListProver, listProofFault, listProver } from "../core/crypto/merkle-list.ts";
import { receiptBytes } from "../core/ledger/checkpoint.ts";
import { balanceBytes, type Proof, prove, verifyProof } from "../core/ledger/roots.ts";
import { balanceKey, type LedgerState, netBalanceOf } from "../core/ledger/state.ts";
import { checkpointHash, closingHash, listedRootOf } from "../core/ledger/value.ts";
import type { ChainContent } from "../core/validator/content.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import { certificateFile, slotOf, slotPart } from "./certificate-file.ts";
import { closingFault, closingOf, closingPart } from "./closing-file.ts";
import { type BalancePart, headerOf, headerPart, type InclusionFile, type ReceiptPart } from "./inclusion-file.ts";

/** A final checkpoint or closing with its receipts and state. */
export interface ArchivedLink {
  readonly certificate: FinalityCertificate;
  readonly content: ChainContent;
  /** Receipts of its listed slots, in order. */
  readonly receipts: readonly Receipt[];
  /** The state after it. */
  readonly state: LedgerState;
}

const archivedLinks = new WeakMap<ChainLink, ArchivedLink>();

/** The archived form of a chain link, the same of each call. */
export function archiveLink(link: ChainLink): ArchivedLink {
  return entryOf(archivedLinks, link, ({ certificate, content, applications, state }) => {
    const receipts = applications.flatMap(({ event }) => event.receipts);
    return { certificate, content, receipts, state };
  });
}

const operationProvers = new WeakMap<ArchivedLink, ListProver>();
const receiptProvers = new WeakMap<ArchivedLink, ListProver>();

/**
 * The proof that a checkpoint lists the operation of a receipt, from 0 in its order. O(list) for the first one of a link,
 * O(log list) hashes for each further one. @throws RangeError outside of the list
 */
export function operationProof(archived: ArchivedLink, index: number): InclusionFile {
  const prover = entryOf(operationProvers, archived, ({ receipts }) =>
    listProver(receipts.map((receipt) => fromHex(receipt.id))),
  );
  const place = prover(index);
  const { id } = archived.receipts[index] as Receipt;
  return { ...bareFile(archived), operation: { id, ...place } };
}

/** The proof of a receipt; index, cost and error as of `operationProof`. */
export function receiptProof(archived: ArchivedLink, index: number): InclusionFile {
  const prover = entryOf(receiptProvers, archived, ({ receipts }) => listProver(receipts.map(receiptBytes)));
  const place = prover(index);
  const { id, success, fee, feeToken, error, slot } = archived.receipts[index] as Receipt;
  return {
    ...bareFile(archived),
    receipt: {
      ...{ id, success, fee: String(fee) },
      ...definedMembers({ fee_token: feeToken, error: error?.code }),
      slot: slotPart(parseSlotKey(slot)),
      ...place,
    },
  };
}

/** The proof of a balance after a checkpoint, 0 included. */
export function balanceProof(archived: ArchivedLink, account: Address, token: Address): InclusionFile {
  const { state } = archived;
  const { entry, header, parts } = prove(state, "balances", balanceKey(account, token));
  const [owner, of] = (entry.found?.key ?? "").split("/") as [Address, Address];
  const found = entry.found && { account: owner, token: of, amount: String(netBalanceOf(state, owner, of)) };
  return {
    ...bareFile(archived),
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

function bareFile({ certificate, content: { value }, state }: ArchivedLink): InclusionFile {
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
