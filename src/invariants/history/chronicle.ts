/**
 * History of a run that several oracles share: contents of values, epochs and committees, signatures by slot, final
 * values, submissions. It grows in place; readers keep nothing of it that grows.
 */
import { requireDefined } from "../../core/base/assert.ts";
import type { Address, Epoch, Hash, PublicKey } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation, SignerSet } from "../../core/base/operation.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { Statement } from "../observation.ts";
import { identityOf, isSufficient } from "../reference/operation-meaning.ts";
import type { Contents } from "./content.ts";
import type { CommitteeDirectory, EpochCommittee, OpenEpoch } from "./epochs.ts";
import type { Finality, FinalityConflict } from "./finality.ts";
import { type SignerStatements, SlotBook, type SlotSignatures } from "./slot-signatures.ts";

/** New signature with its effect on the signatures of its slot. */
export interface SignatureRecord {
  /** Index in the roster. */
  readonly signer: number;
  readonly statement: Statement;
  /** Committee of the statement's epoch; it contains the signer. */
  readonly committee: EpochCommittee;
  /** Earlier statements of the signer in the slot. */
  readonly before: SignerStatements;
  readonly book: SlotSignatures;
  /** Certificate that this signature completes as the q-th. */
  readonly completed: "lock" | "final" | undefined;
}

/** Id under which an operation was first submitted, and the event count then. */
export interface FirstSubmission {
  readonly id: OperationId;
  readonly at: number;
}

/** Signatures of an operation of a multisig account, in all copies that were submitted, as evidence too. */
export interface SubmittedKeys {
  /** Keys whose signatures hold. */
  readonly keys: ReadonlySet<PublicKey>;
  /** True if every copy so far shows members once each, in ascending order, with signatures that hold. */
  readonly isRegular: boolean;
}

export interface Chronicle {
  /** Keys, names and honesty of the validators. */
  readonly directory: CommitteeDirectory;
  /** Returns the readable name of a value, by its hash. */
  readonly valueName: (value: Hash) => string;
  /** Returns true for a slot that was forgotten with all that was signed there. Free while none is. */
  isForgotten(slot: SlotKey): boolean;
  /** Number of events so far: their order within and across steps. */
  readonly count: number;
  readonly contents: Contents;
  /** Epochs that an honest node has opened, epoch 0 first. */
  readonly epochs: readonly OpenEpoch[];
  /** True if more than f members of any epoch are Byzantine. */
  readonly isBeyond: boolean;
  /** Signatures of members, by epoch and slot, in the order of the first one of each slot. */
  readonly books: ReadonlyMap<Epoch, ReadonlyMap<SlotKey, SlotSignatures>>;
  /** Keys that honest validators signed with before they lost their disks, by index: nothing is signed with them again. */
  readonly lost: ReadonlySet<number>;
  /** Closers of each epoch, by `closerKey`. */
  readonly closers: ReadonlySet<string>;
  readonly finality: Finality;
  /** First submission of an operation, by its identity: an id is what validators say. */
  readonly submitted: ReadonlyMap<string, FirstSubmission>;
  /** Of multisig accounts, by the identity of the operation. */
  readonly keys: ReadonlyMap<string, SubmittedKeys>;
  /** Signer sets of multisig accounts that the genesis or a submitted creation names. */
  readonly signerSets: ReadonlyMap<Address, SignerSet>;
  /** Identity under which an id was first seen, submitted or applied by an honest node. */
  readonly named: ReadonlyMap<OperationId, string>;
  /** Ids under which operations of different identities were submitted. */
  readonly shared: ReadonlySet<OperationId>;
  /** Names of the clients by their accounts. */
  readonly clients: ReadonlyMap<Address, string>;
  /**
   * Signatures that the last event added: its own; or, if it opened an epoch, the earlier ones of the epoch's members,
   * which could not be counted before.
   */
  readonly signatures: readonly SignatureRecord[];
  /** Conflicts of new final values with earlier ones. */
  readonly conflicts: readonly FinalityConflict[];
}

/** Returns all signatures of members for a slot in an epoch. */
export function signaturesOf(chronicle: Pick<Chronicle, "books">, slot: SlotKey, epoch: Epoch): SlotSignatures {
  return chronicle.books.get(epoch)?.get(slot) ?? new SlotBook(slot, epoch);
}

/** Returns the signatures of members in an epoch, by slot. */
export function signaturesIn({ books }: Pick<Chronicle, "books">, epoch: Epoch): ReadonlyMap<SlotKey, SlotSignatures> {
  return books.get(epoch) ?? NO_SIGNATURES;
}

const NO_SIGNATURES: ReadonlyMap<SlotKey, SlotSignatures> = new Map();

/** Key of one validator's close of one epoch. */
export function closerKey(epoch: Epoch, signer: number): string {
  return `${epoch}/${signer}`;
}

/**
 * Returns true if this validator has signed a close of the epoch. Called for every signature; free while no epoch is
 * closed.
 */
export function hasClosed({ closers }: Pick<Chronicle, "closers">, epoch: Epoch, signer: number): boolean {
  return closers.size > 0 && closers.has(closerKey(epoch, signer));
}

/** Returns the epoch that was opened last. */
export function currentEpoch({ epochs }: Chronicle): OpenEpoch {
  return requireDefined(epochs[epochs.length - 1], "epoch 0");
}

/**
 * Returns the number of commits that make a value final: the quorum of the epochs in which they exist, else the
 * smallest quorum so far.
 */
export function quorumOfCommits(
  { epochs, finality }: Chronicle,
  slot: SlotKey | undefined,
  value: Hash | undefined,
): number {
  const made =
    (slot === undefined ? undefined : finality.finals.get(slot))?.filter((other) => other.value === value) ?? [];
  const where = made.length === 0 ? epochs : made.flatMap(({ epoch }) => epochs[epoch] ?? []);
  return Math.min(...where.map(({ committee }) => committee.bounds.quorum));
}

const NO_KEYS: ReadonlySet<PublicKey> = new Set();

/** Returns true for an operation of a multisig account that its signers, in all copies together, did not sign with enough weight. */
export function lacksWeight(
  { keys, signerSets }: Pick<Chronicle, "keys" | "signerSets">,
  signed: SignedOperation,
): boolean {
  const { account } = signed.operation;
  if (account === undefined) return false;
  const set = signerSets.get(account);
  const signers = keys.get(identityOf(signed))?.keys ?? NO_KEYS;
  return set === undefined || account !== signed.sender || !isSufficient(set, signers);
}

/** Returns true if every copy so far shows members only, once each and in order, each copy with enough weight. */
export function isRegular({ keys }: Pick<Chronicle, "keys">, signed: SignedOperation): boolean {
  return keys.get(identityOf(signed))?.isRegular === true;
}
