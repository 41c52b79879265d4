/** Provably faulty validators after an agreement violation: at least f + 1 of an epoch's committee (protocol 7.11). */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
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
import type { SignerStatements, SlotSignatures } from "../history/slot-signatures.ts";
import type { Statement } from "../observation.ts";
import { closingName, valueText } from "../text.ts";
import { closesOf, falseClaim, lockHiddenByCloses } from "./close-violations.ts";
import { isJustifiable } from "./justified-closing.ts";
import { freeVoters, isMisplaced, ruleViolationIn, type ValueNames } from "./rule-violations.ts";

/** Violation of each faulty validator, by index in the roster. */
export type Culprits = ReadonlyMap<number, string>;

export interface FaultySet {
  readonly culprits: Culprits;
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
function culpritsInSlot(signatures: SlotSignatures, committee: EpochCommittee, name: ValueNames): Culprits {
  const named = new Map<number, string>();
  signatures.bySigner.forEach((before, signer) => {
    if (before === undefined) return;
    for (const statement of statementsIn(signatures, before)) {
      const text = ruleViolationIn({ statement, committee, before, book: signatures }, name)?.words;
      if (text !== undefined && !named.has(signer)) named.set(signer, text);
    }
  });
  return named;
}

/**
 * Returns `undefined` if the violation depends on a closing that was never final; the validators that accepted it are
 * checked separately.
 */
export function faultySetOf(seen: Chronicle, broken: FinalityConflict): FaultySet | undefined {
  if (broken.kind !== "rivals") return faultyInClosing(seen, broken);
  const { first, second } = broken;
  // A closing that was decided in another epoch than its own proves those who signed it.
  const judged =
    first.epoch === second.epoch ? first : [first, second].find(({ slot, epoch }) => isMisplaced(slot, epoch));
  const committee = judged && seen.epochs[judged.epoch]?.committee;
  if (judged !== undefined && committee !== undefined) {
    const signatures = signaturesOf(seen, judged.slot, judged.epoch);
    return { culprits: culpritsInSlot(signatures, committee, seen.valueName), committee };
  }
  const [earlier, later] = first.epoch < second.epoch ? [first, second] : [second, first];
  const between =
    finalityConflict(seen.finality, earlier, seen.contents) ?? finalityConflict(seen.finality, later, seen.contents);
  return between === undefined ? undefined : faultyInClosing(seen, between);
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
function faultyInClosing(seen: Chronicle, broken: ClosingConflict): FaultySet | undefined {
  const { final, closing } = broken;
  const open = seen.epochs[final.epoch];
  if (open === undefined || closing.epoch > final.epoch) return undefined;
  const signatures = signaturesOf(seen, final.slot, final.epoch);
  const culprits = new Map(culpritsInSlot(signatures, open.committee, seen.valueName));
  const addFaulty = (indices: Iterable<number>, text: string): void => {
    for (const index of indices) if (!culprits.has(index)) culprits.set(index, text);
  };
  if (closing.epoch < final.epoch) {
    const voters = freeVoters(signatures, final.value, open.committee.bounds.quorum);
    addFaulty(voters, `voted in epoch ${final.epoch} after ${closingName(closing.epoch)} had decided`);
    return { culprits, committee: open.committee };
  }
  for (const [index, text] of faultyClosers(seen, open, final)) addFaulty([index], text);
  const ofClosing = signaturesOf(seen, epochSlot(open.epoch), open.epoch);
  for (const [index, text] of culpritsInSlot(ofClosing, open.committee, seen.valueName)) addFaulty([index], text);
  if (closing.value !== undefined && !isJustifiable(seen, open, closing.value)) {
    const voters = freeVoters(ofClosing, closing.hash, open.committee.bounds.quorum);
    addFaulty(voters, `voted for ${closingName(open.epoch)}, which no closes justify`);
  }
  faultyInChain(seen, open, closing, final, addFaulty);
  return { culprits, committee: open.committee };
}

/** Signers whose closes contradict each other, claim a value without a quorum, or omit a known lock of this slot. */
function faultyClosers(seen: Chronicle, { epoch, committee }: OpenEpoch, { slot }: FinalValue): Culprits {
  const named = new Map<number, string>();
  const signatures = signaturesOf(seen, slot, epoch);
  const closing = signaturesOf(seen, epochSlot(epoch), epoch);
  for (const signer of closing.bySigner.keys()) {
    for (const claims of closesOf(seen, epoch, signer)) {
      const statement: Statement = { kind: "close", epoch, slot: closing.slot, round: 0 as Round, claims };
      const violation = falseClaim(seen, { statement, committee }) ?? lockHiddenByCloses(seen, signatures, signer);
      if (violation !== undefined) named.set(signer, violation.words);
    }
  }
  return named;
}

/** First voters for an ancestor of the closing that no honest validator votes for. */
function faultyInChain(
  seen: Chronicle,
  { epoch, opened, committee }: OpenEpoch,
  { links }: DecidedClosing,
  { slot }: FinalValue,
  addFaulty: (indices: Iterable<number>, description: string) => void,
): void {
  for (const { hash, value } of links) {
    const { number, parentHash } = value.header;
    const signatures = signaturesOf(seen, slotKey({ kind: "checkpoint", number }), epoch);
    for (const [index, description] of culpritsInSlot(signatures, committee, seen.valueName))
      addFaulty([index], description);
    const voters = freeVoters(signatures, hash, committee.bounds.quorum);
    const parent = slotKey({ kind: "checkpoint", number: (number - 1) as typeof number });
    if (number - 1 > opened && !isFinal(seen, epoch, parent, (value) => value === parentHash))
      addFaulty(voters, `voted for checkpoint ${number}, whose parent was not final`);
    const listedDecision = value.listed.find((decision) => slotKey(decision.slot) === slot);
    if (listedDecision === undefined) continue;
    const text = valueText(listedDecision.value);
    const isText = (value: Hash): boolean => {
      const content = seen.contents.get(value);
      return content === undefined || valueText(content.value) === text;
    };
    if (!isFinal(seen, epoch, slot, isText))
      addFaulty(voters, `voted for checkpoint ${number}, which lists a value that was not final`);
  }
}

function isFinal(seen: Chronicle, epoch: Epoch, slot: string, is: (value: Hash) => boolean): boolean {
  return (seen.finality.finals.get(slot) ?? []).some((value) => value.epoch === epoch && is(value.value));
}

function statementsIn(
  { slot, epoch }: SlotSignatures,
  { votes, commits, proposals, changes, closes }: SignerStatements,
): readonly Statement[] {
  return [
    ...votes.map((vote) => ({ kind: "vote" as const, epoch, slot, ...vote })),
    ...commits.map((commit) => ({ kind: "commit" as const, epoch, slot, ...commit })),
    ...proposals.map((proposal) => ({ kind: "proposal" as const, epoch, slot, ...proposal })),
    ...changes.map((change) => ({ kind: "roundChange" as const, epoch, slot, ...change })),
    ...closes.map((claims) => ({ kind: "close" as const, epoch, slot, round: 0 as Round, claims })),
  ];
}
