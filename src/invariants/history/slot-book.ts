/**
 * Every signature ever made for one slot in one epoch, delivered or not: by round, as certificates would count them,
 * and by signer, as contradictions show. Immutable; what it holds grows with the validators and rounds of the slot.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { Claim, Statement } from "../observation.ts";

/** A lock certificate as a round change names it. */
export interface Lock {
  readonly round: Round;
  readonly value: Hash;
}

/** One value in one round. */
export interface Choice {
  readonly round: Round;
  readonly value: Hash;
}

export interface RoundChange {
  readonly round: Round;
  readonly lock: Lock | undefined;
}

/** What one validator claims in a close: one claim a slot. */
export type Claims = readonly Claim[];

/** Who signed one value, by place in the roster, each once. */
export interface Tally {
  readonly value: Hash;
  readonly signers: readonly number[];
}

export interface RoundBook {
  readonly round: Round;
  readonly votes: readonly Tally[];
  readonly commits: readonly Tally[];
  /** Round changes *to* this round. A liar may have made several. */
  readonly changes: readonly { readonly signer: number; readonly lock: Lock | undefined }[];
}

/** What one validator signed in this slot, oldest first, repeats left out. */
export interface Hand {
  readonly votes: readonly Choice[];
  readonly commits: readonly Choice[];
  readonly proposals: readonly Choice[];
  readonly changes: readonly RoundChange[];
  /** In the slot of an epoch only. */
  readonly closes: readonly Claims[];
}

export interface SlotBook {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  /** In ascending order; rounds in which nothing was signed are absent. */
  readonly rounds: readonly RoundBook[];
  /** By place in the roster. */
  readonly hands: readonly (Hand | undefined)[];
}

export const EMPTY_HAND: Hand = { votes: [], commits: [], proposals: [], changes: [], closes: [] };

/** A slot for which nobody has signed. */
export function emptyBook(slot: SlotKey, epoch: Epoch): SlotBook {
  return { slot, epoch, rounds: [], hands: [] };
}

/** The signatures made in `round`, `undefined` when there are none. */
export function roundOf(book: SlotBook, round: Round): RoundBook | undefined {
  for (let place = book.rounds.length - 1; place >= 0; place--) {
    const one = book.rounds[place] as RoundBook;
    if (one.round <= round) return one.round === round ? one : undefined;
  }
  return undefined;
}

/** Who voted for, or committed to, `value` in `round`. */
export function signersOf(book: SlotBook, kind: "votes" | "commits", round: Round, value: Hash): readonly number[] {
  const tallies = roundOf(book, round)?.[kind];
  return tallies?.find((tally) => tally.value === value)?.signers ?? NOBODY;
}

const NOBODY: readonly number[] = [];

/** What the key at one place signed so far. */
export function handOf(book: SlotBook, signer: number): Hand {
  return book.hands[signer] ?? EMPTY_HAND;
}

/** The book with one more signature; the same book when this very statement was signed before. */
export function note(book: SlotBook, signer: number, statement: Statement): SlotBook {
  const hand = handOf(book, signer);
  if (alreadySigned(hand, statement)) return book;
  return {
    slot: book.slot,
    epoch: book.epoch,
    rounds: isCounted(statement) ? withRound(book.rounds, signer, statement) : book.rounds,
    hands: withHand(book.hands, signer, extended(hand, statement)),
  };
}

/** Proposals and closes stand in no certificate. */
function isCounted({ kind }: Statement): boolean {
  return kind !== "proposal" && kind !== "close";
}

/** Whether two round changes carry the same lock, or both none. */
export function sameLock(a: Lock | undefined, b: Lock | undefined): boolean {
  return a?.round === b?.round && a?.value === b?.value;
}

/** Whether two closes claim the same of every slot. */
export function sameClaims(a: Claims, b: Claims): boolean {
  if (a.length !== b.length) return false;
  const other = new Map(b.map((claim) => [claim.slot, claim]));
  return a.every(({ slot, round, value, final }) => {
    const same = other.get(slot);
    return same !== undefined && same.round === round && same.value === value && same.final === final;
  });
}

function alreadySigned(hand: Hand, statement: Statement): boolean {
  const { round } = statement;
  switch (statement.kind) {
    case "vote":
      return hand.votes.some((one) => one.round === round && one.value === statement.value);
    case "commit":
      return hand.commits.some((one) => one.round === round && one.value === statement.value);
    case "proposal":
      return hand.proposals.some((one) => one.round === round && one.value === statement.value);
    case "roundChange":
      return hand.changes.some((one) => one.round === round && sameLock(one.lock, statement.lock));
    case "close":
      return hand.closes.some((one) => sameClaims(one, statement.claims));
    default:
      return unreachable(statement);
  }
}

function extended({ votes, commits, proposals, changes, closes }: Hand, statement: Statement): Hand {
  const { round } = statement;
  switch (statement.kind) {
    case "vote":
      return { votes: votes.concat({ round, value: statement.value }), commits, proposals, changes, closes };
    case "commit":
      return { votes, commits: commits.concat({ round, value: statement.value }), proposals, changes, closes };
    case "proposal":
      return { votes, commits, proposals: proposals.concat({ round, value: statement.value }), changes, closes };
    case "roundChange":
      return { votes, commits, proposals, changes: changes.concat({ round, lock: statement.lock }), closes };
    case "close":
      return { votes, commits, proposals, changes, closes: [...closes, statement.claims] };
    default:
      return unreachable(statement);
  }
}

function withHand(hands: SlotBook["hands"], signer: number, hand: Hand): SlotBook["hands"] {
  if (signer < hands.length) return hands.with(signer, hand);
  const gap = new Array<undefined>(signer - hands.length).fill(undefined);
  return hands.concat(gap, hand);
}

function withRound(rounds: readonly RoundBook[], signer: number, statement: Statement): readonly RoundBook[] {
  let place = rounds.length;
  while (place > 0 && (rounds[place - 1] as RoundBook).round >= statement.round) place--;
  const found = rounds[place];
  const copy = rounds.slice();
  if (found?.round === statement.round) copy[place] = counted(found, signer, statement);
  else
    copy.splice(place, 0, counted({ round: statement.round, votes: [], commits: [], changes: [] }, signer, statement));
  return copy;
}

function counted(book: RoundBook, signer: number, statement: Statement): RoundBook {
  const { round, votes, commits, changes } = book;
  switch (statement.kind) {
    case "vote":
      return { round, votes: tallied(votes, signer, statement.value), commits, changes };
    case "commit":
      return { round, votes, commits: tallied(commits, signer, statement.value), changes };
    case "roundChange":
      return { round, votes, commits, changes: changes.concat({ signer, lock: statement.lock }) };
    case "proposal":
    case "close":
      return book;
    default:
      return unreachable(statement);
  }
}

function tallied(tallies: readonly Tally[], signer: number, value: Hash): readonly Tally[] {
  const place = tallies.findIndex((tally) => tally.value === value);
  const found = tallies[place];
  if (found === undefined) return tallies.concat({ value, signers: [signer] });
  return tallies.with(place, { value, signers: found.signers.concat(signer) });
}
