/** History of a run: contents of values, epochs and committees, signatures by slot, final values, submissions. */
import { requireDefined } from "../../core/base/assert.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Epoch, Hash, PublicKey } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type SignerSet } from "../../core/base/operation.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import { copyOfState } from "../copy-state.ts";
import type { EventOf, NodeName, ObservedEvent, RunSetting, SignedByKeys, Statement } from "../observation.ts";
import { multisigAddress } from "../reference/addresses.ts";
import { formRefusals } from "../reference/form-rules.ts";
import { identityOf, isSufficient } from "../reference/operation-meaning.ts";
import { shortId, valueName } from "../text.ts";
import { type ObservedContent, operationsOf } from "./content.ts";
import {
  type CommitteeDirectory,
  committeeDirectory,
  type EpochCommittee,
  type OpenEpoch,
  openEpoch,
} from "./epochs.ts";
import { addFinal, emptyFinality, type FinalityConflict } from "./finality.ts";
import {
  completedCertificate,
  type SignerStatements,
  SlotBook,
  type SlotSignatures,
  signersOf,
} from "./slot-signatures.ts";

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

/** Signature with the roster index of its key. */
interface MemberSignature {
  readonly signer: number;
  readonly statement: Statement;
}

/** State of a chronicle between two events. Committees are made again: they contain functions. */
export interface ChronicleState
  extends Pick<Chronicle, "count" | "contents" | "isBeyond" | "lost" | "closers" | "finality">,
    Pick<Chronicle, "submitted" | "proven" | "keys" | "signerSets" | "named" | "shared" | "clients"> {
  readonly epochs: readonly Omit<OpenEpoch, "committee">[];
  readonly books: ReadonlyMap<Epoch, ReadonlyMap<SlotKey, SlotBook>>;
  /** Keys with which anything was signed, by index. */
  readonly signers: Set<number>;
  /** Signatures of epochs that no honest node has opened, by epoch. */
  readonly early: Map<Epoch, readonly MemberSignature[]>;
  /** Last forgotten slot of each account and token, and of the chain, by the beginning of its key. */
  readonly forgotten: Map<string, SlotKey>;
}

const NO_SIGNINGS: readonly SignatureRecord[] = [];
const NO_BREAKS: readonly FinalityConflict[] = [];

function withKeys(
  known: SubmittedKeys | undefined,
  { keys, isComplete }: SignedByKeys,
  set: SignerSet | undefined,
): SubmittedKeys {
  const isOrdered = keys.every((key, at) => at === 0 || (keys[at - 1] as PublicKey) < key);
  const isOfMembers = set !== undefined && keys.every((key) => set.signers.some((signer) => signer.key === key));
  const isRegular = isComplete && isOrdered && isOfMembers && isSufficient(set, new Set(keys));
  return { keys: new Set([...(known?.keys ?? []), ...keys]), isRegular: isRegular && known?.isRegular !== false };
}

/**
 * History of a run that its oracles share. It grows in place with each event; readers change nothing of it, and keep
 * nothing of it that grows.
 */
export class Chronicle {
  readonly setting: RunSetting;
  /** Keys, names and honesty of the validators. */
  readonly directory: CommitteeDirectory;
  /** Number of events so far: their order within and across steps. */
  count = 0;
  contents = new Map<Hash, ObservedContent>();
  /** Epochs that an honest node has opened, epoch 0 first. */
  epochs: readonly OpenEpoch[];
  /** True if more than f members of any epoch are Byzantine. */
  isBeyond: boolean;
  /** Signatures of members, by epoch and slot, in the order of the first one of each slot. */
  books = new Map<Epoch, Map<SlotKey, SlotBook>>();
  /** Keys that honest validators signed with before they lost their disks, by index: nothing is signed with them again. */
  lost = new Set<number>();
  /** Closers of each epoch, by `closerKey`. */
  closers = new Set<string>();
  finality = emptyFinality();
  /** First submission of an operation, by its identity: an id is what validators say. */
  submitted = new Map<string, FirstSubmission>();
  /** Identities of the operations that recoveries prove their case with. */
  proven = new Set<string>();
  /** Of multisig accounts, by the identity of the operation. */
  keys = new Map<string, SubmittedKeys>();
  /** Signer sets of multisig accounts that the genesis or a submitted creation names. */
  signerSets: Map<Address, SignerSet>;
  /** Identity under which an id was first seen, submitted or applied by an honest node. */
  named = new Map<OperationId, string>();
  /** Ids under which operations of different identities were submitted. */
  shared = new Set<OperationId>();
  /** Names of the clients by their accounts. */
  clients = new Map<Address, string>();
  /**
   * Signatures that the last event added: its own; or, if it opened an epoch, the earlier ones of the epoch's members,
   * which could not be counted before.
   */
  signatures: readonly SignatureRecord[] = NO_SIGNINGS;
  /** Conflicts of new final values with earlier ones. */
  conflicts: readonly FinalityConflict[] = NO_BREAKS;
  #signers = new Set<number>();
  #early = new Map<Epoch, readonly MemberSignature[]>();
  #forgotten = new Map<string, SlotKey>();
  /** Books that no copy of the state holds too; `undefined` while there is no copy, and all are its own. */
  #own: Set<SlotBook> | undefined;

