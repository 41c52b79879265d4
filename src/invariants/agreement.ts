/** Design 7.1: no slot has two values for which a quorum of commits exists among all signatures ever made. */
import type { Address, Hash, Round } from "../core/base/ids.ts";
import type { Receipt } from "../core/base/receipt.ts";
import { type SlotKey, slotKey, type Value } from "../core/base/slot.ts";
import { UndoMap } from "../core/base/undo-map.ts";
import { bookOf, type Chronicle, contentOf, type Signing } from "./chronicle.ts";
import { type Oracle, oracle, type Report } from "./fold.ts";
import type { Observed, Setting } from "./observation.ts";
import { culprits } from "./offence.ts";
import { type Roster, roster } from "./roster.ts";
import { signersOf } from "./slot-book.ts";
import { counted, listed, short, slotKeyName, valueName } from "./words.ts";

/** A value for which q commits of one round exist, and who made them. */
interface Final {
  readonly value: Hash;
  readonly round: Round;
  readonly signers: readonly number[];
}

/** Values that could be final, by slot, whatever the epoch. More than one is the violation. */
type State = UndoMap<readonly Final[]>;

interface Scene {
  readonly state: State;
  readonly seen: Chronicle;
  readonly who: Roster;
  readonly report: Report;
}

/** Judges certificates that could be assembled, those that nodes accepted, and those that clients believed. */
export function agreement(setting: Setting): Oracle {
  const who = roster(setting);
  return oracle(
    "agreement",
    ["signed", "decided", "answered"],
    UndoMap.empty<readonly Final[]>(),
    (state, seen, record, report) => {
      const scene = { state, seen, who, report };
      if (record.type === "signed" && seen.signing !== undefined) return assembled(scene, seen.signing);
      if (record.type === "decided" && record.honest) accepted(scene, record);
      if (record.type === "answered" && record.answer.status === "final") believed(scene, record);
      return state;
    },
  );
}

function assembled(scene: Scene, signing: Signing): State {
  const { state, report, who } = scene;
  const { statement } = signing;
  if (statement.kind !== "vote" && statement.kind !== "commit") return state;
  if (statement.kind === "commit" && who.isHonestKey(who.members[signing.signer] as Address)) warranted(scene, signing);
  if (signing.completed === "lock") onlyLock(scene, signing);
  if (signing.completed !== "final") return state;
  const { slot, round, value } = statement;
  const made: Final = { value, round, signers: signersOf(signing.book, "commits", round, value) };
  const earlier = state.get(slot) ?? [];
  const rival = earlier.find((one) => one.value !== value);
  if (rival !== undefined) {
    const guilty = culprits(signing.book, who.bounds.quorum, (hash) => named(scene.seen, hash));
    report(
      `${slotKeyName(slot)} has two values with ${who.bounds.quorum} commits: ${said(scene, rival)} and ` +
        `${said(scene, made)}`,
      { blame: keys(who, [...guilty.keys()]) },
    );
  }
  return state.set(slot, [...earlier, made]);
}

/** Design 3.1, 3: an honest validator commits on a lock certificate only. */
function warranted({ who, seen, report }: Scene, { signer, statement, book }: Signing): void {
  if (statement.kind !== "commit") return;
  const voters = signersOf(book, "votes", statement.round, statement.value);
  if (voters.length >= who.bounds.quorum) return;
  report(
    `${listed(who.namesAt([signer]))} committed to ${named(seen, statement.value)} in round ${statement.round} of ` +
      `${slotKeyName(statement.slot)} on no lock certificate: ${voters.length} of ${who.bounds.quorum} votes exist ` +
      `(${listed(who.namesAt(voters))})`,
  );
}

