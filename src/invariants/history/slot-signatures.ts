/**
 * All signatures made for one slot in one epoch, delivered or not: by round, for certificates, and by signer, for
 * contradictions. Readers see a growing book: what they keep of it they copy. The statements of one signer are replaced
 * and never change, so that a signature can be held against all that its signer had signed before.
 */
import { append } from "../../core/base/append.ts";
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import type { Mutable } from "../../core/base/mutable.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import type { Claim, Statement } from "../observation.ts";

/** Value in a round: of a statement, or of the lock certificate that a round change names. */
export interface RoundValue {
  readonly round: Round;
  readonly value: Hash;
}

/** Claims of one close, one for each slot. */
export type Claims = readonly Claim[];

/** Signers of one value, by index in the roster, without repeats. */
export interface ValueSigners {
  readonly value: Hash;
  readonly signers: readonly number[];
}

export interface RoundSignatures {
  readonly round: Round;
  readonly votes: readonly ValueSigners[];
  readonly commits: readonly ValueSigners[];
  /** Round changes *to* this round. A Byzantine validator may have signed several. */
  readonly changes: readonly { readonly signer: number; readonly lock: RoundValue | undefined }[];
}

/** Statements of one validator in this slot, oldest first, without repeats. */
export type SignerStatements = readonly Statement[];

export interface SlotSignatures {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  /** Rounds in ascending order, without those that have no signatures. */
  readonly rounds: readonly RoundSignatures[];
  /** By index in the roster. */
  readonly bySigner: readonly (SignerStatements | undefined)[];
}

const NO_STATEMENTS: SignerStatements = [];

/** Returns the signatures of `round`, `undefined` if there are none. */
export function roundOf(signatures: SlotSignatures, round: Round): RoundSignatures | undefined {
  for (let index = signatures.rounds.length - 1; index >= 0; index--) {
    const roundSignatures = signatures.rounds[index] as RoundSignatures;
    if (roundSignatures.round <= round) return roundSignatures.round === round ? roundSignatures : undefined;
  }
  return undefined;
}

/** Returns the signers of votes for, or commits to, `value` in `round`. */
export function signersOf(
  signatures: SlotSignatures,
  kind: "votes" | "commits",
  round: Round,
  value: Hash,
): readonly number[] {
  const roundSignatures = roundOf(signatures, round);
  if (roundSignatures === undefined) return NOBODY;
  for (const valueSigners of kind === "votes" ? roundSignatures.votes : roundSignatures.commits)
    if (valueSigners.value === value) return valueSigners.signers;
  return NOBODY;
}

const NOBODY: readonly number[] = [];

/** Returns the statements of the key at an index. */
export function statementsOf(signatures: SlotSignatures, signer: number): SignerStatements {
  return signatures.bySigner[signer] ?? NO_STATEMENTS;
}

/**
 * Returns the first statement that says something else where a signer says one thing: in a round, or in the close of the
 * epoch.
 */
export function rivalOf(signed: SignerStatements, statement: Statement): Statement | undefined {
  for (const other of signed) if (isOfOnePlace(other, statement) && !isSameStatement(other, statement)) return other;
  return undefined;
}

/** Its lists are replaced, so that none has room for what never comes. */
interface RoundTallies extends Mutable<RoundSignatures> {
  votes: readonly Mutable<ValueSigners>[];
  commits: readonly Mutable<ValueSigners>[];
}

/** Returns the certificate that a statement completes as the q-th signature of its kind, round and value. */
export function completedCertificate(
  signatures: SlotSignatures,
  statement: Statement,
  quorum: number,
): "lock" | "final" | undefined {
  if (statement.kind !== "vote" && statement.kind !== "commit") return undefined;
  const kind = statement.kind === "vote" ? "votes" : "commits";
  if (signersOf(signatures, kind, statement.round, statement.value).length !== quorum) return undefined;
  return statement.kind === "vote" ? "lock" : "final";
}

