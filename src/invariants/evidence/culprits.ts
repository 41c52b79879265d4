/** Provably faulty validators after an agreement violation: at least f + 1 of an epoch's committee (protocol 7.11). */
import type { Hash } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import { bookOf, type Chronicle, type Signing } from "../history/chronicle.ts";
import { nameIn } from "../history/content.ts";
import type { OpenEpoch } from "../history/epochs.ts";
import {
  type Break,
  type Closing,
  type ClosingBreak,
  contradiction,
  epochSlot,
  type Final,
} from "../history/finality.ts";
import type { Committee } from "../history/roster.ts";
import { EMPTY_HAND, type SlotBook } from "../history/slot-book.ts";
import type { Statement } from "../observation.ts";
import { closingName, valueText } from "../words.ts";
import { closesOf, falseClaim, hiddenByAny } from "./close-offence.ts";
import { isJustifiable } from "./justified-closing.ts";
import { freeVoters, type Naming, offenceIn } from "./offence.ts";

/** Violation of each faulty validator, by index in the roster. */
export type Culprits = ReadonlyMap<number, string>;

export interface Guilt {
  readonly culprits: Culprits;
  /** Committee of which at least f + 1 members are provably faulty. */
  readonly committee: Committee;
}

/**
 * Returns the validators with signatures in this slot that no honest validator makes, in any order. If two values of
 * one epoch's slot have q commits, these are at least f + 1: two quorums share f + 1 keys, and these committed twice in
 * one round, or committed without a lock, or the first round with a lock on the other value was justified by round
 * changes that omitted the first lock, or had no justification. A lock on another value in the same or a higher round
 * proves as much.
 */
function culpritsInSlot(book: SlotBook, committee: Committee, name: Naming): Culprits {
  const named = new Map<number, string>();
  book.hands.forEach((hand, signer) => {
    for (const statement of hand === undefined ? [] : statements(book, signer)) {
      const signing: Signing = { signer, statement, committee, before: book, book, completed: undefined };
      const words = offenceIn(signing, name)?.words;
      if (words !== undefined && !named.has(signer)) named.set(signer, words);
    }
  });
  return named;
}

/**
 * Returns `undefined` if the violation depends on a closing that was never final; the validators that accepted it are
 * checked separately.
 */
export function guiltOf(seen: Chronicle, broken: Break): Guilt | undefined {
  if (broken.kind !== "rivals") return guiltOfClosing(seen, broken);
  const { first, second } = broken;
  if (first.epoch === second.epoch) {
    const open = seen.epochs[first.epoch];
    if (open === undefined) return undefined;
    const book = bookOf(seen, first.slot, first.epoch);
    return { culprits: culpritsInSlot(book, open.committee, naming(seen)), committee: open.committee };
  }
  const [early, late] = first.epoch < second.epoch ? [first, second] : [second, first];
  const between =
    contradiction(seen.finality, early, seen.contents) ?? contradiction(seen.finality, late, seen.contents);
  return between === undefined ? undefined : guiltOfClosing(seen, between);
}

function naming(seen: Chronicle): Naming {
  return (value) => nameIn(seen.contents, value);
}

/**
 * Returns the faulty validators for a final value and a closing that contradicts it. If the closing belongs to an
 * earlier epoch, a quorum voted in a slot that was decided before its own epoch. Otherwise take the q closes of the
 * closing:
 *
 * - if no q signed closes justify it, the quorum that first locked it is faulty;
 * - else f + 1 of their signers committed to the value. Each one omits that from its close; or shows a lock of the same
 * or a higher round, and then the slot's own signatures prove f + 1 faulty, unless the closing follows them; or omits
 * the slot because its last final checkpoint lists it. If that checkpoint is not an ancestor of the closing, two values
 * of an ancestor's slot are final, or a quorum locked a checkpoint whose parent is not final.
 * - if the chain lists another value for the slot, a quorum locked a checkpoint that lists a value that was not final.
 */
