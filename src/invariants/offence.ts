/** Signatures of one key that contradict each other, or that no rule of design 3 allows. */
import type { Hash, Round } from "../core/base/ids.ts";
import type { Signing } from "./chronicle.ts";
import type { Statement } from "./observation.ts";
import { type Choice, EMPTY_HAND, handOf, roundOf, type SlotBook, sameLock, signersOf } from "./slot-book.ts";

export interface Offence {
  readonly kind: "double" | "hidden lock" | "late" | "no lock" | "false lock" | "unjustified";
  /** What was done, in words that follow the signer's name. */
  readonly words: string;
}

/** A value in words. */
export type Naming = (value: Hash) => string;

/** Two different statements where one is allowed: votes, commits, proposals or round changes of one round. */
export function double({ signer, statement, before }: Signing, name: Naming): Offence | undefined {
  const { round } = statement;
  if (statement.kind === "roundChange") {
    const other = handOf(before, signer).changes.find(
      (one) => one.round === round && !sameLock(one.lock, statement.lock),
    );
    if (other === undefined) return undefined;
    const locks = `${lockWords(other.lock, name)} and with ${lockWords(statement.lock, name)}`;
    return { kind: "double", words: `changed to round ${round} twice, with ${locks}` };
  }
  const other = choices(before, signer, statement.kind).find(
    (one) => one.round === round && one.value !== statement.value,
  );
  if (other === undefined) return undefined;
  const did = { vote: "voted", commit: "committed", proposal: "proposed" }[statement.kind];
  return { kind: "double", words: `${did} twice in round ${round}, ${name(other.value)} and ${name(statement.value)}` };
}

function choices(book: SlotBook, signer: number, kind: "vote" | "commit" | "proposal"): readonly Choice[] {
  const hand = handOf(book, signer);
  return kind === "vote" ? hand.votes : kind === "commit" ? hand.commits : hand.proposals;
}

function lockWords(lock: { readonly round: Round; readonly value: Hash } | undefined, name: Naming): string {
  return lock === undefined ? "no lock" : `the lock of round ${lock.round} on ${name(lock.value)}`;
}

/**
 * A commit in round r and a round change to r' > r whose lock is lower than r. No order of the two is honest: having
 * committed, the lock is known; having changed round, nothing is committed below (design 3.2).
 */
export function hiddenLock({ signer, statement, before }: Signing, name: Naming): Offence | undefined {
  const hand = handOf(before, signer);
  if (statement.kind === "roundChange") {
    const { round, lock } = statement;
    const hidden = hand.commits.find((one) => one.round < round && hides(one, lock));
    return hidden && hiding(hidden, round, name);
  }
  if (statement.kind !== "commit") return undefined;
  const commit = { round: statement.round, value: statement.value };
  const change = hand.changes.find((one) => one.round > commit.round && hides(commit, one.lock));
  return change && hiding(commit, change.round, name);
}

function hides(commit: Choice, lock: { readonly round: Round; readonly value: Hash } | undefined): boolean {
  if (lock === undefined || lock.round < commit.round) return true;
  return lock.round === commit.round && lock.value !== commit.value;
}

function hiding(commit: Choice, to: Round, name: Naming): Offence {
  const commitment = `committed to ${name(commit.value)} in round ${commit.round}`;
  return { kind: "hidden lock", words: `${commitment} and hid that lock in its change to round ${to}` };
}

/** A vote or commit below a round in which this validator has acted already (design 3.2). Only order shows it. */
export function late({ signer, statement, before }: Signing, name: Naming): Offence | undefined {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const { votes, commits, changes } = handOf(before, signer);
  const higher = (one: { readonly round: Round }): boolean => one.round > statement.round;
  const change = changes.find(higher);
  const other = change ?? votes.find(higher) ?? commits.find(higher);
  if (other === undefined) return undefined;
  const did = statement.kind === "vote" ? "voted for" : "committed to";
  const after = change === undefined ? "acting in" : "changing to";
  return {
    kind: "late",
    words: `${did} ${name(statement.value)} in round ${statement.round} after ${after} round ${other.round}`,
  };
}

