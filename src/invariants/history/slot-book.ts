/**
 * All signatures made for one slot in one epoch, delivered or not: by round, for certificates, and by signer, for
 * contradictions. Immutable; size grows with the validators and rounds of the slot.
 */
import { unreachable } from "../../core/base/assert.ts";
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { Claim, Statement } from "../observation.ts";

/** Lock certificate as a round change names it. */
export interface Lock {
  readonly round: Round;
  readonly value: Hash;
}

/** Value in a round. */
export interface Choice {
  readonly round: Round;
  readonly value: Hash;
}

export interface RoundChange {
  readonly round: Round;
  readonly lock: Lock | undefined;
}

/** Claims of one close, one for each slot. */
export type Claims = readonly Claim[];

/** Signers of one value, by index in the roster, without repeats. */
export interface Tally {
  readonly value: Hash;
  readonly signers: readonly number[];
}

export interface RoundBook {
  readonly round: Round;
  readonly votes: readonly Tally[];
  readonly commits: readonly Tally[];
  /** Round changes *to* this round. A Byzantine validator may have signed several. */
  readonly changes: readonly { readonly signer: number; readonly lock: Lock | undefined }[];
}

/** Statements of one validator in this slot, oldest first, without repeats. */
export interface Hand {
  readonly votes: readonly Choice[];
  readonly commits: readonly Choice[];
  readonly proposals: readonly Choice[];
  readonly changes: readonly RoundChange[];
  /** In an epoch slot only. */
  readonly closes: readonly Claims[];
}

export interface SlotBook {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  /** In ascending order; rounds without signatures are absent. */
  readonly rounds: readonly RoundBook[];
  /** By index in the roster. */
  readonly hands: readonly (Hand | undefined)[];
}

export const EMPTY_HAND: Hand = { votes: [], commits: [], proposals: [], changes: [], closes: [] };

/** Returns a slot without signatures. */
export function emptyBook(slot: SlotKey, epoch: Epoch): SlotBook {
  return { slot, epoch, rounds: [], hands: [] };
}

/** Returns the signatures of `round`, `undefined` if there are none. */
export function roundOf(book: SlotBook, round: Round): RoundBook | undefined {
  for (let place = book.rounds.length - 1; place >= 0; place--) {
    const one = book.rounds[place] as RoundBook;
    if (one.round <= round) return one.round === round ? one : undefined;
  }
  return undefined;
}

/** Returns the signers of votes for, or commits to, `value` in `round`. */
export function signersOf(book: SlotBook, kind: "votes" | "commits", round: Round, value: Hash): readonly number[] {
  const tallies = roundOf(book, round)?.[kind];
  return tallies?.find((tally) => tally.value === value)?.signers ?? NOBODY;
}

const NOBODY: readonly number[] = [];

/** Returns the statements of the key at an index. */
export function handOf(book: SlotBook, signer: number): Hand {
  return book.hands[signer] ?? EMPTY_HAND;
}

/** Returns the slot with one more signature; the same object if the statement is a repeat. */
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

/** Certificates contain neither proposals nor closes. */
function isCounted({ kind }: Statement): boolean {
  return kind !== "proposal" && kind !== "close";
}

/** Returns true if two round changes name the same lock, or both none. */
export function sameLock(a: Lock | undefined, b: Lock | undefined): boolean {
  return a?.round === b?.round && a?.value === b?.value;
}

/** Returns true if two closes have the same claims. */
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
