/**
 * Contradictions between signatures of one key, closes among them, and votes for closings that the closes actually signed
 * cannot justify (protocol 6.3, 7.6): each as text that follows the signer's name.
 */
import type { Epoch } from "../../core/base/ids.ts";
import { type ClosingValue, type SlotKey, slotKey } from "../../core/base/slot.ts";
import { type Chronicle, hasClosed, type SignatureRecord, signaturesIn, signaturesOf } from "../history/chronicle.ts";
import type { OpenEpoch } from "../history/epochs.ts";
import { ancestors, type ChainLinks, epochSlot, slotsListed } from "../history/finality.ts";
import {
  type Claims,
  type RoundValue,
  type SignerStatements,
  type SlotSignatures,
  signersOf,
  statementsOf,
} from "../history/slot-signatures.ts";
import type { Claim } from "../observation.ts";
import { slotKeyName, valueText } from "../text.ts";
import { doubleStatement, hiddenLock, isFree, lateStatement, omitsLock } from "./rule-violations.ts";

/** History of one epoch's signatures that shows what a close hides. */
type CloseHistory = Pick<Chronicle, "books" | "closers" | "contents" | "epochs" | "valueName">;

/** Signature beside what its signer has signed before. */
type KeySignature = Pick<SignatureRecord, "signer" | "statement" | "before" | "book">;

/** Returns the first contradiction between a signature and the earlier ones of its key, in the order of signing. */
export function contradictionOf(chronicle: CloseHistory, signing: KeySignature): string | undefined {
  const { valueName: name } = chronicle;
  return (
    doubleStatement(signing, name) ??
    statementAfterClose(chronicle, signing) ??
    lateStatement(signing, name) ??
    hiddenLock(signing, name) ??
    lockHiddenInClose(chronicle, signing)
  );
}

/**
 * Returns a violation if the statement is signed in an epoch that its signer has closed, outside the slot of that
 * epoch. Only the order of signing proves it: a Byzantine validator may reveal later what it signed earlier.
 */
function statementAfterClose(chronicle: CloseHistory, { signer, statement }: KeySignature): string | undefined {
  const { kind, epoch, slot } = statement;
  if (kind === "close" || !hasClosed(chronicle, epoch, signer) || slot === epochSlot(epoch)) return undefined;
  const did = { vote: "voted for", commit: "committed to", proposal: "proposed", roundChange: "changed" }[kind];
  const claimText = kind === "roundChange" ? "" : ` ${chronicle.valueName(statement.value)}`;
  return `${did}${claimText} in round ${statement.round} after it had closed epoch ${epoch}`;
}

/**
 * Returns a violation if a close omits a lock that its signer knew from its own commit or round change. Neither order
 * is honest: the signatures prove knowledge of the lock, and nothing is signed in the epoch after the close.
 */
