/** Explanation of an undecided slot from its signatures (protocol 3.1, 3.2, 7.8). */

import { requireDefined } from "../../core/base/assert.ts";
import type { Hash, Round } from "../../core/base/ids.ts";
import type { NodeName } from "../observation.ts";
import { countText, joinNames, shortId, valueName } from "../text.ts";
import type { Chronicle } from "./chronicle.ts";
import type { OpenEpoch } from "./epochs.ts";
import type { QuorumBounds } from "./quorum.ts";
import {
  type RoundSignatures,
  roundOf,
  type SlotSignatures,
  statementsOf,
  type ValueSigners,
} from "./slot-signatures.ts";

export interface SlotContext {
  readonly chronicle: Chronicle;
  /** Indices of the committee members in the healed core: only they can be expected to sign. */
  readonly core: readonly number[];
}

/** Returns the members of a committee in the healed core that have not lost their keys, by index in the roster. */
export function coreOf(chronicle: Chronicle, core: readonly NodeName[], { committee }: OpenEpoch): readonly number[] {
  const indices = chronicle.setting.nodes
    .filter(({ node }) => core.includes(node))
    .flatMap(({ keys }) => keys.flatMap((key) => chronicle.directory.indexOf(key) ?? []));
  return indices.filter((index) => committee.isMember(index) && !chronicle.lost.has(index));
}

/** Rounds described in full: earlier ones decide nothing by themselves. */
const ROUNDS_SHOWN = 2;

/** Returns a summary of votes, commits and round changes. */
export function signatureSummary(context: SlotContext, signatures: SlotSignatures): string {
  if (signatures.rounds.length === 0) return "no signatures";
  const rounds = signatures.rounds.slice(-ROUNDS_SHOWN).map((round) => roundWords(context, signatures, round));
  const skipped = signatures.rounds.length - rounds.length;
  return (skipped > 0 ? [`${countText(skipped, "earlier round")} failed`, ...rounds] : rounds).join("; ");
}

/** Returns the signatures that would let the slot proceed, by the rules for its current round. */
export function missingSignatures(context: SlotContext, signatures: SlotSignatures, reason: string): string {
  const round = currentRound(context, signatures);
  const missing = [
    ...missingForCertificate(context, signatures, round),
    ...missingForRoundChange(context, signatures, round, reason),
  ];
  return missing.join(", or ");
}

function boundsOf({ chronicle }: SlotContext, { epoch }: SlotSignatures): QuorumBounds {
  return requireDefined(chronicle.epochs[epoch]?.committee, `the committee of epoch ${epoch}`).bounds;
}

/** Returns the highest round with q round changes or a vote. */
function currentRound(context: SlotContext, signatures: SlotSignatures): Round {
  const { quorum } = boundsOf(context, signatures);
  for (let index = signatures.rounds.length - 1; index >= 0; index--) {
    const signaturesOfRound = signatures.rounds[index] as RoundSignatures;
    if (signaturesOfRound.votes.length > 0 || roundChangers(signaturesOfRound).length >= quorum)
      return signaturesOfRound.round;
  }
  return 0 as Round;
}

function roundWords({ chronicle, core }: SlotContext, signatures: SlotSignatures, round: RoundSignatures): string {
  const { directory } = chronicle;
  const parts: string[] = [];
  const moved = roundChangers(round);
  if (moved.length > 0) parts.push(`${joinNames(directory.namesAt(moved))} changed to it`);
  parts.push(tallyWords(chronicle, round.votes, "voted for", "no votes"));
  const silent = core.filter((index) => !round.votes.some(({ signers }) => signers.includes(index)));
  if (round.votes.length > 0 && silent.length > 0) parts.push(`${joinNames(directory.namesAt(silent))} did not vote`);
  if (round.commits.length > 0) parts.push(tallyWords(chronicle, round.commits, "committed to", ""));
  const proposers = proposersIn(signatures, round.round);
  if (proposers.length > 0) parts.push(`${joinNames(directory.namesAt(proposers))} proposed`);
  return `round ${round.round}: ${parts.join(", ")}`;
}

