/**
 * What several oracles need to remember of a run, folded once: contents of values, the epochs and their committees, every
 * signature by slot, what could be final, who handed in what. Made of persistent maps, so that a fork copies references.
 */
import { present } from "../../core/base/assert.ts";
import type { Epoch, Hash } from "../../core/base/ids.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { Trie } from "../../core/base/trie.ts";
import type { UndoMap } from "../../core/base/undo-map.ts";
import type { Statement } from "../observation.ts";
import type { Content, Contents } from "./content.ts";
import type { OpenEpoch } from "./epochs.ts";
import type { Break, Finality } from "./finality.ts";
import type { Committee } from "./roster.ts";
import { emptyBook, type SlotBook } from "./slot-book.ts";

/** A signature that was never made before, and what it added to its slot's book. */
export interface Signing {
  /** Place in the roster. */
  readonly signer: number;
  readonly statement: Statement;
  /** Of the statement's epoch: its signer is a member. */
  readonly committee: Committee;
  readonly before: SlotBook;
  readonly book: SlotBook;
  /** The certificate that this signature made possible: it was the q-th. */
  readonly completed: "lock" | "final" | undefined;
}

export interface Chronicle {
  /** How many records were seen: the order of happenings within and across steps. */
  readonly count: number;
  readonly contents: Contents;
  /** Those that an honest node has opened, epoch 0 first. */
  readonly epochs: readonly OpenEpoch[];
  /** Whether more than f validators of any of them are Byzantine. */
  readonly isBeyond: boolean;
  /** Signatures of members, by slot and epoch. */
  readonly books: UndoMap<SlotBook>;
  /** Who has closed which epoch, by `closerKey`. */
  readonly closers: Trie<true>;
  readonly finality: Finality;
  /** Count at which an operation was first handed in. */
  readonly submitted: UndoMap<number>;
  /** Names of the clients by their accounts. */
  readonly clients: Trie<string>;
  /**
   * What the last record added: a signature of its own; or, where it opened an epoch, those of the epoch's members that
   * were made before anybody could know whose count.
   */
  readonly signings: readonly Signing[];
  /** What they made final that does not go together with what was final before. */
  readonly breaks: readonly Break[];
  /** The slots of an epoch for which a member signed. */
  slotsSigned(epoch: Epoch): readonly SlotKey[];
}

/** Key of a slot's book. */
export function bookKey(slot: SlotKey, epoch: Epoch): string {
  return epoch === 0 ? slot : `${slot}#${epoch}`;
}

/** Everything that members signed for a slot in an epoch. */
export function bookOf(chronicle: Pick<Chronicle, "books">, slot: SlotKey, epoch: Epoch): SlotBook {
  return chronicle.books.get(bookKey(slot, epoch)) ?? emptyBook(slot, epoch);
}

/** Key of one validator's closing of one epoch. */
export function closerKey(epoch: Epoch, signer: number): string {
  return `${epoch}/${signer}`;
}

/** Whether this validator has signed a close of the epoch. Asked for every signature: costs nothing until somebody has. */
export function hasClosed({ closers }: Chronicle, epoch: Epoch, signer: number): boolean {
  return closers.size > 0 && closers.has(closerKey(epoch, signer));
}

/** The value behind a hash, `undefined` while nothing says what it stands for. */
export function contentOf(chronicle: Chronicle, hash: Hash): Content | undefined {
  return chronicle.contents.get(hash);
}

/** The epoch that was opened last. */
export function currentEpoch({ epochs }: Chronicle): OpenEpoch {
  return present(epochs[epochs.length - 1], "epoch 0");
}

/** The committee of an epoch, `undefined` while no honest node has opened it. */
export function committeeOf({ epochs }: Chronicle, epoch: Epoch): Committee | undefined {
  return epochs[epoch]?.committee;
}

/**
 * How many commits stand behind a value: a quorum of the epochs in which they exist. Where they exist in none, the least
 * that there ever was.
 */
export function quorumBehind(
  { epochs, finality }: Chronicle,
  slot: SlotKey | undefined,
  value: Hash | undefined,
): number {
  const made = (slot === undefined ? undefined : finality.finals.get(slot))?.filter((one) => one.value === value) ?? [];
  const where = made.length === 0 ? epochs : made.flatMap(({ epoch }) => epochs[epoch] ?? []);
  return Math.min(...where.map(({ committee }) => committee.bounds.quorum));
}
