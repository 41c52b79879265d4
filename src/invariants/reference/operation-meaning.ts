/** Meaning of the texts in an operation (protocol 4; aliases: wire 2.2), and its signed fields (wire 3.9). */
import type { Amount } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Address, PublicKey } from "../../core/base/ids.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import {
  type BatchPayment,
  type BridgeBurn,
  type BridgeMint,
  type CreateMultisig,
  isRecovery,
  type Metadata,
  type Operation,
  type Payment,
  type Recovery,
  type Role,
  type SignedOperation,
  type SignerSet,
  type Submission,
} from "../../core/base/operation.ts";
import { tokenAddress } from "./addresses.ts";

const ROLE_WORDS: ReadonlyMap<string, Role> = new Map([
  ["MasterMintBurn", "MasterMintBurn"],
  ["MasterMint", "MasterMintBurn"],
  ["MintBurnTokens", "MintBurnTokens"],
  ["MintTokens", "MintBurnTokens"],
  ["Burn", "MintBurnTokens"],
  ["Pause", "Pause"],
  ["ManageList", "ManageList"],
  ["Blacklist", "ManageList"],
  ["Whitelist", "ManageList"],
  ["UpdateMetadata", "UpdateMetadata"],
  ["Clawback", "Clawback"],
  ["Bridge", "Bridge"],
]);

/** Returns the role of a received spelling. */
export function roleOf(authorityType: string): Role | undefined {
  return ROLE_WORDS.get(authorityType);
}

/** Returns true for a grant by which the holder may burn, and which says nothing of an allowance. */
export function grantsBurningOnly(authorityType: string): boolean {
  return authorityType === "Burn";
}

/** Role that an operation on a token needs; the master may do everything, and grants the roles without minting. */
export const ROLE_OF = {
  burn: "MintBurnTokens",
  mint: "MintBurnTokens",
  metadata: "UpdateMetadata",
  list: "ManageList",
  pause: "Pause",
  authority: "MasterMintBurn",
  clawback: "Clawback",
  bridgeMint: "Bridge",
} as const satisfies Record<
  Exclude<Operation["kind"], "payment" | "batch" | "bridgeBurn" | "cancellation" | "issue" | "multisig">,
  Role
>;

/**
 * Returns the effect of a list action. The older actions name the list to which they add, and who is whitelisted on the
 * blacklist leaves it.
 */
export function listOf(list: "blacklist" | "whitelist", action: string): "add" | "remove" | undefined {
  if (action === "Add") return "add";
  if (action === "Remove") return "remove";
  if (list === "whitelist") return action === "Whitelist" ? "add" : undefined;
  if (action === "Blacklist") return "add";
  return action === "Whitelist" ? "remove" : undefined;
}

export function isCancellation(signed: SignedOperation): boolean {
  return signed.operation.kind === "cancellation";
}

/** Returns the account that an operation debits if it debits one: its signer's, but for a forced debit (protocol 5). */
export function debitedAccount(operation: Operation, sender: Address): Address {
  switch (operation.kind) {
    case "burn":
      return operation.recipient ?? sender;
    case "clawback":
      return operation.from;
    default:
      return sender;
  }
}

/** Returns true for a debit of another account than the signer's (protocol 5). */
export function isForcedDebit({ operation, sender }: SignedOperation): boolean {
  return debitedAccount(operation, sender) !== sender;
}

/** Returns true for operations by which anybody spends what is its own, and pays for it. */
export function isSpending(operation: Operation): operation is Payment | BatchPayment | BridgeBurn {
  return operation.kind === "payment" || operation.kind === "batch" || operation.kind === "bridgeBurn";
}

/** Returns true for kinds whose effect can make a later operation of the token, or of a holder of a role, fail. */
export function mayRestrict({ operation: { kind } }: SignedOperation): boolean {
  return kind === "pause" || kind === "list" || kind === "authority";
}

/** Returns the kind of slot in which an operation takes effect (protocol 4.1). */
export function effectSlotOf(signed: SignedOperation): "account" | "token" | "debited account" {
  const { kind } = signed.operation;
  switch (kind) {
    case "payment":
    case "batch":
    case "bridgeBurn":
    case "cancellation":
    case "multisig":
      return "account";
    case "burn":
    case "clawback":
      return isForcedDebit(signed) ? "debited account" : "account";
    case "issue":
    case "mint":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
    case "bridgeMint":
      return "token";
    default:
      return unreachable(kind);
  }
}

