/**
 * What several oracles need to remember of a run, folded once: contents of values, every signature by slot, who handed
 * in what. Made of persistent maps, so that a fork copies references.
 */
import type { Epoch, Hash } from "../core/base/ids.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import { isRecovery } from "../core/base/operation.ts";
import type { SlotKey, Value } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import { UndoMap } from "../core/base/undo-map.ts";
import type { Observed, RecordOf, Setting, Statement } from "./observation.ts";
import { type Roster, roster } from "./roster.ts";
import { emptyBook, note, type SlotBook, signersOf } from "./slot-book.ts";

export interface Content {
  readonly value: Value;
  readonly operations: readonly SignedOperation[];
}

/** What the record just judged added to a slot's book; only statements that were never signed before count. */
export interface Signing {
  readonly signer: number;
  readonly statement: Statement;
  readonly before: SlotBook;
  readonly book: SlotBook;
  /** The certificate that this signature made possible: it was the q-th. */
  readonly completed: "lock" | "final" | undefined;
}

export interface Chronicle {
  /** How many records were seen: the order of happenings within and across steps. */
  readonly count: number;
  readonly contents: UndoMap<Content>;
  readonly books: UndoMap<SlotBook>;
  /** Count at which an operation was first handed in. */
  readonly submitted: UndoMap<number>;
  /** Names of the clients by their accounts. */
  readonly clients: Trie<string>;
  /** Of the last record, where it was a signature. */
  readonly signing: Signing | undefined;
}

/** A chronicle that records are told to. */
export interface Chronicler extends Chronicle {
  /** Folds one record in. */
  observe(record: Observed): void;
  /** An independent copy. */
  fork(): Chronicler;
}

/** A chronicle before its first record: the oracles of one run share it. */
export function chronicler(setting: Setting): Chronicler {
  return new RunChronicler(roster(setting));
}

class RunChronicler implements Chronicler {
  readonly #who: Roster;
  count = 0;
  contents: UndoMap<Content> = UndoMap.empty();
  books: UndoMap<SlotBook> = UndoMap.empty();
  submitted: UndoMap<number> = UndoMap.empty();
  clients: Trie<string> = Trie.empty();
  signing: Signing | undefined;

  constructor(who: Roster) {
    this.#who = who;
  }

  observe(record: Observed): void {
    this.count += 1;
    this.signing = undefined;
    if (record.type === "signed") this.#signed(record);
    else if (record.type === "submitted") this.#handedIn(record);
    else if (record.type === "content") {
      const { hash, value, operations } = record;
      this.contents = this.contents.set(hash, { value, operations });
    }
  }

  fork(): Chronicler {
    const copy = new RunChronicler(this.#who);
    copy.count = this.count;
    copy.contents = this.contents;
    copy.books = this.books;
    copy.submitted = this.submitted;
    copy.clients = this.clients;
    return copy;
  }

  #signed({ key, statement }: RecordOf<"signed">): void {
    const signer = this.#who.indexOf(key);
    if (signer === undefined) return;
    const place = bookKey(statement.slot, statement.epoch);
    const before = this.books.get(place) ?? emptyBook(statement.slot, statement.epoch);
    const book = note(before, signer, statement);
    if (book === before) return;
    this.books = this.books.set(place, book);
    this.signing = { signer, statement, before, book, completed: completed(book, statement, this.#who.bounds.quorum) };
  }

  #handedIn({ id, submission, client }: RecordOf<"submitted">): void {
    if (!this.submitted.has(id)) this.submitted = this.submitted.set(id, this.count);
    if (!isRecovery(submission)) this.clients = this.clients.set(submission.sender, client);
  }
}

/** Key of a slot's book. */
export function bookKey(slot: SlotKey, epoch: Epoch): string {
  return epoch === 0 ? slot : `${slot}#${epoch}`;
}

/** Everything signed for a slot in an epoch. */
export function bookOf(chronicle: Chronicle, slot: SlotKey, epoch: Epoch): SlotBook {
  return chronicle.books.get(bookKey(slot, epoch)) ?? emptyBook(slot, epoch);
}

/** The value behind a hash, `undefined` while nothing says what it stands for. */
export function contentOf(chronicle: Chronicle, hash: Hash): Content | undefined {
  return chronicle.contents.get(hash);
}

function completed(book: SlotBook, statement: Statement, quorum: number): Signing["completed"] {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const kind = statement.kind === "vote" ? "votes" : "commits";
  if (signersOf(book, kind, statement.round, statement.value).length !== quorum) return undefined;
  return statement.kind === "vote" ? "lock" : "final";
}
