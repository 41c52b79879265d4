/**
 * Oracle of protocol 7.11: contradicting signatures prove their key faulty, no honest key is provably faulty or
 * reported, and an agreement violation proves f + 1 keys faulty.
 */

import { falseClaim, hiddenInClose } from "../evidence/close-violations.ts";
import { faultyIn } from "../evidence/culprits.ts";
import { unjustifiedClosing } from "../evidence/justified-closing.ts";
import { type RuleViolation, ruleViolationIn, type ValueNames } from "../evidence/rule-violations.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle, SignatureRecord } from "../history/chronicle.ts";
import { valueLabel } from "../history/content.ts";
import { type CommitteeDirectory, committeeDirectory } from "../history/epochs.ts";
import type { FinalityConflict } from "../history/finality.ts";
import type { ObservedEvent, RunSetting } from "../observation.ts";
import { closingName, joinNames, shortId, slotKeyName } from "../text.ts";

interface Scene {
  readonly seen: Chronicle;
  readonly who: CommitteeDirectory;
  readonly report: ReportViolation;
  readonly name: ValueNames;
}

/** Checks every signature as evidence. A provably faulty honest key is a violation. */
export function accountability(setting: RunSetting): Oracle {
  const who = committeeDirectory(setting);
  return oracle("accountability", ["reported", "signed", "closed"], undefined, (state, seen, record, report) => {
    if (record.type === "reported" && record.honest) accused(setting, who, record, report);
    const name: ValueNames = (value) => valueLabel(seen.contents, value);
    const scene = { seen, who, report, name };
    for (const signing of seen.signatures) weighed(scene, signing);
    for (const one of seen.conflicts) broken(scene, one);
    return state;
  });
}

function accused(
  setting: RunSetting,
  who: CommitteeDirectory,
  record: Extract<ObservedEvent, { readonly type: "reported" }>,
  report: ReportViolation,
): void {
  const client = setting.correctClients.has(record.signer);
  if (!client && !who.isHonestKey(record.signer)) return;
  const whom = client
    ? `the correct client's account ${shortId(record.signer)}`
    : `honest ${who.nameOf(record.signer)}`;
  report(`${record.node} reports ${whom} for ${record.misbehaviour} in ${slotKeyName(record.slot)}`);
}

function weighed(scene: Scene, signing: SignatureRecord): void {
  const { who, report } = scene;
  const key = who.keyAt(signing.signer);
  if (!who.isHonestKey(key)) return;
  const violation = offenceOf(scene, signing);
  if (violation === undefined) return;
  report(
    `honest ${who.nameOf(key)} is provably faulty in ${slotKeyName(signing.statement.slot)}: ` +
      `it ${violation.words}`,
    { faulty: [key] },
  );
}

function offenceOf({ seen, name }: Scene, signing: SignatureRecord): RuleViolation | undefined {
  return (
    ruleViolationIn(signing, name) ??
    hiddenInClose(seen, signing, name) ??
    falseClaim(seen, signing, name) ??
    unjustifiedClosing(seen, signing, name)
  );
}

function broken({ seen, who, report, name }: Scene, one: FinalityConflict): void {
  const guilt = faultyIn(seen, one);
  if (guilt === undefined) return;
  const { culprits, committee } = guilt;
  const needed = committee.bounds.faults + 1;
  if (culprits.size >= needed) return;
  report(
    `agreement is violated in ${breakWords(one, name)}, but the signatures prove only ` +
      `${joinNames(who.namesAt([...culprits.keys()]))} faulty, expected at least ${needed}`,
  );
}

function breakWords(one: FinalityConflict, name: ValueNames): string {
  if (one.kind === "rivals") {
    const { first, second } = one;
    return `${slotKeyName(first.slot)} (${name(first.value)} and ${name(second.value)})`;
  }
  const { final, closing } = one;
  return `${slotKeyName(final.slot)} (${name(final.value)} and ${closingName(closing.epoch)})`;
}
