/** Provably faulty validators after an agreement violation: at least f + 1 of an epoch's committee (protocol 7.11). */
import type { Epoch, Hash } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import { type Chronicle, signaturesOf } from "../history/chronicle.ts";
import type { EpochCommittee, OpenEpoch } from "../history/epochs.ts";
import {
  type ClosingConflict,
  type DecidedClosing,
  epochSlot,
  type FinalityConflict,
  type FinalValue,
  finalityConflict,
} from "../history/finality.ts";
import type { SlotSignatures } from "../history/slot-signatures.ts";
import { valueText } from "../text.ts";
import { closesOf, isBacked, isJustifiable, lockHiddenByCloses } from "./close-violations.ts";
import { freeVoters, isMisplaced, ruleViolationIn, type ValueNames } from "./rule-violations.ts";

interface FaultySet {
  /** Faulty validators, by index in the roster. */
  readonly culprits: ReadonlySet<number>;
  /** Committee of which at least f + 1 members are provably faulty. */
  readonly committee: EpochCommittee;
}

/**
 * Returns the validators with signatures in this slot that no honest validator makes, in any order. If two values of
 * one epoch's slot have q commits, these are at least f + 1: two quorums share f + 1 keys, and these committed twice in
 * one round, or committed without a lock, or the first round with a lock on the other value was justified by round
 * changes that omitted the first lock, or had no justification. A lock on another value in the same or a higher round
 * proves as much.
 */
function culpritsInSlot(book: SlotSignatures, committee: EpochCommittee, name: ValueNames): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [signer, before = []] of book.bySigner.entries())
    if (before.some((statement) => ruleViolationIn({ statement, committee, before, book }, name) !== undefined))
      found.add(signer);
  return found;
}

/**
 * Returns `undefined` if the violation depends on a closing that was never final; the validators that accepted it are
 * checked separately.
 */
export function faultySetOf(chronicle: Chronicle, broken: FinalityConflict): FaultySet | undefined {
  if (broken.kind !== "rivals") return faultyInClosing(chronicle, broken);
  const { first, second } = broken;
  // A closing that was decided in another epoch than its own proves those who signed it.
  const judged =
    first.epoch === second.epoch ? first : [first, second].find(({ slot, epoch }) => isMisplaced(slot, epoch));
  const committee = judged && chronicle.epochs[judged.epoch]?.committee;
  if (judged !== undefined && committee !== undefined) {
    const signatures = signaturesOf(chronicle, judged.slot, judged.epoch);
    return { culprits: culpritsInSlot(signatures, committee, chronicle.valueName), committee };
  }
  const [earlier, later] = first.epoch < second.epoch ? [first, second] : [second, first];
  const between =
    finalityConflict(chronicle.finality, earlier, chronicle.contents) ??
    finalityConflict(chronicle.finality, later, chronicle.contents);
  return between === undefined ? undefined : faultyInClosing(chronicle, between);
}

/**
 * Returns the faulty validators for a final value and a closing that contradicts it. If the closing belongs to an
 * earlier epoch, a quorum voted in a slot that was decided before its own epoch. Otherwise take the q closes of the
 * closing:
 *
 * - if no q signed closes justify it, the quorum that first locked it is faulty;
 * - else f + 1 of their signers committed to the value. Each one omits that from its close; or shows a lock of the same
 * or a higher round, and then the slot's own signatures prove f + 1 faulty, unless the closing follows them; or omits
 * the slot because its last final checkpoint lists it. If that checkpoint is not an ancestor of the closing, two values
 * of an ancestor's slot are final, or a quorum locked a checkpoint whose parent is not final.
 * - if the chain lists another value for the slot, a quorum locked a checkpoint that lists a value that was not final.
 */
function faultyInClosing(chronicle: Chronicle, broken: ClosingConflict): FaultySet | undefined {
  const { final, closing } = broken;
  const open = chronicle.epochs[final.epoch];
  if (open === undefined || closing.epoch > final.epoch) return undefined;
  const { epoch, committee } = open;
  const { quorum } = committee.bounds;
  const signatures = signaturesOf(chronicle, final.slot, epoch);
  const inSlot = culpritsInSlot(signatures, committee, chronicle.valueName);
  if (closing.epoch < epoch)
    return { culprits: new Set([...inSlot, ...freeVoters(signatures, final.value, quorum)]), committee };
  const ofClosing = signaturesOf(chronicle, epochSlot(epoch), epoch);
  const isJustified = closing.value === undefined || isJustifiable(chronicle, open, closing.value);
  const culprits = new Set([
    ...inSlot,
    ...faultyClosers(chronicle, open, final),
    ...culpritsInSlot(ofClosing, committee, chronicle.valueName),
    ...(isJustified ? [] : freeVoters(ofClosing, closing.hash, quorum)),
    ...faultyInChain(chronicle, open, closing, final),
  ]);
  return { culprits, committee };
}

/** Signers whose closes claim a value without a quorum, or omit a known lock of this slot. */
function faultyClosers(chronicle: Chronicle, { epoch, committee }: OpenEpoch, { slot }: FinalValue): readonly number[] {
  const { quorum } = committee.bounds;
  const signatures = signaturesOf(chronicle, slot, epoch);
  const isFaulty = (signer: number): boolean =>
    lockHiddenByCloses(chronicle, signatures, signer) !== undefined ||
    closesOf(chronicle, epoch, signer).some((claims) =>
      claims.some((claim) => !isBacked(chronicle, epoch, claim, quorum)),
    );
  return [...signaturesOf(chronicle, epochSlot(epoch), epoch).bySigner.keys()].filter(isFaulty);
}

/** First voters for an ancestor of the closing whose parent was not final, or that lists a value that was not final. */
function faultyInChain(
  chronicle: Chronicle,
  { epoch, opened, committee }: OpenEpoch,
  { links }: DecidedClosing,
  { slot }: FinalValue,
): readonly number[] {
  return links.flatMap(({ hash, value }) => {
    const { number, parentHash } = value.header;
    const signatures = signaturesOf(chronicle, slotKey({ kind: "checkpoint", number }), epoch);
    const parent = slotKey({ kind: "checkpoint", number: (number - 1) as typeof number });
    const isParentFinal = number - 1 <= opened || isFinal(chronicle, epoch, parent, (value) => value === parentHash);
    const listed = value.listed.find((decision) => slotKey(decision.slot) === slot)?.value;
    const isListed = (value: Hash): boolean => {
      const content = chronicle.contents.get(value);
      return listed === undefined || content === undefined || valueText(content.value) === valueText(listed);
    };
    const isSound = isParentFinal && (listed === undefined || isFinal(chronicle, epoch, slot, isListed));
    const voters = isSound ? [] : freeVoters(signatures, hash, committee.bounds.quorum);
    return [...culpritsInSlot(signatures, committee, chronicle.valueName), ...voters];
  });
}

function isFinal(chronicle: Chronicle, epoch: Epoch, slot: string, is: (value: Hash) => boolean): boolean {
  return (chronicle.finality.finals.get(slot) ?? []).some((value) => value.epoch === epoch && is(value.value));
}