function guiltOfClosing(seen: Chronicle, broken: ClosingBreak): Guilt | undefined {
  const { final, closing } = broken;
  const open = seen.epochs[final.epoch];
  if (open === undefined || closing.epoch > final.epoch) return undefined;
  const culprits = new Map(culpritsInSlot(bookOf(seen, final.slot, final.epoch), open.committee, naming(seen)));
  const blame = (places: Iterable<number>, words: string): void => {
    for (const place of places) if (!culprits.has(place)) culprits.set(place, words);
  };
  if (closing.epoch < final.epoch) {
    const voters = freeVoters(bookOf(seen, final.slot, final.epoch), final.value, open.committee.bounds.quorum);
    blame(voters, `voted in epoch ${final.epoch} after ${closingName(closing.epoch)} had decided`);
    return { culprits, committee: open.committee };
  }
  for (const [place, words] of closersAtFault(seen, open, final)) blame([place], words);
  const slot = epochSlot(open.epoch);
  for (const [place, words] of culpritsInSlot(bookOf(seen, slot, open.epoch), open.committee, naming(seen)))
    blame([place], words);
  if (closing.value !== undefined && !isJustifiable(seen, open, closing.value)) {
    const voters = freeVoters(bookOf(seen, slot, open.epoch), closing.hash, open.committee.bounds.quorum);
    blame(voters, `voted for ${closingName(open.epoch)}, which no closes justify`);
  }
  chainAtFault(seen, open, closing, final, blame);
  return { culprits, committee: open.committee };
}

/** Signers whose closes contradict each other, claim a value without a quorum, or omit a known lock of this slot. */
function closersAtFault(seen: Chronicle, { epoch, committee }: OpenEpoch, { slot }: Final): Culprits {
  const named = new Map<number, string>();
  const book = bookOf(seen, slot, epoch);
  const closing = bookOf(seen, epochSlot(epoch), epoch);
  for (const signer of closing.hands.keys()) {
    for (const claims of closesOf(seen, epoch, signer)) {
      const statement: Statement = { kind: "close", epoch, slot: closing.slot, round: 0 as Final["round"], claims };
      const signing: Signing = { signer, statement, committee, before: closing, book: closing, completed: undefined };
      const words = (falseClaim(seen, signing, naming(seen)) ?? hiddenByAny(seen, book, signer, naming(seen)))?.words;
      if (words !== undefined) named.set(signer, words);
    }
  }
  return named;
}

/** First voters for an ancestor of the closing that no honest validator votes for. */
function chainAtFault(
  seen: Chronicle,
  { epoch, opened, committee }: OpenEpoch,
  { links }: Closing,
  { slot }: Final,
  blame: (places: Iterable<number>, words: string) => void,
): void {
  for (const { hash, value } of links) {
    const { number, parentHash } = value.header;
    const book = bookOf(seen, slotKey({ kind: "checkpoint", number }), epoch);
    for (const [place, words] of culpritsInSlot(book, committee, naming(seen))) blame([place], words);
    const voters = freeVoters(book, hash, committee.bounds.quorum);
    const parent = slotKey({ kind: "checkpoint", number: (number - 1) as typeof number });
    if (number - 1 > opened && !isFinal(seen, epoch, parent, (value) => value === parentHash))
      blame(voters, `voted for checkpoint ${number}, whose parent was not final`);
    const here = value.listed.find((one) => slotKey(one.slot) === slot);
    if (here === undefined) continue;
    const text = valueText(here.value);
    const isText = (value: Hash): boolean => {
      const content = seen.contents.get(value);
      return content === undefined || valueText(content.value) === text;
    };
    if (!isFinal(seen, epoch, slot, isText))
      blame(voters, `voted for checkpoint ${number}, which lists a value that was not final`);
  }
}

function isFinal(seen: Chronicle, epoch: Final["epoch"], slot: string, is: (value: Hash) => boolean): boolean {
  return (seen.finality.finals.get(slot) ?? []).some((one) => one.epoch === epoch && is(one.value));
}

function statements({ slot, epoch, hands }: SlotBook, signer: number): readonly Statement[] {
  const { votes, commits, proposals, changes, closes } = hands[signer] ?? EMPTY_HAND;
  return [
    ...votes.map((one) => ({ kind: "vote" as const, epoch, slot, ...one })),
    ...commits.map((one) => ({ kind: "commit" as const, epoch, slot, ...one })),
    ...proposals.map((one) => ({ kind: "proposal" as const, epoch, slot, ...one })),
    ...changes.map((one) => ({ kind: "roundChange" as const, epoch, slot, ...one })),
    ...closes.map((claims) => ({ kind: "close" as const, epoch, slot, round: 0 as Final["round"], claims })),
  ];
}
