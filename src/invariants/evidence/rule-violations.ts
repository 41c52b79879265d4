/** Signatures of one key that contradict each other or break a rule of protocol 3: each as text that follows the signer's name. */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { Chronicle, SignatureRecord } from "../history/chronicle.ts";
import { epochSlot } from "../history/finality.ts";
import {
  type RoundValue,
  rivalOf,
  roundOf,
  type SignerStatements,
  type SlotSignatures,
  signersOf,
} from "../history/slot-signatures.ts";
import type { Statement } from "../observation.ts";
import { slotKeyName } from "../text.ts";

export type ValueNames = Chronicle["valueName"];

/** Statement with the earlier ones of its signer. */
type SignedAfter = Pick<SignatureRecord, "statement" | "before">;

/** Statement with the signatures of its slot. */
type SignedBeside = Pick<SignatureRecord, "statement" | "book" | "committee">;

/** Returns a violation for two different statements of one kind in one round, or two different closes of one epoch. */
export function doubleStatement({ statement, before }: SignedAfter, name: ValueNames): string | undefined {
  const { round, epoch } = statement;
  const rival = rivalOf(before, statement);
  if (rival?.kind === "close") return `closed epoch ${epoch} twice, with different claims`;
  if (rival?.kind === "roundChange" && statement.kind === "roundChange")
    return `changed to round ${round} twice, with ${lockWords(rival.lock, name)} and with ${lockWords(statement.lock, name)}`;
  if (rival === undefined || !("value" in rival && "value" in statement)) return undefined;
  const did = { vote: "voted", commit: "committed", proposal: "proposed" }[rival.kind];
  return `${did} twice in round ${round}, ${name(rival.value)} and ${name(statement.value)}`;
}

function lockWords(lock: RoundValue | undefined, name: ValueNames): string {
  return lock === undefined ? "no lock" : `the lock of round ${lock.round} on ${name(lock.value)}`;
}

/**
 * Returns a violation for a commit in round r and a round change to r' > r with a lock lower than r. Neither order is
 * honest: the commit proves knowledge of the lock, and no commit below follows a round change (protocol 3.2).
 */
