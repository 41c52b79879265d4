/**
 * What several oracles need to remember of a run, folded once: contents of values, every signature by slot, and each
 * node's applications as wholes. Immutable and made of tries, so that a fork copies one reference.
 */
import { unreachable } from "../core/base/assert.ts";
import type { Epoch, Hash } from "../core/base/ids.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import { isRecovery } from "../core/base/operation.ts";
import type { SlotKey, Value } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import { type Application, begin, finish, type OpenApplication, withChange, withReceipt } from "./application.ts";
import type { NodeName, Observed, Setting, Statement } from "./observation.ts";
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
  /** Step of the last record. */
  readonly step: number;
  readonly contents: Trie<Content>;
  readonly books: Trie<SlotBook>;
  /** Count at which an operation was first handed in. */
  readonly submitted: Trie<number>;
  /** Names of the clients by their accounts. */
  readonly clients: Trie<string>;
  readonly signing: Signing | undefined;
  readonly open: Trie<OpenApplication>;
  /** Applications that this record showed to be complete. */
  readonly closed: readonly Application[];
}

/** Folds one record in. */
export type Chronicler = (before: Chronicle, record: Observed) => Chronicle;

const NOTHING: readonly Application[] = [];

/** Before the first record. */
export const NO_CHRONICLE: Chronicle = {
  count: 0,
  step: 0,
  contents: Trie.empty(),
  books: Trie.empty(),
  submitted: Trie.empty(),
  clients: Trie.empty(),
  signing: undefined,
  open: Trie.empty(),
  closed: NOTHING,
};

/**
 * A fold that all oracles of one run may share. They start from the same chronicle and see the same records, so the
 * first to ask computes the next one and the others are handed it. The answer depends on the arguments alone.
 */
export function chronicler(setting: Setting): Chronicler {
  const who = roster(setting);
  let from: Chronicle | undefined;
  let by: Observed | undefined;
  let to = NO_CHRONICLE;
  return (before, record) => {
    if (before === from && record === by) return to;
    to = told(stepped(before, record.step), record, who);
    from = before;
    by = record;
    return to;
  };
}

/** Key of a slot's book. */
export function bookKey(slot: SlotKey, epoch: Epoch): string {
  return epoch === 0 ? slot : `${slot}#${epoch}`;
}

/** Everything signed for a slot in an epoch. */
export function bookOf(chronicle: Chronicle, slot: SlotKey, epoch: Epoch): SlotBook {
  return chronicle.books.get(bookKey(slot, epoch)) ?? emptyBook(slot, epoch);
}

/**
 * The chronicle as the next record finds it, that record counted. All that a node shows of one application comes in
 * one step of the world, so a later step ends it, even where the node says nothing more.
 */
function stepped(before: Chronicle, step: number): Chronicle {
  const { contents, books, submitted, clients, open } = before;
  const ends = step > before.step && open.size > 0;
  const closed = ends ? [...open.values()].map(finish) : NOTHING;
  const count = before.count + 1;
  return {
    count,
    step,
    contents,
    books,
    submitted,
    clients,
    signing: undefined,
    open: ends ? Trie.empty() : open,
    closed,
  };
}

function told(before: Chronicle, record: Observed, who: Roster): Chronicle {
  switch (record.type) {
    case "changed":
    case "receipt":
      return grown(before, record);
    case "signed":
      return signed(ended(before, record.node), record, who);
    case "applied": {
      const after = ended(before, record.node);
      return { ...after, open: after.open.set(record.node, begin(record)) };
    }
    case "content": {
      const content = { value: record.value, operations: record.operations };
      return { ...before, contents: before.contents.set(record.hash, content) };
    }
    case "submitted":
      return handedIn(before, record);
    case "decided":
    case "checkpointed":
    case "reported":
    case "crashed":
    case "restarted":
    case "root":
      return ended(before, record.node);
    case "ended": {
      const rest = [...before.open.values()].map(finish);
      return rest.length === 0 ? before : { ...before, open: Trie.empty(), closed: [...before.closed, ...rest] };
    }
    case "asked":
    case "replied":
    case "answered":
    case "healed":
      return before;
    default:
      return unreachable(record);
  }
}

/** The node said something else, so what it applied before is complete. */
function ended(before: Chronicle, node: NodeName): Chronicle {
  const open = before.open.get(node);
  if (open === undefined) return before;
  return { ...before, open: before.open.delete(node), closed: [...before.closed, finish(open)] };
}

function grown(before: Chronicle, record: Extract<Observed, { readonly type: "changed" | "receipt" }>): Chronicle {
  const open = before.open.get(record.node);
  if (open === undefined) return before;
  const more = record.type === "changed" ? withChange(open, record.change) : withReceipt(open, record.receipt);
  return { ...before, open: before.open.set(record.node, more) };
}

function signed(after: Chronicle, record: Extract<Observed, { readonly type: "signed" }>, who: Roster): Chronicle {
  const signer = who.indexOf(record.key);
  if (signer === undefined) return after;
  const { statement } = record;
  const key = bookKey(statement.slot, statement.epoch);
  const before = after.books.get(key) ?? emptyBook(statement.slot, statement.epoch);
  const book = note(before, signer, statement);
  if (book === before) return after;
  const signing = { signer, statement, before, book, completed: completed(book, statement, who.bounds.quorum) };
  return { ...after, books: after.books.set(key, book), signing };
}

function completed(book: SlotBook, statement: Statement, quorum: number): Signing["completed"] {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const kind = statement.kind === "vote" ? "votes" : "commits";
  if (signersOf(book, kind, statement.round, statement.value).length !== quorum) return undefined;
  return statement.kind === "vote" ? "lock" : "final";
}

function handedIn(after: Chronicle, record: Extract<Observed, { readonly type: "submitted" }>): Chronicle {
  const { id, submission, client } = record;
  const submitted = after.submitted.has(id) ? after.submitted : after.submitted.set(id, after.count);
  const clients = isRecovery(submission) ? after.clients : after.clients.set(submission.sender, client);
  return { ...after, submitted, clients };
}

/** The value behind a hash, `undefined` while nothing says what it stands for. */
export function contentOf(chronicle: Chronicle, hash: Hash): Content | undefined {
  return chronicle.contents.get(hash);
}
