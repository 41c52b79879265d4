/** Explanation of an undecided slot from its signatures (protocol 3.1, 3.2, 7.8). */

import { present } from "../../core/base/assert.ts";
import type { Hash, Round } from "../../core/base/ids.ts";
import { counted, listed, short, valueName } from "../words.ts";
import { type Chronicle, committeeOf, contentOf } from "./chronicle.ts";
import type { Bounds } from "./quorum.ts";
import type { Roster } from "./roster.ts";
import { handOf, type RoundBook, roundOf, type SlotBook, type Tally } from "./slot-book.ts";

export interface Telling {
  readonly seen: Chronicle;
  readonly who: Roster;
  /** Indices of the committee members in the healed core: only they can be expected to sign. */
  readonly core: readonly number[];
}

/** Rounds described in full: earlier ones decide nothing by themselves. */
const ROUNDS_TOLD = 2;

/** Returns a summary of votes, commits and round changes. */
export function signedSoFar(telling: Telling, book: SlotBook): string {
  if (book.rounds.length === 0) return "no signatures";
  const told = book.rounds.slice(-ROUNDS_TOLD).map((round) => roundWords(telling, book, round));
  const skipped = book.rounds.length - told.length;
  return (skipped > 0 ? [`${counted(skipped, "earlier round")} failed`, ...told] : told).join("; ");
}

/** Returns the signatures that would let the slot proceed, by the rules for its current round. */
export function whatWouldFree(telling: Telling, book: SlotBook, reason: string): string {
  const round = standing(telling, book);
  const ways = [...certificateWays(telling, book, round), ...roundChangeWays(telling, book, round, reason)];
  return ways.join(", or ");
}

function boundsOf({ seen }: Telling, { epoch }: SlotBook): Bounds {
  return present(committeeOf(seen, epoch), `the committee of epoch ${epoch}`).bounds;
}

/** Returns the highest round with q round changes or a vote. */
function standing(telling: Telling, book: SlotBook): Round {
  const { quorum } = boundsOf(telling, book);
  for (let place = book.rounds.length - 1; place >= 0; place--) {
    const one = book.rounds[place] as RoundBook;
    if (one.votes.length > 0 || changers(one).length >= quorum) return one.round;
  }
  return 0 as Round;
}

function roundWords({ seen, who, core }: Telling, book: SlotBook, round: RoundBook): string {
  const parts: string[] = [];
  const moved = changers(round);
  if (moved.length > 0) parts.push(`${listed(who.namesAt(moved))} changed to it`);
  parts.push(tallyWords(seen, who, round.votes, "voted for", "no votes"));
  const silent = core.filter((place) => !round.votes.some(({ signers }) => signers.includes(place)));
  if (round.votes.length > 0 && silent.length > 0) parts.push(`${listed(who.namesAt(silent))} did not vote`);
  if (round.commits.length > 0) parts.push(tallyWords(seen, who, round.commits, "committed to", ""));
  if (handsProposed(book, round.round).length > 0)
    parts.push(`${listed(who.namesAt(handsProposed(book, round.round)))} proposed`);
  return `round ${round.round}: ${parts.join(", ")}`;
}

function tallyWords(seen: Chronicle, who: Roster, tallies: readonly Tally[], verb: string, none: string): string {
  if (tallies.length === 0) return none;
  return tallies
    .map(({ value, signers }) => `${listed(who.namesAt(signers))} ${verb} ${named(seen, value)}`)
    .join(", ");
}

/** Missing votes or commits for a certificate in this round. */
function certificateWays(telling: Telling, book: SlotBook, round: Round): readonly string[] {
  const { seen, who, core } = telling;
  const { quorum } = boundsOf(telling, book);
  const here = roundOf(book, round);
  const stay = core.filter((place) => !handOf(book, place).changes.some((one) => one.round > round));
  const lock = here?.votes.find(({ signers }) => signers.length >= quorum);
  if (here !== undefined && lock !== undefined) {
    const commits = here.commits.find(({ value }) => value === lock.value)?.signers ?? [];
    const able = stay.filter((place) => !commits.includes(place));
    if (commits.length >= quorum) return ["delivery of the commits: a quorum has signed"];
    return [more(quorum - commits.length, "commit", who.namesAt(able), named(seen, lock.value))];
  }
  if (here === undefined || here.votes.length === 0) return firstVote(book, round);
  const able = stay.filter((place) => !here.votes.some(({ signers }) => signers.includes(place)));
  const reachable = here.votes.filter(({ signers }) => signers.length + able.length >= quorum);
  return reachable.map(({ value, signers }) =>
    more(quorum - signers.length, "vote", who.namesAt(able), named(seen, value)),
  );
}

function firstVote(book: SlotBook, round: Round): readonly string[] {
  if (round === 0) return ["votes in round 0 (none so far)"];
  const proposed = handsProposed(book, round).length > 0;
  return [proposed ? `votes for the proposal of round ${round}` : `a proposal for round ${round} (none so far)`];
}

function roundChangeWays(telling: Telling, book: SlotBook, round: Round, reason: string): readonly string[] {
  const { who } = telling;
  const { quorum, faults } = boundsOf(telling, book);
  const higher = book.rounds.filter((one) => one.round > round && changers(one).length > 0);
  const next = higher[higher.length - 1];
  if (next === undefined) return [`round changes from ${counted(faults + 1, "validator")}: ${reason}`];
  const moved = changers(next);
  return [
    `${counted(quorum - moved.length, "more round change")} to round ${next.round} ` +
      `(so far ${listed(who.namesAt(moved))})`,
  ];
}

function changers(round: RoundBook): readonly number[] {
  return [...new Set(round.changes.map(({ signer }) => signer))];
}

function handsProposed(book: SlotBook, round: Round): readonly number[] {
  const found: number[] = [];
  book.hands.forEach((hand, place) => {
    if (hand?.proposals.some((one) => one.round === round)) found.push(place);
  });
  return found;
}

function more(missing: number, noun: string, names: readonly string[], value: string): string {
  const amount = missing === 1 ? `one more ${noun}` : `${missing} more ${noun}s`;
  if (names.length === 0) return `${amount} for ${value}, which no validator of the core can sign`;
  const givers = missing === 1 ? names.join(" or ") : listed(names);
  return `${amount} of ${givers} for ${value}`;
}

function named(seen: Chronicle, hash: Hash): string {
  const content = contentOf(seen, hash);
  if (content === undefined) return `value ${short(hash)}`;
  const { value, operations } = content;
  const kind = operations[0]?.operation.kind;
  return value.type === "operation" && kind !== undefined ? `${kind} ${short(value.id)}` : valueName(value);
}
