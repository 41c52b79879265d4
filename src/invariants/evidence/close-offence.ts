/** What a close contradicts, and what contradicts a close (protocol 6.3). */
import type { Epoch } from "../../core/base/ids.ts";
import type { SlotKey } from "../../core/base/slot.ts";
import { bookOf, type Chronicle, hasClosed, type Signing } from "../history/chronicle.ts";
import { epochSlot } from "../history/finality.ts";
import { linksDown, slotsListed } from "../history/links.ts";
import { type Choice, type Claims, type Hand, handOf, type SlotBook, signersOf } from "../history/slot-book.ts";
import type { Claim } from "../observation.ts";
import { slotKeyName } from "../words.ts";
import { hides, type Naming, type Offence } from "./offence.ts";

/**
 * Anything signed in an epoch after its close, but for the slot of the epoch itself. Only order shows it: what a liar signed
 * before its close and showed after it looks the same.
 */
export function afterClose(seen: Chronicle, { signer, statement }: Signing, name: Naming): Offence | undefined {
  const { kind, epoch, slot } = statement;
  if (kind === "close" || !hasClosed(seen, epoch, signer) || slot === epochSlot(epoch)) return undefined;
  const did = { vote: "voted for", commit: "committed to", proposal: "proposed", roundChange: "changed" }[kind];
  const what = kind === "roundChange" ? "" : ` ${name(statement.value)}`;
  return { kind: "closed", words: `${did}${what} in round ${statement.round} after it had closed epoch ${epoch}` };
}

/**
 * A lock that a validator knew, by its commit or its round change, and that its close of the epoch leaves out. No order of
 * the two is honest: having signed, the lock is known; having closed, nothing more is signed there.
 */
export function hiddenInClose(seen: Chronicle, signing: Signing, name: Naming): Offence | undefined {
  const { signer, statement, book } = signing;
  const { epoch, slot } = statement;
  if (statement.kind === "close") {
    for (const one of seen.slotsSigned(epoch)) {
      const found = hiddenAt(seen, bookOf(seen, one, epoch), signer, statement.claims, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (statement.kind !== "commit" && statement.kind !== "roundChange") return undefined;
  if (!hasClosed(seen, epoch, signer) || slot === epochSlot(epoch)) return undefined;
  return hiddenByAny(seen, book, signer, name);
}

/** The same for one slot and any close of the validator's. */
export function hiddenByAny(seen: Chronicle, book: SlotBook, signer: number, name: Naming): Offence | undefined {
  for (const claims of closesOf(seen, book.epoch, signer)) {
    const found = hiddenAt(seen, book, signer, claims, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What one validator signed to close an epoch: once, unless it lies. */
export function closesOf(seen: Chronicle, epoch: Epoch, signer: number): readonly Claims[] {
  return handOf(bookOf(seen, epochSlot(epoch), epoch), signer).closes;
}

/** A claim for which no certificate was ever signed: it makes the close void. */
export function falseClaim(seen: Chronicle, { statement, committee }: Signing, name: Naming): Offence | undefined {
  if (statement.kind !== "close") return undefined;
  const { epoch, claims } = statement;
  const claim = claims.find((one) => !isBacked(seen, epoch, one, committee.bounds.quorum));
  if (claim === undefined) return undefined;
  const what = claim.final ? "a decision" : "a lock";
  const where = `round ${claim.round} of ${slotKeyName(claim.slot)}`;
  return {
    kind: "false claim",
    words: `claimed, closing epoch ${epoch}, ${what} on ${name(claim.value)} in ${where}, for which no quorum signed`,
  };
}

/** Whether a quorum signed what is claimed. */
export function isBacked(seen: Chronicle, epoch: Epoch, claim: Claim, quorum: number): boolean {
  const book = bookOf(seen, claim.slot, epoch);
  return signersOf(book, claim.final ? "commits" : "votes", claim.round, claim.value).length >= quorum;
}

function hiddenAt(seen: Chronicle, book: SlotBook, signer: number, claims: Claims, name: Naming): Offence | undefined {
  const { slot, epoch } = book;
  const hand = book.hands[signer];
  if (hand === undefined || slot === epochSlot(epoch)) return undefined;
  const claim = claims.find((one) => one.slot === slot);
  if (claim?.final === true) return undefined;
  const hidden = locksKnown(hand).find((lock) => hides(lock, claim));
  if (hidden === undefined || isCovered(seen, epoch, slot, claims)) return undefined;
  const lock = `its lock of round ${hidden.round} on ${name(hidden.value)} in ${slotKeyName(slot)}`;
  return { kind: "hidden lock", words: `hid, closing epoch ${epoch}, ${lock}` };
}

/** The locks that a validator has shown to know: it committed on them, or named them when it changed round. */
function locksKnown({ commits, changes }: Hand): readonly Choice[] {
  return [...commits, ...changes.flatMap(({ lock }) => lock ?? [])];
}

/**
 * Whether a close says nothing of a slot because its last final checkpoint stands for it. Where nobody knows what that
 * one lists, it counts for everything.
 */
function isCovered(seen: Chronicle, epoch: Epoch, slot: SlotKey, claims: Claims): boolean {
  const opened = seen.epochs[epoch]?.opened ?? 0;
  const last = lastCheckpoint(claims);
  if (last === undefined) return false;
  const number = checkpointNumber(slot);
  if (number !== undefined) return number <= last.number;
  const links = linksDown(seen.contents, last.value, last.number, opened);
  return !links.isWhole || slotsListed(links).has(slot);
}

function lastCheckpoint(claims: Claims): { readonly number: number; readonly value: Claim["value"] } | undefined {
  const found = claims.flatMap(({ slot, value, final }) => {
    const number = final ? checkpointNumber(slot) : undefined;
    return number === undefined ? [] : { number, value };
  });
  return found.sort((a, b) => b.number - a.number)[0];
}

/** The number of a checkpoint's slot, `undefined` for any other. */
export function checkpointNumber(slot: SlotKey): number | undefined {
  const [kind, number] = slot.split("/");
  return kind === "checkpoint" ? Number(number) : undefined;
}
