/** Design 7.11: contradicting signatures name their key, nobody honest is named, broken agreement names f + 1. */
import type { Address, Epoch, Hash } from "../core/base/ids.ts";
import { UndoMap } from "../core/base/undo-map.ts";
import { type Chronicle, contentOf, type Signing } from "./chronicle.ts";
import { type Oracle, oracle, type Report } from "./fold.ts";
import type { Observed, Setting } from "./observation.ts";
import { culprits, type Naming, offenceIn } from "./offence.ts";
import { type Roster, roster } from "./roster.ts";
import { listed, short, slotKeyName, valueName } from "./words.ts";

/** The first value of a slot that could be final. */
interface First {
  readonly value: Hash;
  readonly epoch: Epoch;
}

type State = UndoMap<First>;

interface Scene {
  readonly seen: Chronicle;
  readonly who: Roster;
  readonly report: Report;
  readonly name: Naming;
}

/** Weighs every signature as evidence. A named Byzantine key is as it should be; a named honest one is a violation. */
export function accountability(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle("accountability", ["reported", "signed"], UndoMap.empty<First>(), (state, seen, record, report) => {
    if (record.type === "reported" && record.honest) accused(setting, who, record, report);
    if (seen.signing === undefined) return state;
    const name: Naming = (value) => {
      const content = contentOf(seen, value);
      return content === undefined ? `value ${short(value)}` : valueName(content.value);
    };
    const scene = { seen, who, report, name };
    weighed(scene, seen.signing);
    return seen.signing.completed === "final" ? broken(scene, state, seen.signing) : state;
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
  const whom = client
    ? `the correct client's account ${short(record.blamed)}`
    : `${who.nameOf(record.blamed)}, who is honest`;
  report(`${record.node} accuses ${whom}, of ${record.misbehaviour} in ${slotKeyName(record.slot)}`);
}

function weighed({ who, report, name }: Scene, signing: Signing): void {
  const key = who.members[signing.signer] as Address;
  if (!who.isHonestKey(key)) return;
  const offence = offenceIn(signing, who.bounds.quorum, name);
  if (offence === undefined) return;
  report(
    `the signatures of ${who.nameOf(key)}, who is honest, name it in ${slotKeyName(signing.statement.slot)}: ` +
      `it ${offence.words}`,
    { blame: [key] },
  );
}

function broken({ who, report, name }: Scene, state: State, { statement, book }: Signing): State {
  if (statement.kind !== "commit") return state;
  const { slot, value, epoch } = statement;
  const first = state.get(slot);
  if (first === undefined) return state.set(slot, { value, epoch });
  if (first.value === value || first.epoch !== epoch) return state;
  const named = culprits(book, who.bounds.quorum, name);
  const needed = who.bounds.faults + 1;
  if (named.size < needed) {
    report(
      `agreement broke in ${slotKeyName(slot)} (${name(first.value)} and ${name(value)}), but the signatures name ` +
        `only ${listed(who.namesAt([...named.keys()]))}, where at least ${needed} must be at fault`,
    );
  }
  return state;
}