/** Returns the token of an operation, `undefined` for a cancellation and a creation of a multisig account. */
export function tokenOf(operation: Operation): Address | undefined {
  switch (operation.kind) {
    case "cancellation":
    case "multisig":
      return undefined;
    case "issue":
      return tokenAddress(operation.masterAuthority, operation.symbol);
    default:
      return operation.token;
  }
}

type FieldValue = string | number | bigint | boolean | null | undefined;

/**
 * Returns the signed fields in the order of the layout. Version 1 signs neither the kind nor which list is changed;
 * version 2 signs both (wire 3.3, 3.4).
 */
export function signedFields(operation: Operation): string {
  const { chainId, nonce } = operation;
  const fields = operation.layout === "spec" ? specFields(operation) : clientFields(operation);
  const domain = operation.layout === "v2" ? ["v2", subjectOf(operation), operation.account ?? "one key"] : [];
  const head = [...domain, ...prefixOf(operation), chainId, nonce];
  const owner = operation.layout === "client" && operation.account !== undefined ? ["of", operation.account] : [];
  return textOf([...head, ...fields, ...memoFields(operation), ...owner].filter((field) => field !== undefined));
}

/** Returns true if two operations have one signed digest. Compares the nonces first, which most operations differ in. */
export function isSignedAlike(operation: Operation, other: Operation): boolean {
  return operation.nonce === other.nonce && signedFields(operation) === signedFields(other);
}

/**
 * Returns a text that names an operation as the oracles count it: every field, kind, list, sender and memo, and what is
 * signed, but not the signature. Two operations with one text have one signed digest and one meaning.
 */
export function identityOf(signed: SignedOperation): string {
  return identities.getOrCompute(signed, makeIdentity);
}

/** An operation passes many validators, as one record. */
const identities = new MemoTable<SignedOperation, string>();

function makeIdentity({ operation, sender }: SignedOperation): string {
  // The layout `spec` signs an absent allowance as 0: one digest.
  const isZero = operation.kind === "authority" && operation.layout === "spec";
  const named = isZero ? { ...operation, value: operation.value ?? (0n as Amount) } : operation;
  const { chainId, nonce } = operation;
  const fields = clientFields(named).map((field) => field ?? null);
  return textOf([
    subjectOf(operation),
    sender,
    chainId,
    nonce,
    operation.recentEpoch ?? null,
    operation.recentCheckpoint ?? null,
    ...fields,
    ...memoFields(operation),
    signedFields(operation),
  ]);
}

/** Returns the kind of an operation; of a change of a list, the list. */
function subjectOf(operation: Operation): string {
  return operation.kind === "list" ? operation.list : operation.kind;
}

/** Two eras of clients sign an epoch and a checkpoint, or a checkpoint, before the chain (wire 3.3). */
function prefixOf({ layout, recentEpoch, recentCheckpoint }: Operation): readonly FieldValue[] {
  return layout === "spec" || layout === "v2" || layout === "client-raw" ? [] : [recentEpoch, recentCheckpoint];
}

function memoFields({ memo }: Operation): readonly FieldValue[] {
  return memo === undefined ? [] : ["memo", memo.type, memo.format, memo.data];
}

/** The length of each field keeps it apart from the next, whatever texts they hold. */
function textOf(fields: readonly FieldValue[]): string {
  return fields.map((field) => (field === null ? "-" : `${String(field).length} ${field}`)).join(" ");
}

function clientFields(operation: Operation): readonly FieldValue[] {
  switch (operation.kind) {
    case "payment":
    case "mint":
    case "burn":
      return [operation.recipient, operation.value, operation.token];
    case "cancellation":
      return [];
    case "issue": {
      const { symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled } = operation;
      return [symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled];
    }
    case "metadata":
      return [operation.name, operation.uri, operation.token, ...pairs(operation)];
    case "list":
      return [operation.action, operation.address, operation.token];
    case "authority": {
      const { action, authorityType, authorityAddress, token, value } = operation;
      return [action, authorityType, authorityAddress, token, value];
    }
    case "pause":
      return [operation.action, operation.token];
    case "clawback":
      return [operation.token, operation.from, operation.recipient, operation.value];
    case "bridgeMint":
    case "bridgeBurn":
      return bridgeFields(operation);
    case "batch":
      return batchFields(operation);
    case "multisig":
      return signerFields(operation);
    default:
      return unreachable(operation);
  }
}

