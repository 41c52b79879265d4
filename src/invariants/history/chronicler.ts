/** Fold of the events of a run into its chronicle. */
import type { Epoch } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { EventOf, ObservedEvent, RunSetting, Statement } from "../observation.ts";
import { type Chronicle, closerKey, type SignatureRecord, slotEpochKey } from "./chronicle.ts";
import type { Contents } from "./content.ts";
import { type CommitteeDirectory, committeeDirectory, epochAfter, firstEpoch, type OpenEpoch } from "./epochs.ts";
import { emptyFinality, type Finality, type FinalityConflict, withFinal } from "./finality.ts";
import { emptySlot, type SlotSignatures, signersOf, withStatement } from "./slot-signatures.ts";

/** Signature with the roster index of its key. */
interface Signature {
  readonly signer: number;
  readonly statement: Statement;
}

/** Chronicle that accepts events. */
export interface Chronicler extends Chronicle {
  /** Folds one event in. */
  observe(record: ObservedEvent): void;
  /** Returns an independent copy. */
  fork(): Chronicler;
}

/** Returns an empty chronicle; all oracles of a run share it. */
export function chronicler(setting: RunSetting): Chronicler {
  const directory = committeeDirectory(setting);
  return new RunChronicler(directory, [firstEpoch(setting, directory)]);
}

const NO_SIGNINGS: readonly SignatureRecord[] = [];
const NO_BREAKS: readonly FinalityConflict[] = [];

class RunChronicler implements Chronicler {
  readonly #directory: CommitteeDirectory;
  count = 0;
  contents: Contents = UndoMap.empty();
  epochs: readonly OpenEpoch[];
  isBeyond: boolean;
  books: UndoMap<SlotSignatures> = UndoMap.empty();
  closers: Trie<true> = Trie.empty();
  finality: Finality = emptyFinality();
  submitted: UndoMap<number> = UndoMap.empty();
  clients: Trie<string> = Trie.empty();
  signatures: readonly SignatureRecord[] = NO_SIGNINGS;
  conflicts: readonly FinalityConflict[] = NO_BREAKS;
  /** Signatures of epochs that no honest node has opened, by epoch. */
  #early: Trie<AppendOnlyList<Signature>> = Trie.empty();
  /** Slots with signatures, by epoch. */
  #slots: UndoMap<AppendOnlyList<SlotKey>> = UndoMap.empty();

  constructor(directory: CommitteeDirectory, epochs: readonly OpenEpoch[]) {
    this.#directory = directory;
    this.epochs = epochs;
    this.isBeyond = epochs.some(isBeyond);
  }

  observe(record: ObservedEvent): void {
    this.count += 1;
    if (this.signatures.length > 0) this.signatures = NO_SIGNINGS;
    if (this.conflicts.length > 0) this.conflicts = NO_BREAKS;
    if (record.type === "signed") this.#signed(record);
    else if (record.type === "submitted") this.#noteSubmitted(record);
    else if (record.type === "closed") this.#closed(record);
    else if (record.type === "content") {
      const { hash, value, operations } = record;
      this.contents = this.contents.set(hash, { value, operations });
    }
  }

  fork(): Chronicler {
    const copy = new RunChronicler(this.#directory, this.epochs);
    copy.count = this.count;
    copy.contents = this.contents;
    copy.isBeyond = this.isBeyond;
    copy.books = this.books;
    copy.closers = this.closers;
    copy.finality = this.finality;
    copy.submitted = this.submitted;
    copy.clients = this.clients;
    copy.#early = this.#early;
    copy.#slots = this.#slots;
    return copy;
  }

  slotsSigned(epoch: Epoch): readonly SlotKey[] {
    return toArray(this.#slots.get(String(epoch)));
  }

  #signed({ key, statement }: EventOf<"signed">): void {
    const signer = this.#directory.indexOf(key);
    if (signer === undefined) return;
    const open = this.epochs[statement.epoch];
    if (open === undefined) {
      const epoch = String(statement.epoch);
      this.#early = this.#early.set(epoch, { last: { signer, statement }, before: this.#early.get(epoch) });
      return;
    }
    const signing = this.#noted(open, signer, statement);
    if (signing !== undefined) this.signatures = [signing];
  }

  /** Adds a signature of a member to its slot, once. */
  #noted(open: OpenEpoch, signer: number, statement: Statement): SignatureRecord | undefined {
    const { epoch, slot, kind } = statement;
    const { committee } = open;
    if (!committee.isMember(signer)) return undefined;
    const slotKeyText = slotEpochKey(slot, epoch);
    const known = this.books.get(slotKeyText);
    const before = known ?? emptySlot(slot, epoch);
    const signatures = withStatement(before, signer, statement);
    if (signatures === before) return undefined;
    if (known === undefined) {
      const key = String(epoch);
      this.#slots = this.#slots.set(key, { last: slot, before: this.#slots.get(key) });
    }
    this.books = this.books.set(slotKeyText, signatures);
    if (kind === "close") this.closers = this.closers.set(closerKey(epoch, signer), true);
    const completed = completedBy(signatures, statement, committee.bounds.quorum);
    if (completed === "final") this.#final(open, statement, signatures);
    return { signer, statement, committee, before, book: signatures, completed };
  }

  #final({ epoch, opened }: OpenEpoch, statement: Statement, signatures: SlotSignatures): void {
    if (statement.kind !== "commit") return;
    const { slot, value, round } = statement;
    const made = { slot, value, epoch, round, signers: signersOf(signatures, "commits", round, value) };
    const known = { contents: this.contents, opened, slotsSigned: () => this.slotsSigned(epoch) };
    const { finality, breaks } = withFinal(this.finality, made, known);
    this.finality = finality;
    if (breaks.length > 0) this.conflicts = [...this.conflicts, ...breaks];
  }

  /** The first honest node that applies a closing reveals the members of the next epoch. */
  #closed(record: EventOf<"closed">): void {
    if (!record.honest || record.value.epoch !== this.epochs.length - 1) return;
    const open = epochAfter(record, this.#directory);
    this.epochs = [...this.epochs, open];
    this.isBeyond ||= isBeyond(open);
    const early = toArray(this.#early.get(String(open.epoch)));
    this.#early = this.#early.delete(String(open.epoch));
    const signings = early.map(({ signer, statement }) => this.#noted(open, signer, statement));
    this.signatures = signings.filter((signing) => signing !== undefined);
  }

  #noteSubmitted({ id, submission, client }: EventOf<"submitted">): void {
    if (!this.submitted.has(id)) this.submitted = this.submitted.set(id, this.count);
    if (!isRecovery(submission)) this.clients = this.clients.set(submission.sender, client);
  }
}

function isBeyond({ committee }: OpenEpoch): boolean {
  return committee.byzantine > committee.bounds.faults;
}

function completedBy(signatures: SlotSignatures, statement: Statement, quorum: number): SignatureRecord["completed"] {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const kind = statement.kind === "vote" ? "votes" : "commits";
  if (signersOf(signatures, kind, statement.round, statement.value).length !== quorum) return undefined;
  return statement.kind === "vote" ? "lock" : "final";
}

/** Persistent append-only list: O(1) append, older versions stay valid. */
interface AppendOnlyList<T> {
  readonly last: T;
  readonly before: AppendOnlyList<T> | undefined;
}

/** Returns all elements, oldest first. */
function toArray<T>(chain: AppendOnlyList<T> | undefined): readonly T[] {
  const found: T[] = [];
  for (let here = chain; here !== undefined; here = here.before) found.push(here.last);
  return found.reverse();
}
