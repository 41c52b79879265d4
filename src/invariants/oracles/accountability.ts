/**
 * Oracle of protocol 7.11: contradicting signatures prove their key faulty, no honest key is provably faulty or
 * reported, and an agreement violation proves f + 1 keys faulty.
 */

import { falseClaim, lockHiddenInClose } from "../evidence/close-violations.ts";
import { faultySetOf } from "../evidence/culprits.ts";
import { unjustifiedClosing } from "../evidence/justified-closing.ts";
import { type RuleViolation, ruleViolationIn, type ValueNames } from "../evidence/rule-violations.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle, SignatureRecord } from "../history/chronicle.ts";
import { valueLabel } from "../history/content.ts";
import { type CommitteeDirectory, committeeDirectory } from "../history/epochs.ts";
import type { FinalityConflict } from "../history/finality.ts";
import type { ObservedEvent, RunSetting } from "../observation.ts";
import { closingName, joinNames, shortId, slotKeyName } from "../text.ts";

interface AccountabilityContext {
  readonly seen: Chronicle;
  readonly directory: CommitteeDirectory;
  readonly report: ReportViolation;
  readonly name: ValueNames;
}

/** Checks every signature as evidence. A provably faulty honest key is a violation. */
export function accountability(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  return oracle("accountability", ["reported", "signed", "closed"], undefined, (state, seen, record, report) => {
    if (record.type === "reported" && record.honest) checkReport(setting, directory, record, report);
    const name: ValueNames = (value) => valueLabel(seen.contents, value);
    const context = { seen, directory, report, name };
    for (const signing of seen.signatures) checkSignature(context, signing);
    for (const conflict of seen.conflicts) checkCulprits(context, conflict);
    return state;
  });
}

function checkReport(
  setting: RunSetting,
  directory: CommitteeDirectory,
  record: Extract<ObservedEvent, { readonly type: "reported" }>,
  report: ReportViolation,
): void {
  const client = setting.correctClients.has(record.signer);
  if (!client && !directory.isHonestKey(record.signer)) return;
  const reported = client
    ? `the correct client's account ${shortId(record.signer)}`
    : `honest ${directory.nameOf(record.signer)}`;
  report(`${record.node} reports ${reported} for ${record.misbehaviour} in ${slotKeyName(record.slot)}`);
}

function checkSignature(context: AccountabilityContext, signing: SignatureRecord): void {
  const { directory, report } = context;
  const key = directory.keyAt(signing.signer);
  if (!directory.isHonestKey(key)) return;
  report.judged();
  const violation = violationOf(context, signing);
  if (violation === undefined) return;
  report(
    `honest ${directory.nameOf(key)} is provably faulty in ${slotKeyName(signing.statement.slot)}: ` +
      `it ${violation.words}`,
    { faulty: [key] },
  );
}

function violationOf({ seen, name }: AccountabilityContext, signing: SignatureRecord): RuleViolation | undefined {
  return (
    ruleViolationIn(signing, name) ??
    lockHiddenInClose(seen, signing, name) ??
    falseClaim(seen, signing, name) ??
    unjustifiedClosing(seen, signing, name)
  );
}

function checkCulprits({ seen, directory, report, name }: AccountabilityContext, conflict: FinalityConflict): void {
  const faulty = faultySetOf(seen, conflict);
  if (faulty === undefined) return;
  const { culprits, committee } = faulty;
  const needed = committee.bounds.faults + 1;
  if (culprits.size >= needed) return;
  report(
    `agreement is violated in ${breakWords(conflict, name)}, but the signatures prove only ` +
      `${joinNames(directory.namesAt([...culprits.keys()]))} faulty, expected at least ${needed}`,
  );
}

function breakWords(conflict: FinalityConflict, name: ValueNames): string {
  if (conflict.kind === "rivals") {
    const { first, second } = conflict;
    return `${slotKeyName(first.slot)} (${name(first.value)} and ${name(second.value)})`;
  }
  const { final, closing } = conflict;
  return `${slotKeyName(final.slot)} (${name(final.value)} and ${closingName(closing.epoch)})`;
}
