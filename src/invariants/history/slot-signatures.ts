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
export interface RoundValue {
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
export interface ValueSigners {
  readonly value: Hash;
  readonly signers: readonly number[];
}

export interface RoundSignatures {
  readonly round: Round;
  readonly votes: readonly ValueSigners[];
  readonly commits: readonly ValueSigners[];
  /** Round changes *to* this round. A Byzantine validator may have signed several. */
  readonly changes: readonly { readonly signer: number; readonly lock: Lock | undefined }[];
}

/** Statements of one validator in this slot, oldest first, without repeats. */
export interface SignerStatements {
  readonly votes: readonly RoundValue[];
  readonly commits: readonly RoundValue[];
  readonly proposals: readonly RoundValue[];
  readonly changes: readonly RoundChange[];
  /** In an epoch slot only. */
  readonly closes: readonly Claims[];
}

export interface SlotSignatures {
  readonly slot: SlotKey;
  readonly epoch: Epoch;
  /** In ascending order; rounds without signatures are absent. */
  readonly rounds: readonly RoundSignatures[];
  /** By index in the roster. */
  readonly bySigner: readonly (SignerStatements | undefined)[];
}

export const NO_STATEMENTS: SignerStatements = { votes: [], commits: [], proposals: [], changes: [], closes: [] };

/** Returns a slot without signatures. */
export function emptySlot(slot: SlotKey, epoch: Epoch): SlotSignatures {
  return { slot, epoch, rounds: [], bySigner: [] };
}

/** Returns the signatures of `round`, `undefined` if there are none. */
export function roundOf(signatures: SlotSignatures, round: Round): RoundSignatures | undefined {
  for (let index = signatures.rounds.length - 1; index >= 0; index--) {
    const one = signatures.rounds[index] as RoundSignatures;
    if (one.round <= round) return one.round === round ? one : undefined;
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
  const tallies = roundOf(signatures, round)?.[kind];
  return tallies?.find((tally) => tally.value === value)?.signers ?? NOBODY;
}

const NOBODY: readonly number[] = [];

/** Returns the statements of the key at an index. */
export function statementsOf(signatures: SlotSignatures, signer: number): SignerStatements {
  return signatures.bySigner[signer] ?? NO_STATEMENTS;
}

/** Returns the slot with one more signature; the same object if the statement is a repeat. */
export function withStatement(signatures: SlotSignatures, signer: number, statement: Statement): SlotSignatures {
  const statements = statementsOf(signatures, signer);
  if (alreadySigned(statements, statement)) return signatures;
  return {
    slot: signatures.slot,
    epoch: signatures.epoch,
    rounds: isCounted(statement) ? withRound(signatures.rounds, signer, statement) : signatures.rounds,
    bySigner: withStatements(signatures.bySigner, signer, extended(statements, statement)),
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

function alreadySigned(statements: SignerStatements, statement: Statement): boolean {
  const { round } = statement;
  switch (statement.kind) {
    case "vote":
      return statements.votes.some((one) => one.round === round && one.value === statement.value);
    case "commit":
      return statements.commits.some((one) => one.round === round && one.value === statement.value);
    case "proposal":
      return statements.proposals.some((one) => one.round === round && one.value === statement.value);
    case "roundChange":
      return statements.changes.some((one) => one.round === round && sameLock(one.lock, statement.lock));
    case "close":
      return statements.closes.some((one) => sameClaims(one, statement.claims));
    default:
      return unreachable(statement);
  }
}

function extended(
  { votes, commits, proposals, changes, closes }: SignerStatements,
  statement: Statement,
): SignerStatements {
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

function withStatements(
  statementsBySigner: SlotSignatures["bySigner"],
  signer: number,
  statements: SignerStatements,
): SlotSignatures["bySigner"] {
  if (signer < statementsBySigner.length) return statementsBySigner.with(signer, statements);
  const gap = new Array<undefined>(signer - statementsBySigner.length).fill(undefined);
  return statementsBySigner.concat(gap, statements);
}

function withRound(
  rounds: readonly RoundSignatures[],
  signer: number,
  statement: Statement,
): readonly RoundSignatures[] {
  let index = rounds.length;
  while (index > 0 && (rounds[index - 1] as RoundSignatures).round >= statement.round) index--;
  const found = rounds[index];
  const copy = rounds.slice();
  if (found?.round === statement.round) copy[index] = counted(found, signer, statement);
  else
    copy.splice(index, 0, counted({ round: statement.round, votes: [], commits: [], changes: [] }, signer, statement));
  return copy;
}

function counted(signatures: RoundSignatures, signer: number, statement: Statement): RoundSignatures {
  const { round, votes, commits, changes } = signatures;
  switch (statement.kind) {
    case "vote":
      return { round, votes: tallied(votes, signer, statement.value), commits, changes };
    case "commit":
      return { round, votes, commits: tallied(commits, signer, statement.value), changes };
    case "roundChange":
      return { round, votes, commits, changes: changes.concat({ signer, lock: statement.lock }) };
    case "proposal":
    case "close":
      return signatures;
    default:
      return unreachable(statement);
  }
}

function tallied(tallies: readonly ValueSigners[], signer: number, value: Hash): readonly ValueSigners[] {
  const index = tallies.findIndex((tally) => tally.value === value);
  const found = tallies[index];
  if (found === undefined) return tallies.concat({ value, signers: [signer] });
  return tallies.with(index, { value, signers: found.signers.concat(signer) });
}
