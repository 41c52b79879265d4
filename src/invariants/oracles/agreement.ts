/**
 * Oracle of protocol 7.1: no slot has two values with a quorum of commits among all signatures ever made, across rounds
 * and epochs; the closing of an epoch contradicts no value that is final there; and no decision contradicts what an
 * honest validator has applied.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { type SlotKey, slotKey, type Value } from "../../core/base/slot.ts";
import { faultySetOf } from "../evidence/culprits.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import { type Chronicle, quorumOfCommits, type SignatureRecord, signaturesOf } from "../history/chronicle.ts";
import type { FinalityConflict, FinalValue } from "../history/finality.ts";
import { roundOf, signersOf } from "../history/slot-signatures.ts";
import type { EventOf, NodeName } from "../observation.ts";
import { closingName, countText, joinNames, shortId, slotKeyName, slotName, valueName } from "../text.ts";

/** Checks certificates that could be assembled, that nodes accepted and that clients verified. */
export function agreement(): Oracle {
  return oracle("agreement", undefined, {
    signed: checkNewSignatures,
    closed: checkNewSignatures,
    decided: (_state, record, chronicle, report) => {
      if (record.honest) checkAcceptedCertificate(chronicle, record, report);
    },
    halted: (_state, { node, honest, slot, reason }, _chronicle, report) => {
      if (honest) report(`${node} halted at ${slotKeyName(slot)}, whose decision contradicts its ledger: ${reason}`);
    },
    replyReceived: (_state, record, chronicle, report) => checkClientReceipt(chronicle, record, report),
  });
}

function checkNewSignatures(_state: undefined, _record: unknown, chronicle: Chronicle, report: ReportViolation): void {
  const { directory } = chronicle;
  for (const signing of chronicle.signatures) {
    if (signing.statement.kind === "commit" && directory.isHonestKey(directory.keyAt(signing.signer)))
      checkCommitLock(chronicle, signing, report);
    if (signing.completed === "lock") checkSingleLock(chronicle, signing, report);
  }
  for (const conflict of chronicle.conflicts) {
    const culprits = faultySetOf(chronicle, conflict)?.culprits ?? [];
    report(conflictText(chronicle, conflict), { faulty: [...culprits].map(directory.keyAt) });
  }
}

function conflictText(chronicle: Chronicle, finalityConflict: FinalityConflict): string {
  if (finalityConflict.kind === "rivals") {
    const { first, second } = finalityConflict;
    const quorum = chronicle.epochs[second.epoch]?.committee.bounds.quorum;
    const conflict = `${slotKeyName(first.slot)} has two values with ${quorum} commits`;
    return `${conflict}: ${finalValueText(chronicle, first)} and ${finalValueText(chronicle, second)}`;
  }
  const { final, closing } = finalityConflict;
  const start = `${finalValueText(chronicle, final)} is final in ${slotKeyName(final.slot)}`;
  if (finalityConflict.kind === "left out")
    return `${start}, and ${closingName(closing.epoch)} neither lists nor follows it`;
  const { decides } = finalityConflict.settled;
  const settled = "link" in decides ? chronicle.valueName(decides.link) : valueName(decides.value);
  return `${start}, and ${closingName(closing.epoch)} decides ${settled} there`;
}

/** Protocol 3.1, 3: an honest validator commits only with a lock certificate. */
function checkCommitLock(
  chronicle: Chronicle,
  { signer, statement, committee, book: signatures }: SignatureRecord,
  report: ReportViolation,
): void {
  const { directory } = chronicle;
  if (statement.kind !== "commit") return;
  report.judged();
  const { quorum } = committee.bounds;
  const voters = signersOf(signatures, "votes", statement.round, statement.value);
  if (voters.length >= quorum) return;
  report(
    `${joinNames(directory.namesAt([signer]))} committed to ${chronicle.valueName(statement.value)} in round ${statement.round} of ` +
      `${slotKeyName(statement.slot)} without a lock certificate: ${voters.length} of ${quorum} votes exist ` +
      `(${joinNames(directory.namesAt(voters))})`,
  );
}

/** Protocol 3.1, 2: at most one lock certificate per slot and round. */
function checkSingleLock(
  chronicle: Chronicle,
  { statement, committee, book: signatures }: SignatureRecord,
  report: ReportViolation,
): void {
  const { directory } = chronicle;
  if (statement.kind !== "vote") return;
  const { round, value, slot } = statement;
  const votes = roundOf(signatures, round)?.votes ?? [];
  const rival = votes.find((vote) => vote.value !== value && vote.signers.length >= committee.bounds.quorum);
  if (rival === undefined) return;
  const voters = signersOf(signatures, "votes", round, value);
  const doubleVoters = voters.filter((voter) => rival.signers.includes(voter));
  report(
    `round ${round} of ${slotKeyName(slot)} has two lock certificates: ${chronicle.valueName(rival.value)} by ` +
      `${joinNames(directory.namesAt(rival.signers))}, ${chronicle.valueName(value)} by ${joinNames(directory.namesAt(voters))}`,
    { faulty: doubleVoters.map(directory.keyAt) },
  );
}