/** Signatures of a slot that accept further ones. */
export class SlotBook implements SlotSignatures {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  rounds: readonly RoundTallies[] = NO_ROUNDS;
  bySigner: readonly (SignerStatements | undefined)[] = NO_SIGNERS;

  constructor(slot: SlotKey, epoch: Epoch) {
    this.slot = slot;
    this.epoch = epoch;
  }

  /** Adds a signature. Returns what its signer had signed before; `undefined` if the statement is a repeat. */
  add(signer: number, statement: Statement): SignerStatements | undefined {
    const before = this.bySigner[signer] ?? NO_STATEMENTS;
    for (const earlier of before) if (isSameStatement(earlier, statement)) return undefined;
    while (this.bySigner.length <= signer) this.bySigner = append(this.bySigner, undefined);
    this.bySigner = this.bySigner.with(signer, append(before, statement));
    // Certificates contain neither proposals nor closes.
    if (statement.kind === "proposal" || statement.kind === "close") return before;
    const round = this.#round(statement.round);
    if (statement.kind === "roundChange") round.changes = append(round.changes, { signer, lock: statement.lock });
    else if (statement.kind === "vote") round.votes = withSigner(round.votes, signer, statement.value);
    else round.commits = withSigner(round.commits, signer, statement.value);
    return before;
  }

  /** Returns an independent copy. */
  copy(): SlotBook {
    const copy = new SlotBook(this.slot, this.epoch);
    copy.bySigner = this.bySigner;
    copy.rounds = this.rounds.map(({ round, votes, commits, changes }) => {
      return { round, votes: votes.map(copyOfTally), commits: commits.map(copyOfTally), changes };
    });
    return copy;
  }

  #round(round: Round): RoundTallies {
    const { rounds } = this;
    let index = rounds.length;
    while (index > 0 && (rounds[index - 1] as RoundTallies).round >= round) index--;
    const tallies = rounds[index];
    if (tallies?.round === round) return tallies;
    const fresh: RoundTallies = { round, votes: NO_TALLIES, commits: NO_TALLIES, changes: NO_CHANGES };
    this.rounds = index === rounds.length ? append(rounds, fresh) : rounds.toSpliced(index, 0, fresh);
    return fresh;
  }
}

const NO_ROUNDS: readonly RoundTallies[] = [];
const NO_SIGNERS: readonly undefined[] = [];
const NO_TALLIES: readonly Mutable<ValueSigners>[] = [];
const NO_CHANGES: RoundSignatures["changes"] = [];

/** True for statements of one kind in one round, and for closes. */
function isOfOnePlace(a: Statement, b: Statement): boolean {
  return a.kind === b.kind && (a.kind === "close" || a.round === b.round);
}

function isSameStatement(a: Statement, b: Statement): boolean {
  if (!isOfOnePlace(a, b)) return false;
  if (a.kind === "close") return b.kind === "close" && isSameClaims(a.claims, b.claims);
  if (a.kind !== "roundChange") return "value" in b && a.value === b.value;
  return b.kind === "roundChange" && a.lock?.round === b.lock?.round && a.lock?.value === b.lock?.value;
}

function isSameClaims(a: Claims, b: Claims): boolean {
  if (a.length !== b.length) return false;
  const claims = new Map(b.map((claim) => [claim.slot, claim]));
  return a.every(({ slot, round, value, final }) => {
    const counterpart = claims.get(slot);
    return counterpart?.round === round && counterpart.value === value && counterpart.final === final;
  });
}

/** Returns the tallies with one more signer for a value; a tally that is among them grows in place. */
function withSigner(tallies: RoundTallies["votes"], signer: number, value: Hash): RoundTallies["votes"] {
  const valueTally = tallies.find((tally) => tally.value === value);
  if (valueTally === undefined) return append(tallies, { value, signers: [signer] });
  valueTally.signers = append(valueTally.signers, signer);
  return tallies;
}

function copyOfTally({ value, signers }: ValueSigners): ValueSigners {
  return { value, signers };
}
