/** Fold of the events of a run into its chronicle. */
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Epoch, Hash, PublicKey } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignerSet } from "../../core/base/operation.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import { copyOfState } from "../copy-state.ts";
import type { EventOf, ObservedEvent, RunSetting, SignedByKeys, Statement } from "../observation.ts";
import { multisigAddress } from "../reference/addresses.ts";
import { formRefusals } from "../reference/form-rules.ts";
import { identityOf, isSufficient } from "../reference/operation-meaning.ts";
import { shortId, valueName } from "../text.ts";
import {
  type Chronicle,
  closerKey,
  type FirstSubmission,
  type SignatureRecord,
  type SubmittedKeys,
  signaturesIn,
} from "./chronicle.ts";
import { type ObservedContent, operationsOf } from "./content.ts";
import { type CommitteeDirectory, committeeDirectory, type OpenEpoch, openEpoch } from "./epochs.ts";
import { addFinal, emptyFinality, type FinalityConflict } from "./finality.ts";
import { SlotBook, type SlotSignatures, signersOf } from "./slot-signatures.ts";

/** Signature with the roster index of its key. */
interface MemberSignature {
  readonly signer: number;
  readonly statement: Statement;
}

/** State of a chronicler between two events. Committees are made again: they contain functions. */
export interface ChroniclerState
  extends Pick<Chronicle, "count" | "contents" | "isBeyond" | "lost" | "closers" | "finality">,
    Pick<Chronicle, "submitted" | "keys" | "signerSets" | "named" | "shared" | "clients"> {
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

/** Chronicle that accepts events; all oracles of a run share it. */
export class Chronicler implements Chronicle {
  readonly directory: CommitteeDirectory;
  count = 0;
  contents = new Map<Hash, ObservedContent>();
  epochs: readonly OpenEpoch[];
  isBeyond: boolean;
  books = new Map<Epoch, Map<SlotKey, SlotBook>>();
  lost = new Set<number>();
  closers = new Set<string>();
  finality = emptyFinality();
  submitted = new Map<string, FirstSubmission>();
  keys = new Map<string, SubmittedKeys>();
  signerSets: Map<Address, SignerSet>;
  named = new Map<OperationId, string>();
  shared = new Set<OperationId>();
  clients = new Map<Address, string>();
  signatures: readonly SignatureRecord[] = NO_SIGNINGS;
  conflicts: readonly FinalityConflict[] = NO_BREAKS;
  #signers = new Set<number>();
  /** Signatures of epochs that no honest node has opened, by epoch. */
  #early = new Map<Epoch, readonly MemberSignature[]>();
  /** Last forgotten slot of each account and token, and of the chain, by the beginning of its key. */
  #forgotten = new Map<string, SlotKey>();
  /** Books that no copy of the state holds too; `undefined` while there is no copy, and all are its own. */
  #own: Set<SlotBook> | undefined;

  readonly valueName: Chronicle["valueName"] = (value) => {
    const content = this.contents.get(value);
    return content === undefined ? `value ${shortId(value)}` : valueName(content.value);
  };

  /** Without events. */
  constructor(setting: RunSetting) {
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
    else if (record.type === "restarted") this.#observeRestart(record);
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
  capture(): ChroniclerState {
    this.#own = new Set();
    const { count, contents, isBeyond, books, lost, closers, finality } = this;
    const { submitted, keys, signerSets, named, shared, clients } = this;
    const epochs = this.epochs.map(({ epoch, opened, parameters }) => ({ epoch, opened, parameters }));
    const kept = { count, contents, epochs, isBeyond, books, lost, closers, finality, submitted, keys };
    const [signers, early, forgotten] = [this.#signers, this.#early, this.#forgotten];
    return copyOfState({ ...kept, signerSets, named, shared, clients, signers, early, forgotten });
  }

  /** Returns to a state that a chronicler of the same setting captured; it stays as it is. O(state). */
  restore(captured: ChroniclerState): void {
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
      this.submitted.delete(this.named.get(id) ?? id);
      this.keys.delete(this.named.get(id) ?? id);
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

  #observeRestart({ node, wiped }: EventOf<"restarted">): void {
    if (!wiped) return;
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
    const made = { slot, value, epoch, round, signers: [...signersOf(signatures, "commits", round, value)] };
    const known = { contents: this.contents, opened, signed: signaturesIn(this, epoch) };
    const breaks = addFinal(this.finality, made, known);
    if (breaks.length > 0) this.conflicts = [...this.conflicts, ...breaks];
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

  #noteSubmitted({ id, submission, client, signed = [] }: EventOf<"submitted">): void {
    for (const copy of signed) {
      const identity = identityOf(copy.signed);
      this.keys.set(identity, withKeys(this.keys.get(identity), copy, this.signerSets.get(copy.signed.sender)));
    }
    if (isRecovery(submission)) return;
    const { operation } = submission;
    if (operation.kind === "multisig") this.signerSets.set(multisigAddress(operation), operation);
    const identity = identityOf(submission);
    if (!this.submitted.has(identity)) this.submitted.set(identity, { id, at: this.count });
    // A malformed one never takes effect, and the signed bytes, which make the id, need not cover all that it says.
    const isWellFormed = formRefusals(submission).length === 0;
    if (isWellFormed && this.#identityFor(id, identity) !== identity) this.shared.add(id);
    this.clients.set(submission.sender, client);
  }

  #noteApplied({ honest, value, operations }: EventOf<"applied">): void {
    if (!honest) return;
    for (const { id, signed } of operationsOf(value, operations)) this.#identityFor(id, identityOf(signed));
  }

  /** Returns the identity under which an id was first seen, which is this one where it is new. */
  #identityFor(id: OperationId, identity: string): string {
    return entryOf(this.named, id, () => identity);
  }
}

/** Returns the part of a key that the slots of one account, of one token or of the chain share. */
function sequenceOf(slot: SlotKey): string {
  return slot.slice(0, slot.lastIndexOf("/"));
}

function isBeyond({ committee }: OpenEpoch): boolean {
  return committee.byzantine > committee.bounds.faults;
}

function completedCertificate(
  signatures: SlotSignatures,
  statement: Statement,
  quorum: number,
): SignatureRecord["completed"] {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const kind = statement.kind === "vote" ? "votes" : "commits";
  if (signersOf(signatures, kind, statement.round, statement.value).length !== quorum) return undefined;
  return statement.kind === "vote" ? "lock" : "final";
}
