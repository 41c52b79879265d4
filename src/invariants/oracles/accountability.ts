/**
 * Oracle of protocol 7.11: contradicting signatures prove their key faulty, no honest key is provably faulty or
 * reported, and an agreement violation proves f + 1 keys faulty.
 */

import { falseClaim, lockHiddenInClose, unjustifiedClosing } from "../evidence/close-violations.ts";
import { faultySetOf } from "../evidence/culprits.ts";
import { ruleViolationIn } from "../evidence/rule-violations.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle, SignatureRecord } from "../history/chronicle.ts";
import type { FinalityConflict } from "../history/finality.ts";
import type { EventOf } from "../observation.ts";
import { closingName, joinNames, shortId, slotKeyName } from "../text.ts";

/** Checks every signature as evidence. A provably faulty honest key is a violation. */
export function accountability(): Oracle {
  return oracle("accountability", undefined, {
    reported: checkReport,
    signed: checkNewSignatures,
    closed: checkNewSignatures,
  });
}

function checkNewSignatures(_state: undefined, _record: unknown, chronicle: Chronicle, report: ReportViolation): void {
  for (const signing of chronicle.signatures) checkSignature(chronicle, signing, report);
  for (const conflict of chronicle.conflicts) checkCulprits(chronicle, conflict, report);
}

function checkReport(
  _state: undefined,
  record: EventOf<"reported">,
  { setting, directory }: Chronicle,
  report: ReportViolation,
): void {
  if (!record.honest) return;
  const client = setting.correctClients.has(record.signer);
  if (!client && !directory.isHonestKey(record.signer)) return;
  const reported = client
    ? `the correct client's account ${shortId(record.signer)}`
    : `honest ${directory.nameOf(record.signer)}`;
  report(`${record.node} reports ${reported} for ${record.misbehaviour} in ${slotKeyName(record.slot)}`);
}

function checkSignature(chronicle: Chronicle, signing: SignatureRecord, report: ReportViolation): void {
  const { directory } = chronicle;
  const key = directory.keyAt(signing.signer);
  if (!directory.isHonestKey(key)) return;
  report.judged();
  const violation =
    ruleViolationIn(signing, chronicle.valueName) ??
    lockHiddenInClose(chronicle, signing) ??
    falseClaim(chronicle, signing) ??
    unjustifiedClosing(chronicle, signing);
  if (violation === undefined) return;
  report(
    `honest ${directory.nameOf(key)} is provably faulty in ${slotKeyName(signing.statement.slot)}: ` +
      `it ${violation}`,
    { faulty: [key] },
  );
}

function checkCulprits(chronicle: Chronicle, conflict: FinalityConflict, report: ReportViolation): void {
  const { directory, valueName: name } = chronicle;
  const faulty = faultySetOf(chronicle, conflict);
  if (faulty === undefined) return;
  const { culprits, committee } = faulty;
  const needed = committee.bounds.faults + 1;
  if (culprits.size >= needed) return;
  report(
    `agreement is violated in ${conflictText(conflict, name)}, but the signatures prove only ` +
      `${joinNames(directory.namesAt([...culprits]))} faulty, expected at least ${needed}`,
  );
}

function conflictText(conflict: FinalityConflict, name: Chronicle["valueName"]): string {
  if (conflict.kind === "rivals") {
    const { first, second } = conflict;
    return `${slotKeyName(first.slot)} (${name(first.value)} and ${name(second.value)})`;
  }
  const { final, closing } = conflict;
  return `${slotKeyName(final.slot)} (${name(final.value)} and ${closingName(closing.epoch)})`;
}