/** A commit, or a lock named in a round change, for which no q votes were ever made (design 3.1, 3.2). */
function noLock({ statement, book }: Signing, quorum: number, name: Naming): Offence | undefined {
  const claim = statement.kind === "commit" ? statement : statement.kind === "roundChange" ? statement.lock : undefined;
  if (claim === undefined) return undefined;
  const votes = signersOf(book, "votes", claim.round, claim.value).length;
  if (votes >= quorum) return undefined;
  if (statement.kind === "commit") {
    return {
      kind: "no lock",
      words: `committed to ${name(claim.value)} in round ${claim.round} on ${votes} of ${quorum} votes`,
    };
  }
  return {
    kind: "false lock",
    words: `named a lock on ${name(claim.value)} in round ${claim.round}, for which ${votes} of ${quorum} votes exist`,
  };
}

/** A vote in a round above 0 that no q round changes ever signed can justify (design 3.2). */
function unjustified({ statement, book }: Signing, quorum: number, name: Naming): Offence | undefined {
  if (statement.kind !== "vote" || statement.round === 0) return undefined;
  if (justifiable(book, statement, quorum)) return undefined;
  return {
    kind: "unjustified",
    words: `voted for ${name(statement.value)} in round ${statement.round}, which no ${quorum} round changes justify`,
  };
}

/**
 * Whether some q round changes for this round allow the value: q that carry no lock leave the choice free; otherwise
 * the highest lock among them must be for this value. A named lock counts only if q votes for it exist.
 */
function justifiable(book: SlotBook, vote: Extract<Statement, { readonly value: Hash }>, quorum: number): boolean {
  const changes = roundOf(book, vote.round)?.changes ?? [];
  const valid = changes.filter(({ lock }) => {
    if (lock === undefined) return true;
    return lock.round < vote.round && signersOf(book, "votes", lock.round, lock.value).length >= quorum;
  });
  const enough = (accept: (round: number, value: Hash | undefined) => boolean): boolean =>
    new Set(valid.filter(({ lock }) => accept(lock?.round ?? -1, lock?.value)).map(({ signer }) => signer)).size >=
    quorum;
  if (enough((round) => round < 0)) return true;
  const tops = new Set(valid.filter(({ lock }) => lock?.value === vote.value).map(({ lock }) => lock?.round ?? -1));
  return [...tops].some((top) => enough((round, value) => round < top || (round === top && value === vote.value)));
}

/** Whether a lock on this value may have forced it into this round: some round change to it names that lock. */
export function maybeForced(book: SlotBook, round: Round, value: Hash): boolean {
  return roundOf(book, round)?.changes.some(({ lock }) => lock?.value === value) ?? false;
}

/**
 * Everyone whose signatures in this slot no honest validator could have made, whatever their order, by place in the
 * committee. If two values of one epoch's slot have q commits, these are at least f + 1 (design 7.11): two quorums
 * share f + 1 keys; either they committed twice in one round, or committed without a lock, or the first round in
 * which the other value was locked was justified by round changes that hid the first lock, or was not justified.
 */
export function culprits(book: SlotBook, quorum: number, name: Naming): ReadonlyMap<number, string> {
  const named = new Map<number, string>();
  book.hands.forEach((hand, signer) => {
    for (const statement of hand === undefined ? [] : statements(book, signer)) {
      const words = offenceIn({ signer, statement, before: book, book, completed: undefined }, quorum, name)?.words;
      if (words !== undefined && !named.has(signer)) named.set(signer, words);
    }
  });
  return named;
}

/** The first offence, if any, that this signature commits by itself or with earlier ones of its key. */
export function offenceIn(signing: Signing, quorum: number, name: Naming): Offence | undefined {
  return (
    double(signing, name) ??
    hiddenLock(signing, name) ??
    noLock(signing, quorum, name) ??
    unjustified(signing, quorum, name)
  );
}

function statements({ slot, epoch, hands }: SlotBook, signer: number): readonly Statement[] {
  const { votes, commits, proposals, changes } = hands[signer] ?? EMPTY_HAND;
  return [
    ...votes.map((one) => ({ kind: "vote" as const, epoch, slot, ...one })),
    ...commits.map((one) => ({ kind: "commit" as const, epoch, slot, ...one })),
    ...proposals.map((one) => ({ kind: "proposal" as const, epoch, slot, ...one })),
    ...changes.map((one) => ({ kind: "roundChange" as const, epoch, slot, ...one })),
  ];
}