export function hiddenLock({ statement, before }: SignedAfter, name: ValueNames): string | undefined {
  for (const earlier of before) {
    const violation = lockHiddenBy(statement, earlier, name) ?? lockHiddenBy(earlier, statement, name);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function lockHiddenBy(change: Statement, commit: Statement, name: ValueNames): string | undefined {
  if (change.kind !== "roundChange" || commit.kind !== "commit") return undefined;
  if (commit.round >= change.round || !omitsLock(commit, change.lock)) return undefined;
  return `committed to ${name(commit.value)} in round ${commit.round} and omitted that lock from its change to round ${change.round}`;
}

/** Returns true if the given lock is lower than the commit, or on another value in the same round. */
export function omitsLock(commit: RoundValue, lock: RoundValue | undefined): boolean {
  if (lock === undefined || lock.round < commit.round) return true;
  return lock.round === commit.round && lock.value !== commit.value;
}

/**
 * Returns a violation for a vote or commit below a round in which the signer has already acted (protocol 3.2). Only the
 * order of signing proves it.
 */
export function lateStatement({ statement, before }: SignedAfter, name: ValueNames): string | undefined {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const { round, value } = statement;
  const laterStatement =
    firstAbove(before, "roundChange", round) ??
    firstAbove(before, "vote", round) ??
    firstAbove(before, "commit", round);
  if (laterStatement === undefined) return undefined;
  const did = statement.kind === "vote" ? "voted for" : "committed to";
  const after = laterStatement.kind === "roundChange" ? "changing to" : "acting in";
  return `${did} ${name(value)} in round ${round} after ${after} round ${laterStatement.round}`;
}

function firstAbove(signed: SignerStatements, kind: Statement["kind"], round: Round): Statement | undefined {
  for (const statement of signed) if (statement.kind === kind && statement.round > round) return statement;
  return undefined;
}

/** Returns a violation for a commit, or a lock named in a round change, without q votes (protocol 3.1, 3.2). */
function noLock({ statement, book, committee }: SignedBeside, name: ValueNames): string | undefined {
  const { quorum } = committee.bounds;
  const claim = statement.kind === "commit" ? statement : statement.kind === "roundChange" ? statement.lock : undefined;
  if (claim === undefined) return undefined;
  const votes = signersOf(book, "votes", claim.round, claim.value).length;
  if (votes >= quorum) return undefined;
  if (statement.kind === "commit")
    return `committed to ${name(claim.value)} in round ${claim.round} with ${votes} of ${quorum} votes`;
  return `named a lock on ${name(claim.value)} in round ${claim.round}, for which ${votes} of ${quorum} votes exist`;
}

/** Returns a violation for a vote in a round above 0 that no q signed round changes justify (protocol 3.2). */
function unjustifiedVote({ statement, book, committee }: SignedBeside, name: ValueNames): string | undefined {
  const { quorum } = committee.bounds;
  if (statement.kind !== "vote" || statement.round === 0) return undefined;
  if (justifiable(book, statement, quorum)) return undefined;
  return `voted for ${name(statement.value)} in round ${statement.round}, which no ${quorum} round changes justify`;
}

/**
 * Returns true if some q round changes for this round allow the value: q without a lock leave the choice free;
 * otherwise a highest lock among them must be on this value. A named lock counts only if it has q votes.
 *
 * Two locks of one round on different values allow either: a voter takes the first one in its justification, and no
 * signature covers that order. Both locks have q votes, so at least f + 1 keys voted twice in that round, and
 * `doubleStatement` reports them.
 */
function justifiable(
  signatures: SlotSignatures,
  vote: Extract<Statement, { readonly value: Hash }>,
  quorum: number,
): boolean {
  const changes = roundOf(signatures, vote.round)?.changes ?? [];
  const valid = changes.filter(({ lock }) => {
    if (lock === undefined) return true;
    return lock.round < vote.round && signersOf(signatures, "votes", lock.round, lock.value).length >= quorum;
  });
  const enough = (accept: (round: number) => boolean): boolean =>
    new Set(valid.filter(({ lock }) => accept(lock?.round ?? -1)).map(({ signer }) => signer)).size >= quorum;
  if (enough((round) => round < 0)) return true;
  const tops = new Set(valid.filter(({ lock }) => lock?.value === vote.value).map(({ lock }) => lock?.round ?? -1));
  return [...tops].some((top) => enough((round) => round <= top));
}

/** Returns true if some round change to this round names a lock on this value, which may have forced it. */
export function mayBeForced(signatures: SlotSignatures, round: Round, value: Hash): boolean {
  return roundOf(signatures, round)?.changes.some(({ lock }) => lock?.value === value) ?? false;
}

/** Returns true if no lock of a lower round can have forced this value into the round. */
export function isFree(signatures: SlotSignatures, round: Round, value: Hash, quorum: number): boolean {
  return signatures.rounds.every(
    (other) => other.round >= round || signersOf(signatures, "votes", other.round, value).length < quorum,
  );
}

/** Signers that voted for the value as a free choice. */
export function freeVoters(signatures: SlotSignatures, value: Hash, quorum: number): readonly number[] {
  return signatures.rounds
    .filter(({ round }) => isFree(signatures, round, value, quorum))
    .flatMap(({ round }) => signersOf(signatures, "votes", round, value));
}

/** Returns a violation for a statement about the closing of another epoch than its own (protocol 3.4). */
function misplacedStatement({ slot, epoch }: Statement): string | undefined {
  return isMisplaced(slot, epoch) ? `signed about ${slotKeyName(slot)} in epoch ${epoch}` : undefined;
}

/** Returns true for the closing of another epoch than this one: a slot in which nobody signs anything. */
export function isMisplaced(slot: SlotKey, epoch: Epoch): boolean {
  return slot.startsWith("epoch/") && slot !== epochSlot(epoch);
}

/** Returns the first violation proved by this signature alone or with earlier ones of its key in this slot. */
export function ruleViolationIn(signing: SignedAfter & SignedBeside, name: ValueNames): string | undefined {
  return (
    misplacedStatement(signing.statement) ??
    doubleStatement(signing, name) ??
    hiddenLock(signing, name) ??
    noLock(signing, name) ??
    unjustifiedVote(signing, name)
  );
}