/** The layout of the specification orders the fields of some kinds in its own way. */
function specFields(operation: Operation): readonly FieldValue[] {
  switch (operation.kind) {
    case "issue": {
      const { symbol, name, decimals, masterAuthority, isPrivate } = operation;
      return [name, symbol, decimals, masterAuthority, isPrivate];
    }
    case "mint":
      return [operation.token, operation.recipient, operation.value];
    case "burn":
      return [operation.token, operation.value, operation.recipient];
    case "metadata":
      return [operation.token, operation.name, operation.uri, ...pairs(operation)];
    case "list":
      return [operation.token, operation.address, operation.action];
    case "authority": {
      const { action, authorityType, authorityAddress, token, value } = operation;
      return [token, authorityAddress, action, authorityType, value ?? 0];
    }
    case "pause":
      return [operation.token, operation.action];
    default:
      return clientFields(operation);
  }
}

/** Their number, each key with its weight in the order given, and the threshold. */
function signerFields({ signers, threshold }: CreateMultisig): readonly FieldValue[] {
  return [signers.length, ...signers.flatMap(({ key, weight }) => [key, weight]), threshold];
}

/** One order in every layout; older clients sign bytes for a text, or whether there is one (wire 3.8). */
function bridgeFields(operation: BridgeMint | BridgeBurn): readonly FieldValue[] {
  const { layout, value, token } = operation;
  const bytesText = (bytes: string): string => (layout === "client-raw" ? `bytes ${bytes}` : bytes);
  const forBridge = (text: string | undefined): FieldValue =>
    layout === "client-flat" ? (text === undefined ? "none" : `some ${text}`) : text;
  const metadata = forBridge(operation.bridgeMetadata);
  const end = layout === "client-flat" ? ["without a list"] : [];
  if (operation.kind === "bridgeMint") {
    const { recipient, sourceChainId, sourceTxHash } = operation;
    return [recipient, value, token, sourceChainId, bytesText(sourceTxHash), metadata, ...end];
  }
  const { sender, destinationChainId, destinationAddress, escrowFee, bridgeParam } = operation;
  const head = [sender, value, token, destinationChainId, bytesText(destinationAddress), escrowFee];
  return [...head, metadata, forBridge(bridgeParam), ...end];
}

/** An absent hash keeps its place before a name that is there. */
function batchFields({ token, legs, createdAt, operationsHash, batchId }: BatchPayment): readonly FieldValue[] {
  const paid = legs.flatMap(({ recipient, amount }) => [recipient, amount]);
  const hash = operationsHash ?? (batchId === undefined ? undefined : "");
  return [token, legs.length, ...paid, createdAt, hash, batchId];
}

/** Returns what all recipients of a batch get together. */
export function totalOf({ legs }: BatchPayment): bigint {
  let total = 0n;
  for (const leg of legs) total += leg.amount;
  return total;
}

/** Their number and each pair, or the single text of older clients. */
function pairs({ layout, additional }: Metadata): readonly FieldValue[] {
  if (layout === "client-0x") return ["0x"];
  if (layout !== "client-json") return [additional.length, ...additional.flat()];
  return [additional.map(([key, value]) => `${key.length} ${key} ${value.length} ${value}`).join(" ")];
}

/**
 * Returns true if a recovery shows two operations of its account for its nonce, no cancellations and with different
 * signed digests (protocol 3.0).
 */
export function provesEquivocation({ account, nonce, chainId, evidence: { first, second } }: Recovery): boolean {
  const isEvidence = (evidenceOperation: SignedOperation): boolean =>
    evidenceOperation.sender === account &&
    evidenceOperation.operation.nonce === nonce &&
    evidenceOperation.operation.chainId === chainId &&
    !isCancellation(evidenceOperation);
  return isEvidence(first) && isEvidence(second) && !isSignedAlike(first.operation, second.operation);
}

/** Returns one text for a signer set in any order. */
export function setText({ signers, threshold }: SignerSet): string {
  const members = signers.map(({ key, weight }) => `${key}:${weight}`);
  return [threshold, ...members.sort()].join(" ");
}

/** Returns true if the keys that signed, each counted once and strangers not at all, have the weight that is needed. */
export function isSufficient({ signers, threshold }: SignerSet, keys: ReadonlySet<PublicKey>): boolean {
  let weight = 0;
  for (const signer of signers) if (keys.has(signer.key)) weight += signer.weight;
  return weight >= threshold;
}

/** Returns the account whose nonce a submission would use. */
export function accountOf(submission: Submission): Address {
  return isRecovery(submission) ? submission.account : submission.sender;
}

/** Returns the nonce that a submission would use. */
export function nonceOfSubmission(submission: Submission): number {
  return isRecovery(submission) ? submission.nonce : submission.operation.nonce;
}