  /** Returns the readable name of a value, by its hash. */
  readonly valueName = (value: Hash): string => {
    const content = this.contents.get(value);
    return content === undefined ? `value ${shortId(value)}` : valueName(content.value);
  };

  /** Without events. */
  constructor(setting: RunSetting) {
    this.setting = setting;
    this.directory = committeeDirectory(setting);
    this.signerSets = new Map((setting.genesis.multisigs ?? []).map((set) => [multisigAddress(set), set]));
    this.epochs = [openEpoch(this.directory, { epoch: 0 as Epoch, opened: 0, parameters: setting.genesis })];
    this.isBeyond = this.epochs.some(isBeyond);
  }

  /** Folds one event in. */
  observe(record: ObservedEvent): void {
    this.count += 1;
    if (this.signatures.length > 0) this.signatures = NO_SIGNINGS;
    if (this.conflicts.length > 0) this.conflicts = NO_BREAKS;
    if (record.type === "signed") this.#observeSignature(record);
    else if (record.type === "restarted" && record.wiped) this.#loseKeys(record.node);
    else if (record.type === "submitted") this.#noteSubmitted(record);
    else if (record.type === "applied") this.#noteApplied(record);
    else if (record.type === "closed") this.#observeClosing(record);
    else if (record.type === "forgotten") this.#forget(record);
    else if (record.type === "content") {
      const { hash, value, operations } = record;
      this.contents.set(hash, { value, operations });
    }
  }

  /** Returns an independent copy of its state. O(state). */
  capture(): ChronicleState {
    this.#own = new Set();
    const { count, contents, isBeyond, books, lost, closers, finality } = this;
    const { submitted, proven, keys, signerSets, named, shared, clients } = this;
    const epochs = this.epochs.map(({ epoch, opened, parameters }) => ({ epoch, opened, parameters }));
    const kept = { count, contents, epochs, isBeyond, books, lost, closers, finality, submitted, proven };
    const [signers, early, forgotten] = [this.#signers, this.#early, this.#forgotten];
    return copyOfState({ ...kept, keys, signerSets, named, shared, clients, signers, early, forgotten });
  }

  /** Returns to a state that a chronicle of the same setting captured; it stays as it is. O(state). */
  restore(captured: ChronicleState): void {
    const { epochs, signers, early, forgotten, ...members } = copyOfState(captured);
    Object.assign(this, members);
    this.epochs = epochs.map((epoch) => openEpoch(this.directory, epoch));
    this.#signers = signers;
    this.#early = early;
    this.#forgotten = forgotten;
    this.#own = new Set();
    this.signatures = NO_SIGNINGS;
    this.conflicts = NO_BREAKS;
  }

  /** Returns true for a slot that was forgotten with all that was signed there. Free while none is. */
  isForgotten(slot: SlotKey): boolean {
    if (this.#forgotten.size === 0) return false;
    const last = this.#forgotten.get(sequenceOf(slot));
    return last !== undefined && slot <= last;
  }

  #forget({ slots, values, operations }: EventOf<"forgotten">): void {
    for (const slot of slots) {
      for (const books of this.books.values()) books.delete(slot);
      this.finality.finals.delete(slot);
      this.finality.settled.delete(slot);
      if (!this.isForgotten(slot)) this.#forgotten.set(sequenceOf(slot), slot);
    }
    for (const value of values) this.contents.delete(value);
    for (const id of operations) {
      const identity = this.named.get(id) ?? id;
      this.submitted.delete(identity);
      this.proven.delete(identity);
      this.keys.delete(identity);
      this.named.delete(id);
      this.shared.delete(id);
    }
  }

  #observeSignature({ key, statement }: EventOf<"signed">): void {
    const signer = this.directory.indexOf(key);
    if (signer === undefined) return;
    this.#signers.add(signer);
    if (this.isForgotten(statement.slot)) return;
    const open = this.epochs[statement.epoch];
    if (open === undefined) {
      const early = this.#early.get(statement.epoch) ?? [];
      this.#early.set(statement.epoch, [...early, { signer, statement }]);
      return;
    }
    const signing = this.#addSignature(open, signer, statement);
    if (signing !== undefined) this.signatures = [signing];
  }

