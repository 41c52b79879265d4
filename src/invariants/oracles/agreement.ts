/**
 * Oracle of protocol 7.1: no slot has two values with a quorum of commits among all signatures ever made, across rounds
 * and epochs; the closing of an epoch contradicts no value that is final there; and no decision contradicts what an
 * honest validator has applied.
 */
import type { Address } from "../../core/base/ids.ts";
import type { Receipt } from "../../core/base/receipt.ts";
import { type SlotKey, slotKey, type Value } from "../../core/base/slot.ts";
import { guiltOf } from "../evidence/culprits.ts";
import { type Oracle, oracle, type Report } from "../fold.ts";
import { bookOf, type Chronicle, committeeOf, contentOf, quorumBehind, type Signing } from "../history/chronicle.ts";
import { nameIn } from "../history/content.ts";
import type { Break, Final, Settled } from "../history/finality.ts";
import { type Roster, roster } from "../history/roster.ts";
import { signersOf } from "../history/slot-book.ts";
import type { Observed, Setting } from "../observation.ts";
import { closingName, counted, listed, ofEpoch, short, slotKeyName, valueName } from "../words.ts";

interface Scene {
  readonly seen: Chronicle;
  readonly who: Roster;
  readonly report: Report;
}

/** Checks certificates that could be assembled, that nodes accepted and that clients verified. */
export function agreement(setting: Setting): Oracle {
  const who = roster(setting);
  const heeds = ["signed", "closed", "decided", "halted", "answered"] as const;
  return oracle("agreement", heeds, undefined, (state, seen, record, report) => {
    const scene = { seen, who, report };
    for (const signing of seen.signings) assembled(scene, signing);
    for (const one of seen.breaks) broken(scene, one);
    if (record.type === "decided" && record.honest) accepted(scene, record);
    if (record.type === "halted" && record.honest)
      report(
        `${record.node} halted at ${slotKeyName(record.slot)}, whose decision contradicts its ledger: ${record.reason}`,
      );
    if (record.type === "answered" && record.answer.status === "final") believed(scene, record);
    return state;
  });
}

function assembled(scene: Scene, signing: Signing): void {
  const { who } = scene;
  if (signing.statement.kind === "commit" && who.isHonestKey(who.keyAt(signing.signer))) warranted(scene, signing);
  if (signing.completed === "lock") onlyLock(scene, signing);
}

function broken(scene: Scene, one: Break): void {
  const { seen, who, report } = scene;
  const culprits = guiltOf(seen, one)?.culprits.keys() ?? [];
  report(breakWords(scene, one), { blame: keys(who, [...culprits]) });
}

function breakWords(scene: Scene, one: Break): string {
  if (one.kind === "rivals") {
    const { first, second } = one;
    const quorum = committeeOf(scene.seen, second.epoch)?.bounds.quorum;
    const what = `${slotKeyName(first.slot)} has two values with ${quorum} commits`;
    return `${what}: ${said(scene, first)} and ${said(scene, second)}`;
  }
  const { final, closing } = one;
  const start = `${said(scene, final)} is final in ${slotKeyName(final.slot)}`;
  if (one.kind === "left out") return `${start}, and ${closingName(closing.epoch)} neither lists nor follows it`;
  return `${start}, and ${closingName(closing.epoch)} decides ${settledWords(scene, one.settled)} there`;
}

function settledWords({ seen }: Scene, { decides }: Settled): string {
  return "link" in decides ? nameIn(seen.contents, decides.link) : valueName(decides.value);
}

/** Protocol 3.1, 3: an honest validator commits only with a lock certificate. */
function warranted({ who, seen, report }: Scene, { signer, statement, committee, book }: Signing): void {
  if (statement.kind !== "commit") return;
  const { quorum } = committee.bounds;
  const voters = signersOf(book, "votes", statement.round, statement.value);
  if (voters.length >= quorum) return;
  report(
    `${listed(who.namesAt([signer]))} committed to ${nameIn(seen.contents, statement.value)} in round ${statement.round} of ` +
      `${slotKeyName(statement.slot)} without a lock certificate: ${voters.length} of ${quorum} votes exist ` +
      `(${listed(who.namesAt(voters))})`,
  );
}

/** Protocol 3.1, 2: at most one lock certificate per slot and round. */
function onlyLock({ who, seen, report }: Scene, { statement, committee, book }: Signing): void {
  if (statement.kind !== "vote") return;
  const { round, value, slot } = statement;
  const votes = book.rounds.find((one) => one.round === round)?.votes ?? [];
  const rival = votes.find((one) => one.value !== value && one.signers.length >= committee.bounds.quorum);
  if (rival === undefined) return;
  const here = signersOf(book, "votes", round, value);
  const twice = here.filter((one) => rival.signers.includes(one));
  report(
    `round ${round} of ${slotKeyName(slot)} has two lock certificates: ${nameIn(seen.contents, rival.value)} by ` +
      `${listed(who.namesAt(rival.signers))}, ${nameIn(seen.contents, value)} by ${listed(who.namesAt(here))}`,
    { blame: keys(who, twice) },
  );
}

