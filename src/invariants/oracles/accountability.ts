/**
 * Oracle of protocol 7.11: contradicting signatures prove their key faulty, no honest key is provably faulty or
 * reported, and an agreement violation proves f + 1 keys faulty.
 */

import { falseClaim, hiddenInClose } from "../evidence/close-offence.ts";
import { guiltOf } from "../evidence/culprits.ts";
import { unjustifiedClosing } from "../evidence/justified-closing.ts";
import { type Naming, type Offence, offenceIn } from "../evidence/offence.ts";
import { type Oracle, oracle, type Report } from "../fold.ts";
import type { Chronicle, Signing } from "../history/chronicle.ts";
import { nameIn } from "../history/content.ts";
import type { Break } from "../history/finality.ts";
import { type Roster, roster } from "../history/roster.ts";
import type { Observed, Setting } from "../observation.ts";
import { closingName, listed, short, slotKeyName } from "../words.ts";

interface Scene {
  readonly seen: Chronicle;
  readonly who: Roster;
  readonly report: Report;
  readonly name: Naming;
}

/** Checks every signature as evidence. A provably faulty honest key is a violation. */
export function accountability(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle("accountability", ["reported", "signed", "closed"], undefined, (state, seen, record, report) => {
    if (record.type === "reported" && record.honest) accused(setting, who, record, report);
    const name: Naming = (value) => nameIn(seen.contents, value);
    const scene = { seen, who, report, name };
    for (const signing of seen.signings) weighed(scene, signing);
    for (const one of seen.breaks) broken(scene, one);
    return state;
  });
}

function accused(
  setting: Setting,
  who: Roster,
  record: Extract<Observed, { readonly type: "reported" }>,
  report: Report,
): void {
  const client = setting.correctClients.has(record.blamed);
  if (!client && !who.isHonestKey(record.blamed)) return;
  const whom = client ? `the correct client's account ${short(record.blamed)}` : `honest ${who.nameOf(record.blamed)}`;
  report(`${record.node} reports ${whom} for ${record.misbehaviour} in ${slotKeyName(record.slot)}`);
}

function weighed(scene: Scene, signing: Signing): void {
  const { who, report } = scene;
  const key = who.keyAt(signing.signer);
  if (!who.isHonestKey(key)) return;
  const offence = offenceOf(scene, signing);
  if (offence === undefined) return;
  report(
    `honest ${who.nameOf(key)} is provably faulty in ${slotKeyName(signing.statement.slot)}: ` + `it ${offence.words}`,
    { blame: [key] },
  );
}

function offenceOf({ seen, name }: Scene, signing: Signing): Offence | undefined {
  return (
    offenceIn(signing, name) ??
    hiddenInClose(seen, signing, name) ??
    falseClaim(seen, signing, name) ??
    unjustifiedClosing(seen, signing, name)
  );
}

function broken({ seen, who, report, name }: Scene, one: Break): void {
  const guilt = guiltOf(seen, one);
  if (guilt === undefined) return;
  const { culprits, committee } = guilt;
  const needed = committee.bounds.faults + 1;
  if (culprits.size >= needed) return;
  report(
    `agreement is violated in ${breakWords(one, name)}, but the signatures prove only ` +
      `${listed(who.namesAt([...culprits.keys()]))} faulty, expected at least ${needed}`,
  );
}

function breakWords(one: Break, name: Naming): string {
  if (one.kind === "rivals") {
    const { first, second } = one;
    return `${slotKeyName(first.slot)} (${name(first.value)} and ${name(second.value)})`;
  }
  const { final, closing } = one;
  return `${slotKeyName(final.slot)} (${name(final.value)} and ${closingName(closing.epoch)})`;
}