function tallyWords(chronicle: Chronicle, tallies: readonly ValueSigners[], verb: string, none: string): string {
  if (tallies.length === 0) return none;
  return tallies
    .map(
      ({ value, signers }) =>
        `${joinNames(chronicle.directory.namesAt(signers))} ${verb} ${describeValue(chronicle, value)}`,
    )
    .join(", ");
}

/** Missing votes or commits for a certificate in this round. */
function missingForCertificate(context: SlotContext, signatures: SlotSignatures, round: Round): readonly string[] {
  const { chronicle, core } = context;
  const { directory } = chronicle;
  const { quorum } = boundsOf(context, signatures);
  const signaturesOfRound = roundOf(signatures, round);
  const stillInRound = core.filter(
    (index) => !statementsOf(signatures, index).some((other) => other.kind === "roundChange" && other.round > round),
  );
  const lock = signaturesOfRound?.votes.find(({ signers }) => signers.length >= quorum);
  if (signaturesOfRound !== undefined && lock !== undefined) {
    const commits = signaturesOfRound.commits.find(({ value }) => value === lock.value)?.signers ?? [];
    const available = stillInRound.filter((index) => !commits.includes(index));
    if (commits.length >= quorum) return ["delivery of the commits: a quorum has signed"];
    return [
      missingText(
        quorum - commits.length,
        "commit",
        directory.namesAt(available),
        describeValue(chronicle, lock.value),
      ),
    ];
  }
  if (signaturesOfRound === undefined || signaturesOfRound.votes.length === 0) return firstVote(signatures, round);
  const available = stillInRound.filter(
    (index) => !signaturesOfRound.votes.some(({ signers }) => signers.includes(index)),
  );
  const reachable = signaturesOfRound.votes.filter(({ signers }) => signers.length + available.length >= quorum);
  return reachable.map(({ value, signers }) =>
    missingText(quorum - signers.length, "vote", directory.namesAt(available), describeValue(chronicle, value)),
  );
}

function firstVote(signatures: SlotSignatures, round: Round): readonly string[] {
  if (round === 0) return ["votes in round 0 (none so far)"];
  const proposed = proposersIn(signatures, round).length > 0;
  return [proposed ? `votes for the proposal of round ${round}` : `a proposal for round ${round} (none so far)`];
}

function missingForRoundChange(
  context: SlotContext,
  signatures: SlotSignatures,
  round: Round,
  reason: string,
): readonly string[] {
  const { directory } = context.chronicle;
  const { quorum, faults } = boundsOf(context, signatures);
  const higher = signatures.rounds.filter((other) => other.round > round && roundChangers(other).length > 0);
  const next = higher[higher.length - 1];
  if (next === undefined) return [`round changes from ${countText(faults + 1, "validator")}: ${reason}`];
  const moved = roundChangers(next);
  return [
    `${countText(quorum - moved.length, "more round change")} to round ${next.round} ` +
      `(so far ${joinNames(directory.namesAt(moved))})`,
  ];
}

function roundChangers(round: RoundSignatures): readonly number[] {
  return [...new Set(round.changes.map(({ signer }) => signer))];
}

function proposersIn(signatures: SlotSignatures, round: Round): readonly number[] {
  const proposers: number[] = [];
  signatures.bySigner.forEach((statements, index) => {
    if (statements?.some((statement) => statement.kind === "proposal" && statement.round === round))
      proposers.push(index);
  });
  return proposers;
}

function missingText(missing: number, noun: string, names: readonly string[], value: string): string {
  const amount = missing === 1 ? `one more ${noun}` : `${missing} more ${noun}s`;
  if (names.length === 0) return `${amount} for ${value}, which no validator of the core can sign`;
  const signers = missing === 1 ? names.join(" or ") : joinNames(names);
  return `${amount} of ${signers} for ${value}`;
}

function describeValue(chronicle: Chronicle, hash: Hash): string {
  const content = chronicle.contents.get(hash);
  if (content === undefined) return `value ${shortId(hash)}`;
  const { value, operations } = content;
  const kind = operations[0]?.operation.kind;
  return value.type === "operation" && kind !== undefined ? `${kind} ${shortId(value.id)}` : valueName(value);
}