/** A certificate counts distinct members of its epoch's committee that signed this (epoch, slot, round, value). */
function accepted({ seen, who, report }: Scene, record: Extract<Observed, { readonly type: "decided" }>): void {
  const key = slotKey(record.slot);
  const { epoch } = record;
  const start =
    `${record.node} accepted an invalid certificate for ${nameIn(seen.contents, record.value)} in round ${record.round} of ` +
    `${slotKeyName(key)}${epoch === 0 ? "" : ` in epoch ${epoch}`}`;
  const committee = committeeOf(seen, epoch);
  if (committee === undefined) {
    report(`${start}: no honest validator has opened that epoch`);
    return;
  }
  const book = bookOf(seen, key, epoch);
  const real = signersOf(book, "commits", record.round, record.value);
  const distinct = new Set(record.signers);
  const faults: string[] = [];
  const good: number[] = [];
  for (const signer of distinct) {
    const place = who.placeOf(signer);
    if (place === undefined || !committee.isMember(place)) faults.push(`${who.nameOf(signer)} is not a member`);
    else if (!real.includes(place)) faults.push(`${who.nameOf(signer)} has no such commit`);
    else good.push(place);
  }
  if (distinct.size < record.signers.length) faults.push("repeated signer");
  const { quorum } = committee.bounds;
  if (good.length < quorum) {
    faults.push(`${good.length} of ${quorum} commits are genuine (${listed(who.namesAt(good))})`);
  }
  if (faults.length > 0) report(`${start}: ${faults.join("; ")}`);
}

/** A client accepts as final only a value with a quorum of commits that contains its operation. */
function believed({ seen, report }: Scene, record: Extract<Observed, { readonly type: "answered" }>): void {
  const { id, client, from, quorum, slot, value, answer } = record;
  if (answer.status !== "final") return;
  const start = `client ${client} accepted ${short(id)} as final from ${from}`;
  const needed = quorumBehind(seen, slot, value);
  if (quorum < needed) {
    report(`${start} with ${counted(quorum, "commit")} verified, expected ${needed}`);
    return;
  }
  if (slot === undefined || value === undefined) {
    report(`${start} without the decided value and slot`);
    return;
  }
  if (!(seen.finality.finals.get(slot) ?? []).some((one) => one.value === value)) {
    report(`${start}, but ${nameIn(seen.contents, value)} has no quorum of commits in ${slotKeyName(slot)}`);
    return;
  }
  const decided = shown(seen, contentOf(seen, value)?.value, id);
  if (decided !== undefined && !carries(decided, id)) {
    report(`${start}, but ${slotKeyName(slot)} decided ${valueName(decided)}`);
  } else if (answer.receipt.id !== id || !decidesIn(decided, slot, answer.receipt)) {
    report(`${start}, but the receipt is for ${short(answer.receipt.id)} in ${slotKeyName(answer.receipt.slot)}`);
  }
}

/**
 * A closing finalizes the checkpoints below it; returns the one that contains the operation if the closing does not.
 */
function shown(seen: Chronicle, decided: Value | undefined, id: string): Value | undefined {
  if (decided?.type !== "closing" || carries(decided, id)) return decided;
  let below = contentOf(seen, decided.header.parentHash)?.value;
  while (below?.type === "checkpoint" && !carries(below, id)) below = contentOf(seen, below.header.parentHash)?.value;
  return below?.type === "checkpoint" ? below : decided;
}

/**
 * Returns true if the slot decided the receipt's operation, or a checkpoint or closing that lists it there (protocol
 * 6.3).
 */
function decidesIn(decided: Value | undefined, slot: SlotKey, { id, slot: claimed }: Receipt): boolean {
  if (decided?.type !== "checkpoint" && decided?.type !== "closing") return slot === claimed;
  return decided.listed.some((one) => slotKey(one.slot) === claimed && carries(one.value, id));
}

function carries(value: Value, id: string): boolean {
  switch (value.type) {
    case "checkpoint":
    case "closing":
      return value.listed.some((one) => carries(one.value, id));
    case "list":
      return value.ids.some((one) => one === id);
    default:
      return value.id === id;
  }
}

function said({ seen, who }: Scene, { value, round, epoch, signers }: Final): string {
  return `${nameIn(seen.contents, value)} in round ${round}${ofEpoch(epoch)} by ${listed(who.namesAt(signers))}`;
}

function keys(who: Roster, places: readonly number[]): readonly Address[] {
  return places.map((place) => who.keyAt(place));
}
