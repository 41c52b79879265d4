/** Fold of the events of a run into its chronicle. */
import type { Epoch } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { UndoMap } from "../../core/base/undo-map.ts";
import type { Observed, RecordOf, Setting, Statement } from "../observation.ts";
import { type Chain, inOrder } from "./chain.ts";
import { bookKey, type Chronicle, closerKey, type Signing } from "./chronicle.ts";
import type { Contents } from "./content.ts";
import { epochAfter, firstEpoch, type OpenEpoch } from "./epochs.ts";
import { type Break, type Finality, nothingFinal, withFinal } from "./finality.ts";
import { type Roster, roster } from "./roster.ts";
import { emptyBook, note, type SlotBook, signersOf } from "./slot-book.ts";

/** Signature with the roster index of its key. */
interface Signature {
  readonly signer: number;
  readonly statement: Statement;
}

/** Chronicle that accepts events. */
export interface Chronicler extends Chronicle {
  /** Folds one event in. */
  observe(record: Observed): void;
  /** Returns an independent copy. */
  fork(): Chronicler;
}

/** Returns an empty chronicle; all oracles of a run share it. */
export function chronicler(setting: Setting): Chronicler {
  const who = roster(setting);
  return new RunChronicler(who, [firstEpoch(setting, who)]);
}

const NO_SIGNINGS: readonly Signing[] = [];
const NO_BREAKS: readonly Break[] = [];

class RunChronicler implements Chronicler {
  readonly #who: Roster;
  count = 0;
  contents: Contents = UndoMap.empty();
  epochs: readonly OpenEpoch[];
  isBeyond: boolean;
  books: UndoMap<SlotBook> = UndoMap.empty();
  closers: Trie<true> = Trie.empty();
  finality: Finality = nothingFinal();
  submitted: UndoMap<number> = UndoMap.empty();
  clients: Trie<string> = Trie.empty();
  signings: readonly Signing[] = NO_SIGNINGS;
  breaks: readonly Break[] = NO_BREAKS;
  /** Signatures of epochs that no honest node has opened, by epoch. */
  #early: Trie<Chain<Signature>> = Trie.empty();
  /** Slots with signatures, by epoch. */
  #slots: UndoMap<Chain<SlotKey>> = UndoMap.empty();

  constructor(who: Roster, epochs: readonly OpenEpoch[]) {
    this.#who = who;
    this.epochs = epochs;
    this.isBeyond = epochs.some(isBeyond);
  }

  observe(record: Observed): void {
    this.count += 1;
    if (this.signings.length > 0) this.signings = NO_SIGNINGS;
    if (this.breaks.length > 0) this.breaks = NO_BREAKS;
    if (record.type === "signed") this.#signed(record);
    else if (record.type === "submitted") this.#handedIn(record);
    else if (record.type === "closed") this.#closed(record);
    else if (record.type === "content") {
      const { hash, value, operations } = record;
      this.contents = this.contents.set(hash, { value, operations });
    }
  }

  fork(): Chronicler {
    const copy = new RunChronicler(this.#who, this.epochs);
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
    return inOrder(this.#slots.get(String(epoch)));
  }

  #signed({ key, statement }: RecordOf<"signed">): void {
    const signer = this.#who.placeOf(key);
    if (signer === undefined) return;
    const open = this.epochs[statement.epoch];
    if (open === undefined) {
      const epoch = String(statement.epoch);
      this.#early = this.#early.set(epoch, { last: { signer, statement }, before: this.#early.get(epoch) });
      return;
    }
    const signing = this.#noted(open, signer, statement);
    if (signing !== undefined) this.signings = [signing];
  }

  /** Adds a signature of a member to its slot, once. */
  #noted(open: OpenEpoch, signer: number, statement: Statement): Signing | undefined {
    const { epoch, slot, kind } = statement;
    const { committee } = open;
    if (!committee.isMember(signer)) return undefined;
    const place = bookKey(slot, epoch);
    const known = this.books.get(place);
    const before = known ?? emptyBook(slot, epoch);
    const book = note(before, signer, statement);
    if (book === before) return undefined;
    if (known === undefined) {
      const key = String(epoch);
      this.#slots = this.#slots.set(key, { last: slot, before: this.#slots.get(key) });
    }
    this.books = this.books.set(place, book);
    if (kind === "close") this.closers = this.closers.set(closerKey(epoch, signer), true);
    const completed = completedBy(book, statement, committee.bounds.quorum);
    if (completed === "final") this.#final(open, statement, book);
    return { signer, statement, committee, before, book, completed };
  }

  #final({ epoch, opened }: OpenEpoch, statement: Statement, book: SlotBook): void {
    if (statement.kind !== "commit") return;
    const { slot, value, round } = statement;
    const made = { slot, value, epoch, round, signers: signersOf(book, "commits", round, value) };
    const known = { contents: this.contents, opened, slotsSigned: () => this.slotsSigned(epoch) };
    const { finality, breaks } = withFinal(this.finality, made, known);
    this.finality = finality;
    if (breaks.length > 0) this.breaks = [...this.breaks, ...breaks];
  }

  /** The first honest node that applies a closing reveals the members of the next epoch. */
  #closed(record: RecordOf<"closed">): void {
    if (!record.honest || record.value.epoch !== this.epochs.length - 1) return;
    const open = epochAfter(record, this.#who);
    this.epochs = [...this.epochs, open];
    this.isBeyond ||= isBeyond(open);
    const early = inOrder(this.#early.get(String(open.epoch)));
    this.#early = this.#early.delete(String(open.epoch));
    const signings = early.map(({ signer, statement }) => this.#noted(open, signer, statement));
    this.signings = signings.filter((signing) => signing !== undefined);
  }

  #handedIn({ id, submission, client }: RecordOf<"submitted">): void {
    if (!this.submitted.has(id)) this.submitted = this.submitted.set(id, this.count);
    if (!isRecovery(submission)) this.clients = this.clients.set(submission.sender, client);
  }
}

function isBeyond({ committee }: OpenEpoch): boolean {
  return committee.byzantine > committee.bounds.faults;
}

function completedBy(book: SlotBook, statement: Statement, quorum: number): Signing["completed"] {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const kind = statement.kind === "vote" ? "votes" : "commits";
  if (signersOf(book, kind, statement.round, statement.value).length !== quorum) return undefined;
  return statement.kind === "vote" ? "lock" : "final";
}