/** Design 3.1, 2: at most one lock certificate per slot and round. */
function onlyLock({ who, seen, report }: Scene, { statement, book }: Signing): void {
  if (statement.kind !== "vote") return;
  const { round, value, slot } = statement;
  const votes = book.rounds.find((one) => one.round === round)?.votes ?? [];
  const rival = votes.find((one) => one.value !== value && one.signers.length >= who.bounds.quorum);
  if (rival === undefined) return;
  const here = signersOf(book, "votes", round, value);
  const twice = here.filter((one) => rival.signers.includes(one));
  report(
    `round ${round} of ${slotKeyName(slot)} has two lock certificates: ${named(seen, rival.value)} by ` +
      `${listed(who.namesAt(rival.signers))}, ${named(seen, value)} by ${listed(who.namesAt(here))}`,
    { blame: keys(who, twice) },
  );
}

/** A certificate counts distinct members that really signed this (epoch, slot, round, value). */
function accepted({ seen, who, report }: Scene, record: Extract<Observed, { readonly type: "decided" }>): void {
  const key = slotKey(record.slot);
  const book = bookOf(seen, key, record.epoch);
  const real = signersOf(book, "commits", record.round, record.value);
  const distinct = new Set(record.signers);
  const faults: string[] = [];
  const good: number[] = [];
  for (const signer of distinct) {
    const place = who.indexOf(signer);
    if (place === undefined) faults.push(`${who.nameOf(signer)} is no member`);
    else if (!real.includes(place)) faults.push(`${who.nameOf(signer)} never made that commit`);
    else good.push(place);
  }
  if (distinct.size < record.signers.length) faults.push("a signer stands in it twice");
  if (good.length < who.bounds.quorum) {
    faults.push(`${good.length} of ${who.bounds.quorum} commits stand behind it (${listed(who.namesAt(good))})`);
  }
  if (faults.length === 0) return;
  report(
    `${record.node} accepted a false certificate for ${named(seen, record.value)} in round ${record.round} of ` +
      `${slotKeyName(key)}: ${faults.join("; ")}`,
  );
}

/** A client calls final only what a quorum committed, and that value must carry its operation. */
function believed({ state, seen, who, report }: Scene, record: Extract<Observed, { readonly type: "answered" }>): void {
  const { id, client, from, quorum, slot, value, answer } = record;
  if (answer.status !== "final") return;
  const start = `client ${client} took ${short(id)} for final on the word of ${from}`;
  if (quorum < who.bounds.quorum) {
    report(`${start} with ${counted(quorum, "commit")} checked, where ${who.bounds.quorum} are needed`);
    return;
  }
  if (slot === undefined || value === undefined) {
    report(`${start} without knowing which value was decided in which slot`);
    return;
  }
  if (!(state.get(slot) ?? []).some((one) => one.value === value)) {
    report(`${start}, but no quorum ever committed to ${named(seen, value)} in ${slotKeyName(slot)}`);
    return;
  }
  const decided = contentOf(seen, value)?.value;
  if (decided !== undefined && !carries(decided, id)) {
    report(`${start}, but ${slotKeyName(slot)} decided ${valueName(decided)}`);
  } else if (answer.receipt.id !== id || !decidesIn(decided, slot, answer.receipt)) {
    report(`${start}, but the receipt is of ${short(answer.receipt.id)} in ${slotKeyName(answer.receipt.slot)}`);
  }
}

/** Whether the slot decided this receipt's, or a checkpoint that lists it there (design 6). */
function decidesIn(decided: Value | undefined, slot: SlotKey, { id, slot: claimed }: Receipt): boolean {
  if (decided?.type !== "checkpoint") return slot === claimed;
  return decided.listed.some((one) => slotKey(one.slot) === claimed && carries(one.value, id));
}

function carries(value: Value, id: string): boolean {
  if (value.type === "checkpoint") return value.listed.some((listed) => carries(listed.value, id));
  return value.type === "list" ? value.ids.some((one) => one === id) : value.id === id;
}

function said({ seen, who }: Scene, final: Final): string {
  return `${named(seen, final.value)} in round ${final.round} by ${listed(who.namesAt(final.signers))}`;
}

function named(seen: Chronicle, value: Hash): string {
  const content = contentOf(seen, value);
  return content === undefined ? `value ${short(value)}` : valueName(content.value);
}

function keys(who: Roster, places: readonly number[]): readonly Address[] {
  return places.map((place) => who.members[place] as Address);
}