  #loseKeys(node: NodeName): void {
    for (const signer of this.#signers)
      if (this.directory.nameOf(this.directory.keyAt(signer)) === node) this.lost.add(signer);
  }

  /** Adds a signature of a member to its slot, once. */
  #addSignature(open: OpenEpoch, signer: number, statement: Statement): SignatureRecord | undefined {
    const { epoch, slot, kind } = statement;
    const { committee } = open;
    if (!committee.isMember(signer)) return undefined;
    const book = this.#bookOf(slot, epoch);
    const before = book.add(signer, statement);
    if (before === undefined) return undefined;
    if (kind === "close") this.closers.add(closerKey(epoch, signer));
    const completed = completedCertificate(book, statement, committee.bounds.quorum);
    if (completed === "final") this.#noteFinal(open, statement, book);
    return { signer, statement, committee, before, book, completed };
  }

  #bookOf(slot: SlotKey, epoch: Epoch): SlotBook {
    const books = entryOf(this.books, epoch, () => new Map<SlotKey, SlotBook>());
    const book = books.get(slot);
    if (book !== undefined && this.#own?.has(book) !== false) return book;
    return this.#storeBook(books, book?.copy() ?? new SlotBook(slot, epoch));
  }

  #storeBook(books: Map<SlotKey, SlotBook>, book: SlotBook): SlotBook {
    books.set(book.slot, book);
    this.#own?.add(book);
    return book;
  }

  #noteFinal({ epoch, opened }: OpenEpoch, statement: Statement, signatures: SlotSignatures): void {
    if (statement.kind !== "commit") return;
    const { slot, value, round } = statement;
    const final = { slot, value, epoch, round, signers: [...signersOf(signatures, "commits", round, value)] };
    const context = { contents: this.contents, opened, signed: signaturesIn(this, epoch) };
    const conflicts = addFinal(this.finality, final, context);
    if (conflicts.length > 0) this.conflicts = [...this.conflicts, ...conflicts];
  }

  /** The first honest node that applies a closing reveals the members of the next epoch. */
  #observeClosing(record: EventOf<"closed">): void {
    if (!record.honest || record.value.epoch !== this.epochs.length - 1) return;
    const { epoch, header, next } = record.value;
    const after = { epoch: (epoch + 1) as Epoch, opened: header.number, parameters: next };
    const open = openEpoch(this.directory, after);
    this.epochs = [...this.epochs, open];
    this.isBeyond ||= isBeyond(open);
    const early = this.#early.get(open.epoch) ?? [];
    this.#early.delete(open.epoch);
    const signings = early.map(({ signer, statement }) => this.#addSeparateSignature(open, signer, statement));
    this.signatures = signings.filter((signing) => signing !== undefined);
  }

  /** One of several signatures of one event: each is judged by the book as it was when it was added. */
  #addSeparateSignature(open: OpenEpoch, signer: number, statement: Statement): SignatureRecord | undefined {
    const { slot, epoch } = statement;
    const books = this.books.get(epoch);
    const earlier = books?.get(slot);
    if (books !== undefined && earlier !== undefined) this.#storeBook(books, earlier.copy());
    return this.#addSignature(open, signer, statement);
  }

  #noteSubmitted({ id, submission, client, signed = [], isForged = false }: EventOf<"submitted">): void {
    for (const copy of signed) {
      const identity = identityOf(copy.signed);
      this.keys.set(identity, withKeys(this.keys.get(identity), copy, this.signerSets.get(copy.signed.sender)));
    }
    // Nobody has submitted what its sender has not signed.
    if (isForged) return;
    if (isRecovery(submission)) {
      for (const shown of Object.values(submission.evidence)) this.proven.add(identityOf(shown));
      return;
    }
    const { operation } = submission;
    if (operation.kind === "multisig") this.signerSets.set(multisigAddress(operation), operation);
    const identity = identityOf(submission);
    if (!this.submitted.has(identity)) this.submitted.set(identity, { id, at: this.count });
    // A malformed one never takes effect, and the signed bytes, which make the id, need not cover all that it says.
    const isWellFormed = formRefusals(submission).length === 0;
    if (isWellFormed && entryOf(this.named, id, () => identity) !== identity) this.shared.add(id);
    this.clients.set(submission.sender, client);
  }

  #noteApplied({ honest, value, operations }: EventOf<"applied">): void {
    if (!honest) return;
    for (const { id, signed } of operationsOf(value, operations)) entryOf(this.named, id, () => identityOf(signed));
  }
}

/** Returns the part of a key that the slots of one account, of one token or of the chain share. */
function sequenceOf(slot: SlotKey): string {
  return slot.slice(0, slot.lastIndexOf("/"));
}

function isBeyond({ committee }: OpenEpoch): boolean {
  return committee.byzantine > committee.bounds.faults;
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