/** A certificate counts distinct members of its epoch's committee that signed this (epoch, slot, round, value). */
function checkAcceptedCertificate(chronicle: Chronicle, record: EventOf<"decided">, report: ReportViolation): void {
  const { directory } = chronicle;
  const key = slotKey(record.slot);
  const { epoch } = record;
  const say = (faults: string): void =>
    report(
      `${record.node} accepted an invalid certificate for ${chronicle.valueName(record.value)} in round ${record.round} of ` +
        `${slotKeyName(key)}${epoch === 0 ? "" : ` in epoch ${epoch}`}: ${faults}`,
    );
  const committee = chronicle.epochs[epoch]?.committee;
  if (committee === undefined) {
    say("no honest validator has opened that epoch");
    return;
  }
  const signatures = signaturesOf(chronicle, key, epoch);
  const real = signersOf(signatures, "commits", record.round, record.value);
  const distinct = new Set(record.signers);
  const faults: string[] = [];
  const good: number[] = [];
  for (const signer of distinct) {
    const index = directory.indexOf(signer);
    if (index === undefined || !committee.isMember(index)) faults.push(`${directory.nameOf(signer)} is not a member`);
    else if (!real.includes(index)) faults.push(`${directory.nameOf(signer)} has no such commit`);
    else good.push(index);
  }
  if (distinct.size < record.signers.length) faults.push("repeated signer");
  const { quorum } = committee.bounds;
  if (good.length < quorum) {
    faults.push(`${good.length} of ${quorum} commits are genuine (${joinNames(directory.namesAt(good))})`);
  }
  if (faults.length > 0) say(faults.join("; "));
}

/** A client accepts as final only a value with a quorum of commits that contains its operation. */
function checkClientReceipt(chronicle: Chronicle, record: EventOf<"replyReceived">, report: ReportViolation): void {
  const { id, client, from, quorum, slot, value, answer } = record;
  if (answer.status !== "final") return;
  const say = (rest: string): void => report(`client ${client} accepted ${shortId(id)} as final from ${from}${rest}`);
  const needed = quorumOfCommits(chronicle, slot, value);
  if (quorum < needed) {
    say(` with ${countText(quorum, "commit")} verified, expected ${needed}`);
    return;
  }
  if (slot === undefined || value === undefined) {
    say(" without the decided value and slot");
    return;
  }
  if (!(chronicle.finality.finals.get(slot) ?? []).some((finalValue) => finalValue.value === value)) {
    say(`, but ${chronicle.valueName(value)} has no quorum of commits in ${slotKeyName(slot)}`);
    return;
  }
  const decided = checkpointWith(chronicle, chronicle.contents.get(value)?.value, id);
  if (decided !== undefined && !containsOperation(decided, id)) {
    say(`, but ${slotKeyName(slot)} decided ${valueName(decided)}`);
  } else if (answer.receipt.id !== id || !decidesIn(decided, slot, answer.receipt)) {
    say(`, but the receipt is for ${shortId(answer.receipt.id)} in ${slotKeyName(answer.receipt.slot)}`);
  }
}

/**
 * A closing finalizes the checkpoints below it; returns the one that contains the operation if the closing does not.
 */
function checkpointWith(chronicle: Chronicle, decided: Value | undefined, id: string): Value | undefined {
  if (decided?.type !== "closing" || containsOperation(decided, id)) return decided;
  let ancestor = chronicle.contents.get(decided.header.parentHash)?.value;
  while (ancestor?.type === "checkpoint" && !containsOperation(ancestor, id))
    ancestor = chronicle.contents.get(ancestor.header.parentHash)?.value;
  return ancestor?.type === "checkpoint" ? ancestor : decided;
}

/**
 * Returns true if the slot decided the receipt's operation, or a checkpoint or closing that lists it there (protocol
 * 6.3).
 */
function decidesIn(decided: Value | undefined, slot: SlotKey, { id, slot: claimed }: Receipt): boolean {
  if (decided?.type !== "checkpoint" && decided?.type !== "closing") return slot === claimed;
  return decided.listed.some((decision) => slotKey(decision.slot) === claimed && containsOperation(decision.value, id));
}

function containsOperation(value: Value, id: string): boolean {
  switch (value.type) {
    case "checkpoint":
    case "closing":
      return value.listed.some((decision) => containsOperation(decision.value, id));
    case "list":
      return value.ids.some((hash) => hash === id);
    default:
      return value.id === id;
  }
}

function finalValueText(chronicle: Chronicle, { value, round, epoch, signers }: FinalValue): string {
  const names = joinNames(chronicle.directory.namesAt(signers));
  return `${chronicle.valueName(value)} in round ${round}${epoch === 0 ? "" : ` of epoch ${epoch}`} by ${names}`;
}

interface FirstDecision {
  readonly node: NodeName;
  readonly value: Hash;
}

/**
 * Returns the oracle for validators with a protocol of their own: no two honest ones decide different operations in one
 * slot of an account. Compares each decision with the first one of its slot.
 */
export function appliedAgreement(): Oracle {
  return oracle("agreement", new Map<SlotKey, FirstDecision>(), {
    decided: (firsts, { node, honest, slot, value }, chronicle, report) => {
      if (!honest) return;
      const first = entryOf(firsts, slotKey(slot), () => ({ node, value }));
      if (first.node !== node) report.judged();
      if (first.value === value) return;
      const [appliedName, firstName] = [value, first.value].map(chronicle.valueName);
      report(`${node} applied ${appliedName} in ${slotName(slot)}, where ${first.node} had applied ${firstName}`);
    },
  });
}
