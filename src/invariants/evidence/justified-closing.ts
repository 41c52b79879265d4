/** Check that the closes actually signed can justify a closing (protocol 6.3). */
import { type ClosingValue, type SlotKey, slotKey } from "../../core/base/slot.ts";
import { type Chronicle, type SignatureRecord, signaturesOf } from "../history/chronicle.ts";
import type { OpenEpoch } from "../history/epochs.ts";
import { ancestors, type ChainLinks, epochSlot, slotsListed } from "../history/finality.ts";
import type { Claims } from "../history/slot-signatures.ts";
import type { Claim } from "../observation.ts";
import { valueText } from "../text.ts";
import { checkpointNumber, closesOf, isBacked } from "./close-violations.ts";
import { isFree, type RuleViolation } from "./rule-violations.ts";

/** Returns a violation if a freely chosen closing gets a vote that no q signed closes can justify. */
export function unjustifiedClosing(
  seen: Chronicle,
  { statement, book: signatures, committee }: SignatureRecord,
): RuleViolation | undefined {
  const { epoch, slot } = statement;
  const open = seen.epochs[epoch];
  if (statement.kind !== "vote" || !slot.startsWith("epoch/")) return undefined;
  if (open === undefined || slot !== epochSlot(epoch)) return undefined;
  const { quorum } = committee.bounds;
  const value = seen.contents.get(statement.value)?.value;
  if (value === undefined || !isFree(signatures, statement.round, statement.value, quorum)) return undefined;
  if (value.type === "closing" && isJustifiable(seen, open, value)) return undefined;
  return {
    kind: "unjustified",
    words: `voted for ${seen.valueName(statement.value)} in round ${statement.round}, which no ${quorum} closes justify`,
  };
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
export function isJustifiable(seen: Chronicle, open: OpenEpoch, closing: ClosingValue): boolean {
  const { epoch, opened, committee } = open;
  const { number, parentHash } = closing.header;
  const base = number - 1;
  const links = ancestors(seen.contents, parentHash, base, opened);
  if (closing.epoch !== epoch || base < opened) return false;
  if (!links.isComplete) return true;
  const standing = claimRelation(seen, closing, links);
  const closes = realCloses(seen, open);
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
function realCloses(seen: Chronicle, { epoch, committee }: OpenEpoch): readonly SignedClose[] {
  const { quorum } = committee.bounds;
  const found: SignedClose[] = [];
  for (const signer of signaturesOf(seen, epochSlot(epoch), epoch).bySigner.keys()) {
    for (const claims of closesOf(seen, epoch, signer)) {
      if (claims.every((claim) => isBacked(seen, epoch, claim, quorum))) found.push({ signer, claims });
    }
  }
  return found;
}

/** A closing need not list slots that its chain or an earlier epoch lists; nor may it, since no claim supports them. */
function claimRelation(
  seen: Chronicle,
  { epoch, header, listed }: ClosingValue,
  links: ChainLinks,
): (claim: Claim) => ClaimRelation {
  const base = header.number - 1;
  const below = slotsListed(links);
  const isDone = (slot: SlotKey): boolean =>
    below.has(slot) || (seen.finality.settled.get(slot)?.epoch ?? epoch) < epoch;
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
    const content = seen.contents.get(value);
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
