/** Contradictions between signatures of one key, closes among them (protocol 6.3, 7.6). */
import type { Epoch } from "../../core/base/ids.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import { type Chronicle, hasClosed, type SignatureRecord, signaturesIn, signaturesOf } from "../history/chronicle.ts";
import { ancestors, epochSlot, slotsListed } from "../history/finality.ts";
import {
  type Claims,
  type RoundValue,
  type SignerStatements,
  type SlotSignatures,
  signersOf,
  statementsOf,
} from "../history/slot-signatures.ts";
import type { Claim } from "../observation.ts";
import { slotKeyName } from "../text.ts";
import { doubleStatement, hiddenLock, lateStatement, omitsLock, type RuleViolation } from "./rule-violations.ts";

/** History of one epoch's signatures that shows what a close hides. */
type CloseHistory = Pick<Chronicle, "books" | "closers" | "contents" | "epochs" | "valueName">;

/** Signature beside what its signer has signed before. */
type KeySignature = Pick<SignatureRecord, "signer" | "statement" | "before" | "book">;

/** Returns the first contradiction between a signature and the earlier ones of its key, in the order of signing. */
export function contradictionOf(seen: CloseHistory, signing: KeySignature): RuleViolation | undefined {
  const { valueName: name } = seen;
  return (
    doubleStatement(signing, name) ??
    statementAfterClose(seen, signing) ??
    lateStatement(signing, name) ??
    hiddenLock(signing, name) ??
    lockHiddenInClose(seen, signing)
  );
}

/**
 * Returns a violation if the statement is signed in an epoch that its signer has closed, outside the slot of that
 * epoch. Only the order of signing proves it: a Byzantine validator may reveal later what it signed earlier.
 */
function statementAfterClose(seen: CloseHistory, { signer, statement }: KeySignature): RuleViolation | undefined {
  const { kind, epoch, slot } = statement;
  if (kind === "close" || !hasClosed(seen, epoch, signer) || slot === epochSlot(epoch)) return undefined;
  const did = { vote: "voted for", commit: "committed to", proposal: "proposed", roundChange: "changed" }[kind];
  const claimText = kind === "roundChange" ? "" : ` ${seen.valueName(statement.value)}`;
  return { kind: "closed", words: `${did}${claimText} in round ${statement.round} after it had closed epoch ${epoch}` };
}

/**
 * Returns a violation if a close omits a lock that its signer knew from its own commit or round change. Neither order
 * is honest: the signatures prove knowledge of the lock, and nothing is signed in the epoch after the close.
 */
export function lockHiddenInClose(seen: CloseHistory, signing: KeySignature): RuleViolation | undefined {
  const { signer, statement, book: signatures } = signing;
  const { epoch, slot } = statement;
  if (statement.kind === "close") {
    for (const slotSignatures of signaturesIn(seen, epoch).values()) {
      const found = lockHiddenAt(seen, slotSignatures, signer, statement.claims);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (statement.kind !== "commit" && statement.kind !== "roundChange") return undefined;
  if (!hasClosed(seen, epoch, signer) || slot === epochSlot(epoch)) return undefined;
  return lockHiddenByCloses(seen, signatures, signer);
}

/** Same check for one slot, against every close of the signer. */
export function lockHiddenByCloses(
  seen: CloseHistory,
  signatures: SlotSignatures,
  signer: number,
): RuleViolation | undefined {
  for (const claims of closesOf(seen, signatures.epoch, signer)) {
    const found = lockHiddenAt(seen, signatures, signer, claims);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the closes that one validator signed for an epoch: at most one if it is honest. */
export function closesOf(seen: CloseHistory, epoch: Epoch, signer: number): readonly Claims[] {
  return statementsOf(signaturesOf(seen, epochSlot(epoch), epoch), signer).closes;
}

/** Returns a violation if a claim has no quorum of signatures; such a claim invalidates the close. */
export function falseClaim(
  seen: Chronicle,
  { statement, committee }: Pick<SignatureRecord, "statement" | "committee">,
): RuleViolation | undefined {
  if (statement.kind !== "close") return undefined;
  const { epoch, claims } = statement;
  const claim = claims.find((candidate) => !isBacked(seen, epoch, candidate, committee.bounds.quorum));
  if (claim === undefined) return undefined;
  const claimText = claim.final ? "a decision" : "a lock";
  const where = `round ${claim.round} of ${slotKeyName(claim.slot)}`;
  return {
    kind: "false claim",
    words: `claimed in its close of epoch ${epoch} ${claimText} on ${seen.valueName(claim.value)} in ${where}, which has no quorum`,
  };
}

/** Returns true if a quorum signed the claimed value. */
export function isBacked(seen: Chronicle, epoch: Epoch, claim: Claim, quorum: number): boolean {
  const signatures = signaturesOf(seen, claim.slot, epoch);
  return signersOf(signatures, claim.final ? "commits" : "votes", claim.round, claim.value).length >= quorum;
}

function lockHiddenAt(
  seen: CloseHistory,
  signatures: SlotSignatures,
  signer: number,
  claims: Claims,
): RuleViolation | undefined {
  const { slot, epoch } = signatures;
  const statements = signatures.bySigner[signer];
  if (statements === undefined || slot === epochSlot(epoch)) return undefined;
  const claim = claims.find((candidate) => candidate.slot === slot);
  if (claim?.final === true) return undefined;
  const hidden = knownLocks(statements).find((lock) => omitsLock(lock, claim));
  if (hidden === undefined || isCovered(seen, epoch, slot, claims)) return undefined;
  const lock = `its lock of round ${hidden.round} on ${seen.valueName(hidden.value)} in ${slotKeyName(slot)}`;
  return { kind: "hidden lock", words: `omitted from its close of epoch ${epoch} ${lock}` };
}

/** Locks that a validator knows: those that it committed to or named in a round change. */
function knownLocks({ commits, changes }: SignerStatements): readonly RoundValue[] {
  return [...commits, ...changes.flatMap(({ lock }) => lock ?? [])];
}

/**
 * Returns true if the close may omit the slot because its last final checkpoint lists it. A checkpoint with unknown
 * content is assumed to list every slot.
 */
function isCovered(seen: CloseHistory, epoch: Epoch, slot: SlotKey, claims: Claims): boolean {
  const opened = seen.epochs[epoch]?.opened ?? 0;
  const last = lastCheckpoint(claims);
  if (last === undefined) return false;
  const number = checkpointNumber(slot);
  if (number !== undefined) return number <= last.number;
  const links = ancestors(seen.contents, last.value, last.number, opened);
  return !links.isComplete || slotsListed(links).has(slot);
}

function lastCheckpoint(claims: Claims): { readonly number: number; readonly value: Claim["value"] } | undefined {
  const found = claims.flatMap(({ slot, value, final }) => {
    const number = final ? checkpointNumber(slot) : undefined;
    return number === undefined ? [] : { number, value };
  });
  return found.sort((a, b) => b.number - a.number)[0];
}

const CHECKPOINT = "checkpoint/";

/** Returns the number of a checkpoint slot, `undefined` for other slots. */
export function checkpointNumber(slot: SlotKey): number | undefined {
  return slot.startsWith(CHECKPOINT) ? Number(slot.slice(CHECKPOINT.length)) : undefined;
}
