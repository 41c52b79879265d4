/** Explanation of an undecided slot from its signatures (protocol 3.1, 3.2, 7.8). */

import { required } from "../../core/base/assert.ts";
import type { Hash, Round } from "../../core/base/ids.ts";
import { countText, joinNames, shortId, valueName } from "../text.ts";
import { type Chronicle, committeeOf, contentOf } from "./chronicle.ts";
import type { CommitteeDirectory } from "./epochs.ts";
import type { Bounds } from "./quorum.ts";
import {
  type RoundSignatures,
  roundOf,
  type SlotSignatures,
  statementsOf,
  type ValueSigners,
} from "./slot-signatures.ts";

export interface SlotContext {
  readonly seen: Chronicle;
  readonly who: CommitteeDirectory;
  /** Indices of the committee members in the healed core: only they can be expected to sign. */
  readonly core: readonly number[];
}

/** Rounds described in full: earlier ones decide nothing by themselves. */
const ROUNDS_SHOWN = 2;

/** Returns a summary of votes, commits and round changes. */
export function signatureSummary(telling: SlotContext, signatures: SlotSignatures): string {
  if (signatures.rounds.length === 0) return "no signatures";
  const told = signatures.rounds.slice(-ROUNDS_SHOWN).map((round) => roundWords(telling, signatures, round));
  const skipped = signatures.rounds.length - told.length;
  return (skipped > 0 ? [`${countText(skipped, "earlier round")} failed`, ...told] : told).join("; ");
}

/** Returns the signatures that would let the slot proceed, by the rules for its current round. */
export function missingSignatures(telling: SlotContext, signatures: SlotSignatures, reason: string): string {
  const round = standing(telling, signatures);
  const ways = [...certificateWays(telling, signatures, round), ...roundChangeWays(telling, signatures, round, reason)];
  return ways.join(", or ");
}

function boundsOf({ seen }: SlotContext, { epoch }: SlotSignatures): Bounds {
  return required(committeeOf(seen, epoch), `the committee of epoch ${epoch}`).bounds;
}

/** Returns the highest round with q round changes or a vote. */
function standing(telling: SlotContext, signatures: SlotSignatures): Round {
  const { quorum } = boundsOf(telling, signatures);
  for (let index = signatures.rounds.length - 1; index >= 0; index--) {
    const one = signatures.rounds[index] as RoundSignatures;
    if (one.votes.length > 0 || changers(one).length >= quorum) return one.round;
  }
  return 0 as Round;
}

function roundWords({ seen, who, core }: SlotContext, signatures: SlotSignatures, round: RoundSignatures): string {
  const parts: string[] = [];
  const moved = changers(round);
  if (moved.length > 0) parts.push(`${joinNames(who.namesAt(moved))} changed to it`);
  parts.push(tallyWords(seen, who, round.votes, "voted for", "no votes"));
  const silent = core.filter((index) => !round.votes.some(({ signers }) => signers.includes(index)));
  if (round.votes.length > 0 && silent.length > 0) parts.push(`${joinNames(who.namesAt(silent))} did not vote`);
  if (round.commits.length > 0) parts.push(tallyWords(seen, who, round.commits, "committed to", ""));
  if (handsProposed(signatures, round.round).length > 0)
    parts.push(`${joinNames(who.namesAt(handsProposed(signatures, round.round)))} proposed`);
  return `round ${round.round}: ${parts.join(", ")}`;
}

function tallyWords(
  seen: Chronicle,
  who: CommitteeDirectory,
  tallies: readonly ValueSigners[],
  verb: string,
  none: string,
): string {
  if (tallies.length === 0) return none;
  return tallies
    .map(({ value, signers }) => `${joinNames(who.namesAt(signers))} ${verb} ${named(seen, value)}`)
    .join(", ");
}

/** Missing votes or commits for a certificate in this round. */
function certificateWays(telling: SlotContext, signatures: SlotSignatures, round: Round): readonly string[] {
  const { seen, who, core } = telling;
  const { quorum } = boundsOf(telling, signatures);
  const here = roundOf(signatures, round);
  const stay = core.filter((index) => !statementsOf(signatures, index).changes.some((one) => one.round > round));
  const lock = here?.votes.find(({ signers }) => signers.length >= quorum);
  if (here !== undefined && lock !== undefined) {
    const commits = here.commits.find(({ value }) => value === lock.value)?.signers ?? [];
    const able = stay.filter((index) => !commits.includes(index));
    if (commits.length >= quorum) return ["delivery of the commits: a quorum has signed"];
    return [more(quorum - commits.length, "commit", who.namesAt(able), named(seen, lock.value))];
  }
  if (here === undefined || here.votes.length === 0) return firstVote(signatures, round);
  const able = stay.filter((index) => !here.votes.some(({ signers }) => signers.includes(index)));
  const reachable = here.votes.filter(({ signers }) => signers.length + able.length >= quorum);
  return reachable.map(({ value, signers }) =>
    more(quorum - signers.length, "vote", who.namesAt(able), named(seen, value)),
  );
}

function firstVote(signatures: SlotSignatures, round: Round): readonly string[] {
  if (round === 0) return ["votes in round 0 (none so far)"];
  const proposed = handsProposed(signatures, round).length > 0;
  return [proposed ? `votes for the proposal of round ${round}` : `a proposal for round ${round} (none so far)`];
}

function roundChangeWays(
  telling: SlotContext,
  signatures: SlotSignatures,
  round: Round,
  reason: string,
): readonly string[] {
  const { who } = telling;
  const { quorum, faults } = boundsOf(telling, signatures);
  const higher = signatures.rounds.filter((one) => one.round > round && changers(one).length > 0);
  const next = higher[higher.length - 1];
  if (next === undefined) return [`round changes from ${countText(faults + 1, "validator")}: ${reason}`];
  const moved = changers(next);
  return [
    `${countText(quorum - moved.length, "more round change")} to round ${next.round} ` +
      `(so far ${joinNames(who.namesAt(moved))})`,
  ];
}

function changers(round: RoundSignatures): readonly number[] {
  return [...new Set(round.changes.map(({ signer }) => signer))];
}

function handsProposed(signatures: SlotSignatures, round: Round): readonly number[] {
  const found: number[] = [];
  signatures.bySigner.forEach((statements, index) => {
    if (statements?.proposals.some((one) => one.round === round)) found.push(index);
  });
  return found;
}

function more(missing: number, noun: string, names: readonly string[], value: string): string {
  const amount = missing === 1 ? `one more ${noun}` : `${missing} more ${noun}s`;
  if (names.length === 0) return `${amount} for ${value}, which no validator of the core can sign`;
  const givers = missing === 1 ? names.join(" or ") : joinNames(names);
  return `${amount} of ${givers} for ${value}`;
}

function named(seen: Chronicle, hash: Hash): string {
  const content = contentOf(seen, hash);
  if (content === undefined) return `value ${shortId(hash)}`;
  const { value, operations } = content;
  const kind = operations[0]?.operation.kind;
  return value.type === "operation" && kind !== undefined ? `${kind} ${shortId(value.id)}` : valueName(value);
}
