/** Archive of a served network, outside all nodes: responses do not change when validators prune. */

import { definedMembers } from "../core/base/defined-members.ts";
import type { EpochParameters } from "../core/base/epoch.ts";
import type { Address, Epoch, Hash, Millis } from "../core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../core/base/operation.ts";
import type { Receipt, RefusalCode } from "../core/base/refusal.ts";
import { paddedNumber, type SlotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { paddedHash } from "../core/ledger/identity.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { Content } from "../core/validator/content.ts";
import { nonceOf } from "../core/validator/mempool/pending.ts";
import type { ChainLink, ListedApplication } from "../run/checkpoint-chain.ts";
import type { NodeName } from "../simulator/settings.ts";

/** One copy of an operation as a client submitted it; a second signature of the same operation is a second copy. */
export interface ArchivedSubmission {
  readonly id: OperationId;
  /** Transaction hash: keccak of the signed list with v, r and s; of a recovery, its id (wire 3.3, 3.9). */
  readonly hash: Hash;
  /** The other spelling of a hash of version 1, where it differs. */
  readonly paddedHash?: Hash;
  readonly submission: Submission;
}

/** Returns a copy by its hash, and by the other spelling of it where there is one. */
export function archivedCopy(id: OperationId, hash: Hash, submission: Submission): ArchivedSubmission {
  const padded = isRecovery(submission) ? undefined : paddedHash(submission);
  return { id, hash, ...definedMembers({ paddedHash: padded }), submission };
}

/** Returns the hashes by which a copy is found: one, or both spellings (wire 3.3). */
export function hashesOf(copy: ArchivedSubmission): readonly Hash[] {
  return copy.paddedHash === undefined ? [copy.hash] : [copy.hash, copy.paddedHash];
}

/** Decision of the slot in which an operation took effect, or of the skip that replaced it. */
export interface FinalRecord {
  readonly receipt: Receipt;
  /** Certificate of the receipt's slot, or of the checkpoint by which the first validator applied it. */
  readonly certificate: FinalityCertificate;
  readonly content: Content;
  readonly at: Millis;
}

/** Position at which a checkpoint lists the effect of an operation. */
export interface ChainPosition {
  readonly link: ChainLink;
  /** From 0, in the order of the checkpoint's receipts. */
  readonly index: number;
}

/** Status of an operation, independent of the entry validator. */
export type OperationStatus =
  | { readonly status: "pending" }
  | { readonly status: "final"; readonly final: FinalRecord; readonly place: ChainPosition | undefined }
  /** `by`: the operation that was decided for its nonce instead. */
  | { readonly status: "superseded"; readonly by: OperationId }
  /** Its epoch closed without it: it may be submitted again. */
  | { readonly status: "void"; readonly epoch: Epoch }
  /** Refused by this node after it was admitted, and disclosed to no other validator. */
  | { readonly status: "refused"; readonly code: RefusalCode; readonly node: NodeName };

/** One epoch: its parameters, and the closing that opened it; epoch 0 is the genesis's. */
export interface EpochRecord {
  readonly epoch: Epoch;
  readonly parameters: EpochParameters;
  readonly opening: FinalityCertificate | undefined;
}

/** Outcomes of operations that are not final. */
export type OperationFate = Exclude<OperationStatus, { status: "final" }>;

/** Returns the tables of what is not old, empty. Their entries are immutable. */
export function emptyTables() {
  return {
    /** Several only if one digest was signed for operations of several kinds (wire 3.9). */
    copies: new Map<Hash, readonly ArchivedSubmission[]>(),
    operations: new Map<OperationId, ArchivedOperation>(),
    /** Submitted, without a response yet, the oldest first: at most `UNDECIDED_KEPT`. */
    offered: new Map<OperationId, { readonly submission: Submission; readonly node: string }>(),
    /** Void, or refused after admission, the oldest first: at most `UNDECIDED_KEPT`. */
    ended: new Set<OperationId>(),
    /** Operations that wait for the use of their nonce, by account and nonce, with the validators that admitted them. */
    open: new Map<string, readonly AdmittedOperation[]>(),
    /** Operation that used a nonce, by account and nonce. */
    deciders: new Map<string, OperationId>(),
    certificates: new Map<SlotKey, FinalityCertificate>(),
    /** Numbers of the checkpoints. */
    linksByHash: new Map<Hash, number>(),
  };
}

export type ArchiveTables = Readonly<ReturnType<typeof emptyTables>>;

/** Returns a copy of each table. O(entries). */
export function copyOfTables(tables: ArchiveTables): ArchiveTables {
  const copies = Object.entries<Map<unknown, unknown> | Set<unknown>>(tables).map(([name, table]) => [
    name,
    table instanceof Set ? new Set(table) : new Map(table),
  ]);
  return Object.fromEntries(copies) as ArchiveTables;
}

/** State of an archive. */
export interface ArchiveState {
  readonly tables: ArchiveTables;
  /** Number of final operations, with the old ones. */
  readonly finalCount: number;
  readonly unproved: readonly Omit<FinalRecord, "certificate">[];
  readonly epochs: readonly EpochRecord[];
  readonly states: readonly LedgerState[];
  readonly shelved: LedgerState | undefined;
  /** Places of the old records in their store. */
  readonly shelf: readonly RecordPlace[];
}

/** Operation that was submitted or applied. */
export interface ArchivedOperation {
  readonly id: OperationId;
  /** All copies, the first one first. */
  readonly copies: readonly ArchivedSubmission[];
  /** With its number in the order of finality, from 0. */
  readonly final: { readonly number: number; readonly record: FinalRecord } | undefined;
  /** Number of the checkpoint that lists it, and its index there. */
  readonly place: { readonly link: number; readonly index: number } | undefined;
  readonly fate: OperationFate | undefined;
}

/** Operation that a validator has admitted, and perhaps refused since. */
interface AdmittedOperation {
  readonly id: OperationId;
  readonly node: NodeName;
  readonly code?: RefusalCode;
  /** True if the validator has crashed since. */
  readonly isLost?: boolean;
}

/** Operation that a validator has admitted and refused since. */
export type RefusedOperation = AdmittedOperation & { readonly code: RefusalCode };

/** Place of bytes in a store of old records. */
export interface RecordPlace {
  readonly at: number;
  readonly bytes: number;
}

/** Returns the key of the nonce that a submission uses. */
export function nonceKeyOf(submission: Submission): string {
  const { account, nonce } = nonceOf(submission);
  return nonceKey(account, nonce);
}

export function nonceKey(account: Address, nonce: number): string {
  return `${account} ${paddedNumber(nonce)}`;
}

/** Notes that a validator has admitted an operation whose nonce is not used yet. */
export function openOperation(
  { deciders, open }: ArchiveTables,
  id: OperationId,
  submission: Submission,
  node: NodeName,
): void {
  const nonce = nonceKeyOf(submission);
  const admitted = open.get(nonce) ?? [];
  const isKnown = admitted.some((entry) => entry.id === id && entry.node === node);
  if (!deciders.has(nonce) && !isKnown) open.set(nonce, [...admitted, { id, node }]);
}

/** Forgets an operation that waits for nothing more. */
export function closeOperation({ open, operations }: ArchiveTables, id: OperationId): void {
  const copy = operations.get(id)?.copies[0];
  if (copy !== undefined) removeEntries(open, nonceKeyOf(copy.submission), (entry) => entry.id === id);
}

/** Notes that a validator refuses what it had admitted; returns true if no other one has it that may bring it forward. */
export function refuseOperation({ open, operations }: ArchiveTables, refused: RefusedOperation): boolean {
  const copy = operations.get(refused.id)?.copies[0];
  if (copy === undefined) return true;
  const nonce = nonceKeyOf(copy.submission);
  const entries = (open.get(nonce) ?? []).map((entry) =>
    entry.id === refused.id && entry.node === refused.node ? refused : entry,
  );
  if (entries.length > 0) open.set(nonce, entries);
  return !entries.some((entry) => entry.id === refused.id && isHeld(entry));
}

/** Notes that a validator has crashed; returns what no other one holds, and others have refused. */
export function loseOperations({ open }: ArchiveTables, node: NodeName): readonly RefusedOperation[] {
  const refusals: RefusedOperation[] = [];
  for (const [nonce, admitted] of open) {
    const lostEntries = admitted.filter((entry) => entry.node === node && isHeld(entry));
    if (lostEntries.length === 0) continue;
    const entries = admitted.map((entry) => (lostEntries.includes(entry) ? { ...entry, isLost: true } : entry));
    open.set(nonce, entries);
    for (const { id } of lostEntries) {
      const operationEntries = entries.filter((entry) => entry.id === id);
      const refusal = operationEntries.findLast((entry): entry is RefusedOperation => entry.code !== undefined);
      if (refusal !== undefined && !operationEntries.some(isHeld)) refusals.push(refusal);
    }
  }
  return refusals;
}

function isHeld({ code, isLost }: AdmittedOperation): boolean {
  return code === undefined && isLost !== true;
}

/** Removes the operations that wait for the use of a nonce; returns them. */
export function takeOpen({ open }: ArchiveTables, nonce: string): ReadonlySet<OperationId> {
  const admitted = open.get(nonce) ?? [];
  open.delete(nonce);
  return new Set(admitted.map(({ id }) => id));
}

/** Removes an operation with its copies; returns it if it was there. */
export function takeOperation(tables: ArchiveTables, id: OperationId): ArchivedOperation | undefined {
  closeOperation(tables, id);
  const { copies, operations } = tables;
  const taken = operations.get(id);
  operations.delete(id);
  for (const name of taken?.copies.flatMap(hashesOf) ?? []) removeEntries(copies, name, (copy) => copy.id === id);
  return taken;
}

function removeEntries<K, V>(table: Map<K, readonly V[]>, key: K, isRemoved: (entry: V) => boolean): void {
  const remaining = (table.get(key) ?? []).filter((entry) => !isRemoved(entry));
  if (remaining.length === 0) table.delete(key);
  else table.set(key, remaining);
}

/** Removes the operations that used the nonces of an applied slot; returns them by account and nonce. */
export function takeDeciders(
  { deciders }: ArchiveTables,
  { slot, content }: ListedApplication["event"],
): readonly (readonly [string, OperationId])[] {
  if (slot.kind !== "account") return [];
  return content.operations.flatMap(({ sender, operation }) => {
    const key = nonceKey(sender, operation.nonce);
    const by = deciders.get(key);
    deciders.delete(key);
    return by === undefined ? [] : [[key, by] as const];
  });
}

/** Returns true if an operation with this hash is final or will never be. */
export function hasEnded({ copies, operations, deciders }: ArchiveTables, hash: Hash): boolean {
  return (copies.get(hash) ?? []).some(({ id, submission }) => {
    const { final, fate } = operations.get(id) ?? {};
    return final !== undefined || fate !== undefined || deciders.has(nonceKeyOf(submission));
  });
}

/** Returns the operations whose nonces these others used. O(operations). */
export function supersededBy(
  { deciders, operations }: ArchiveTables,
  others: ReadonlySet<OperationId>,
): readonly ArchivedSubmission[] {
  return [...operations.values()].flatMap(({ id, final, copies: [copy] }) => {
    const by = final === undefined && copy !== undefined ? deciders.get(nonceKeyOf(copy.submission)) : undefined;
    return copy !== undefined && by !== undefined && by !== id && others.has(by) ? [copy] : [];
  });
}

/** Returns the final operations with their certificates, in the order of finality. */
export function certificatesIn(
  operations: readonly ArchivedOperation[],
): readonly (readonly [OperationId, FinalityCertificate])[] {
  const finals = operations.flatMap(({ id, final }) => (final === undefined ? [] : [[id, final] as const]));
  // An old one that a client signed again is there twice.
  return [...new Map(finals)]
    .sort(([, a], [, b]) => a.number - b.number)
    .map(([id, { record }]) => [id, record.certificate] as const);
}