export function lockHiddenInClose(chronicle: CloseHistory, signing: KeySignature): string | undefined {
  const { signer, statement, book: signatures } = signing;
  const { epoch, slot } = statement;
  if (statement.kind === "close") {
    for (const slotSignatures of signaturesIn(chronicle, epoch).values()) {
      const found = lockHiddenAt(chronicle, slotSignatures, signer, statement.claims);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (statement.kind !== "commit" && statement.kind !== "roundChange") return undefined;
  if (!hasClosed(chronicle, epoch, signer) || slot === epochSlot(epoch)) return undefined;
  return lockHiddenByCloses(chronicle, signatures, signer);
}

/** Same check for one slot, against every close of the signer. */
export function lockHiddenByCloses(
  chronicle: CloseHistory,
  signatures: SlotSignatures,
  signer: number,
): string | undefined {
  for (const claims of closesOf(chronicle, signatures.epoch, signer)) {
    const found = lockHiddenAt(chronicle, signatures, signer, claims);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the closes that one validator signed for an epoch: at most one if it is honest. */
export function closesOf(chronicle: CloseHistory, epoch: Epoch, signer: number): readonly Claims[] {
  const statements = statementsOf(signaturesOf(chronicle, epochSlot(epoch), epoch), signer);
  return statements.flatMap((statement) => (statement.kind === "close" ? [statement.claims] : []));
}

/** Returns a violation if a claim has no quorum of signatures; such a claim invalidates the close. */
export function falseClaim(
  chronicle: Chronicle,
  { statement, committee }: Pick<SignatureRecord, "statement" | "committee">,
): string | undefined {
  if (statement.kind !== "close") return undefined;
  const { epoch, claims } = statement;
  const claim = claims.find((candidate) => !isBacked(chronicle, epoch, candidate, committee.bounds.quorum));
  if (claim === undefined) return undefined;
  const claimText = claim.final ? "a decision" : "a lock";
  const where = `round ${claim.round} of ${slotKeyName(claim.slot)}`;
  return `claimed in its close of epoch ${epoch} ${claimText} on ${chronicle.valueName(claim.value)} in ${where}, which has no quorum`;
}

/** Returns true if a quorum signed the claimed value. */
export function isBacked(chronicle: Chronicle, epoch: Epoch, claim: Claim, quorum: number): boolean {
  const signatures = signaturesOf(chronicle, claim.slot, epoch);
  return signersOf(signatures, claim.final ? "commits" : "votes", claim.round, claim.value).length >= quorum;
}

function lockHiddenAt(
  chronicle: CloseHistory,
  signatures: SlotSignatures,
  signer: number,
  claims: Claims,
): string | undefined {
  const { slot, epoch } = signatures;
  const statements = signatures.bySigner[signer];
  if (statements === undefined || slot === epochSlot(epoch)) return undefined;
  const claim = claims.find((candidate) => candidate.slot === slot);
  if (claim?.final === true) return undefined;
  const hidden = knownLocks(statements).find((lock) => omitsLock(lock, claim));
  if (hidden === undefined || isCovered(chronicle, epoch, slot, claims)) return undefined;
  const lock = `its lock of round ${hidden.round} on ${chronicle.valueName(hidden.value)} in ${slotKeyName(slot)}`;
  return `omitted from its close of epoch ${epoch} ${lock}`;
}

/** Locks that a validator knows: those that it committed to or named in a round change. */
function knownLocks(statements: SignerStatements): readonly RoundValue[] {
  const named = statements.flatMap((statement) => (statement.kind === "roundChange" ? (statement.lock ?? []) : []));
  return [...statements.flatMap((statement) => (statement.kind === "commit" ? statement : [])), ...named];
}

/**
 * Returns true if the close may omit the slot because its last final checkpoint lists it. A checkpoint with unknown
 * content is assumed to list every slot.
 */
function isCovered(chronicle: CloseHistory, epoch: Epoch, slot: SlotKey, claims: Claims): boolean {
  const opened = chronicle.epochs[epoch]?.opened ?? 0;
  const last = lastCheckpoint(claims);
  if (last === undefined) return false;
  const number = checkpointNumber(slot);
  if (number !== undefined) return number <= last.number;
  const links = ancestors(chronicle.contents, last.value, last.number, opened);
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
function checkpointNumber(slot: SlotKey): number | undefined {
  return slot.startsWith(CHECKPOINT) ? Number(slot.slice(CHECKPOINT.length)) : undefined;
}

/** Returns a violation if a freely chosen closing gets a vote that no q signed closes can justify. */
export function unjustifiedClosing(
  chronicle: Chronicle,
  { statement, book: signatures, committee }: SignatureRecord,
): string | undefined {
  const { epoch, slot } = statement;
  const open = chronicle.epochs[epoch];
  if (statement.kind !== "vote" || !slot.startsWith("epoch/")) return undefined;
  if (open === undefined || slot !== epochSlot(epoch)) return undefined;
  const { quorum } = committee.bounds;
  const value = chronicle.contents.get(statement.value)?.value;
  if (value === undefined || !isFree(signatures, statement.round, statement.value, quorum)) return undefined;
  if (value.type === "closing" && isJustifiable(chronicle, open, value)) return undefined;
  return `voted for ${chronicle.valueName(statement.value)} in round ${statement.round}, which no ${quorum} closes justify`;
}

/**
 * Relation of a claim to a closing: irrelevant, supporting, or opposing unless a supporting claim has at least the same
 * weight.
 */
type ClaimRelation = "beside" | "for" | "against" | "never";

/**
 * Returns true if some q closes with genuine certificates may justify the closing: its base is the highest checkpoint
 * that they know, it lists for every other slot the value of the highest claim, and nothing else. Also true if
 * uncertain: a claim supports the closing if any close contains it.
 */
export function isJustifiable(chronicle: Chronicle, open: OpenEpoch, closing: ClosingValue): boolean {
  const { epoch, opened, committee } = open;
  const { number, parentHash } = closing.header;
  const base = number - 1;
  const links = ancestors(chronicle.contents, parentHash, base, opened);
  if (closing.epoch !== epoch || base < opened) return false;
  if (!links.isComplete) return true;
  const standing = claimRelation(chronicle, closing, links);
  const closes = realCloses(chronicle, open);
  const best = supportingRounds(closes, standing);
  const fitting = closes.filter(({ claims }) => claims.every((claim) => isCompatible(claim, standing(claim), best)));
  const supported = new Set(
    fitting.flatMap(({ claims }) => claims.filter((claim) => standing(claim) === "for").map(({ slot }) => slot)),
  );
  const needed = closing.listed.map(({ slot }) => slotKey(slot));
  if (base > opened) needed.push(slotKey({ kind: "checkpoint", number: base as typeof number }));
  const signers = new Set(fitting.map(({ signer }) => signer));
  return signers.size >= committee.bounds.quorum && needed.every((slot) => supported.has(slot));
}

interface SignedClose {
  readonly signer: number;
  readonly claims: Claims;
}

/** Closes of an epoch whose claims all have a quorum of signatures. */
function realCloses(chronicle: Chronicle, { epoch, committee }: OpenEpoch): readonly SignedClose[] {
  const { quorum } = committee.bounds;
  const found: SignedClose[] = [];
  for (const signer of signaturesOf(chronicle, epochSlot(epoch), epoch).bySigner.keys()) {
    for (const claims of closesOf(chronicle, epoch, signer)) {
      if (claims.every((claim) => isBacked(chronicle, epoch, claim, quorum))) found.push({ signer, claims });
    }
  }
  return found;
}

/** A closing need not list slots that its chain or an earlier epoch lists; nor may it, since no claim supports them. */
function claimRelation(
  chronicle: Chronicle,
  { epoch, header, listed }: ClosingValue,
  links: ChainLinks,
): (claim: Claim) => ClaimRelation {
  const base = header.number - 1;
  const below = slotsListed(links);
  const isDone = (slot: SlotKey): boolean =>
    below.has(slot) || (chronicle.finality.settled.get(slot)?.epoch ?? epoch) < epoch;
  const texts = new Map(listed.map((decision) => [slotKey(decision.slot), valueText(decision.value)]));
  return ({ slot, value }) => {
    const number = checkpointNumber(slot);
    if (number !== undefined) {
      if (number !== base) return number < base ? "beside" : "never";
      return value === header.parentHash ? "for" : "against";
    }
    if (isDone(slot)) return "beside";
    const text = texts.get(slot);
    if (text === undefined) return "never";
    const content = chronicle.contents.get(value);
    return content === undefined || valueText(content.value) === text ? "for" : "against";
  };
}

/** Highest round of a supporting claim by slot; a decision ranks above all rounds. */
function supportingRounds(
  closes: readonly SignedClose[],
  standing: (claim: Claim) => ClaimRelation,
): ReadonlyMap<SlotKey, number> {
  const best = new Map<SlotKey, number>();
  for (const { claims } of closes) {
    for (const claim of claims) {
      if (standing(claim) !== "for") continue;
      best.set(claim.slot, Math.max(best.get(claim.slot) ?? -1, weightOf(claim)));
    }
  }
  return best;
}

function weightOf({ final, round }: Claim): number {
  return final ? Number.MAX_SAFE_INTEGER : round;
}

/**
 * Of two claims of equal weight either may count, since a voter takes the first one in its closes. Both have a quorum,
 * so the slot's own signatures prove f + 1 faulty (`culprits.ts`).
 */
function isCompatible(claim: Claim, stand: ClaimRelation, best: ReadonlyMap<SlotKey, number>): boolean {
  if (stand === "never") return false;
  if (stand !== "against") return true;
  return weightOf(claim) <= (best.get(claim.slot) ?? -1);
}
