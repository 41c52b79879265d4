/**
 * Transitions that leave a round: round changes that pull, justify and start timers, and the proposals that they
 * justify (protocol 3.2).
 */
import type { Epoch, Round } from "../core/base/ids.ts";
import { type Slot, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { Content } from "../core/validator/slots/content.ts";
import { message } from "./alphabet-ballots.ts";
import { type Shown, shownReasons } from "./alphabet-clients.ts";
import type { Justification } from "./justification.ts";
import { justifications } from "./justification.ts";
import type { Timeless } from "./life.ts";
import { ALWAYS, allOf, type Need } from "./need.ts";
import { locksIn, type Top } from "./sayings.ts";
import { type Has, type KnownValue, type Stage, slotName, valueName } from "./stage.ts";
import type { Stimulus } from "./stimulus.ts";

/** Returns the transitions of one slot of an epoch in rounds 1 to the bound, with the proposals of its proposers. */
export function roundStimuli(
  stage: Stage,
  epoch: Epoch,
  slot: Slot,
  release: (name: string) => Need,
): readonly Stimulus[] {
  const { rounds } = stage.arena.bounds;
  const shown = [...shownReasons(stage, epoch, release), ...shownCloses(stage, epoch)].filter(
    (one) => one.slot === slotKey(slot),
  );
  const stimuli: Stimulus[] = [...firstProposals(stage, epoch, slot), ...timerStimuli(stage, slot)];
  for (let round = 1; round <= rounds; round++)
    stimuli.push(...inRound({ stage, epoch, slot, round: round as Round, shown }));
  return stimuli;
}

/** Returns the closes that a proposer of a closing needs in every round. */
function shownCloses({ closings }: Stage, epoch: Epoch): readonly Shown[] {
  return closings
    .filter((one) => one.epoch === epoch)
    .map(({ need, inputs, value }) => ({
      slot: value.slot,
      name: `a quorum's closes for ${value.name}`,
      need,
      reason: undefined,
      proof: inputs,
      wait: [],
    }));
}

interface Place {
  readonly stage: Stage;
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly shown: readonly Shown[];
}

function inRound(place: Place): readonly Stimulus[] {
  const { stage, epoch, slot, round, shown } = place;
  const { quorum, faulty } = stage.arena.committee;
  const whole = justifications(stage, epoch, slot, round, quorum);
  const few = justifications(stage, epoch, slot, round, faulty + 1);
  const stimuli: Stimulus[] = [];
  for (const one of few) stimuli.push(gathered(place, `${faulty + 1} round changes`, one, undefined, []));
  for (const one of whole) {
    stimuli.push(gathered(place, `${quorum} round changes`, one, undefined, []));
    for (const reason of shown)
      stimuli.push(gathered(place, `${reason.name}, then ${quorum} round changes`, one, reason, []));
    if (round < stage.arena.bounds.rounds) {
      const timer: Timeless = { type: "timer", name: `round ${slotKey(slot)} ${round}` };
      stimuli.push(
        gathered(place, `the timer of round ${round} after ${quorum} round changes`, one, undefined, [timer]),
      );
    }
  }
  if (stage.isSilent || proposer(stage, slot, round) !== stage.arena.liar.key) return stimuli;
  for (const one of whole) stimuli.push(...proposals(place, one, ""));
  if (faulty + 1 !== quorum)
    for (const one of few) stimuli.push(...proposals(place, one, ` on ${faulty + 1} round changes`));
  return stimuli;
}

function proposer({ arena }: Stage, slot: Slot, round: Round): string {
  return arena.compiled.commons.rules.consensus.proposerOf(arena.committee, slot, round);
}

function gathered(
  { stage, slot, round }: Place,
  what: string,
  { locks, need, build }: Justification,
  reason: Shown | undefined,
  after: readonly Timeless[],
): Stimulus {
  return {
    label: `${what} to ${round} ${locksName(stage, slotKey(slot), locks)} in ${slotName(stage, slotKey(slot))}`,
    need: allOf([need, reason?.need ?? ALWAYS]),
    build: (has) => [
      ...(reason?.proof ?? []),
      ...build(has).map((change, place) =>
        place === 0
          ? message(stage, change, contentsOf(stage, slotKey(slot), locks, has), reason?.reason)
          : message(stage, change, []),
      ),
      ...after,
    ],
  };
}

/**
 * Returns the contents of the locks, as far as they can be disclosed: a proposer requests the content of a forced
 * value.
 */
function contentsOf(stage: Stage, slot: SlotKey, locks: readonly Top[], has: Has): readonly Content[] {
  const hashes = [...new Set(locks.map(({ value }) => value))];
  return hashes.flatMap((hash) => {
    const known = stage.values.get(`${slot} ${hash}`);
    return known?.need.some((one) => one.every(has)) === true ? [known.content(has)] : [];
  });
}

/**
 * Returns proposals of the Byzantine validator: any value of the slot on any round changes, even if their locks force
 * another.
 */
function proposals(place: Place, one: Justification, remark: string): readonly Stimulus[] {
  const { stage, slot } = place;
  const key = slotKey(slot);
  const values = [...stage.values.values()].filter((value) => value.slot === key);
  return values.map((value) => ({
    label: `a proposal of ${value.name} for round ${place.round}${remark}, ${locksName(stage, key, one.locks)}, in ${slotName(stage, key)}`,
    need: allOf([one.need, value.need]),
    build: (has) => [proposed(place, value, one, has)],
  }));
}

function proposed(
  { stage, epoch, slot, round }: Place,
  { hash, content }: KnownValue,
  one: Justification,
  has: Has,
): Timeless {
  const justification = one.build(has);
  const body = stage.arena.liar.sign({ type: "proposal", epoch, slot, round, value: hash, justification });
  return message(stage, body, [content(has)]);
}

/** Returns the round 0 proposals of token slots and closings, which have a proposer in round 0 too. */
function firstProposals(stage: Stage, epoch: Epoch, slot: Slot): readonly Stimulus[] {
  const round = 0 as Round;
  if (stage.isSilent || slot.kind === "account" || proposer(stage, slot, round) !== stage.arena.liar.key) return [];
  const nothing: Justification = { locks: [], need: ALWAYS, build: () => [] };
  return proposals({ stage, epoch, slot, round, shown: [] }, nothing, "");
}

/** Returns the timers of a slot: once set, a timer can fire at any time. */
function timerStimuli(stage: Stage, slot: Slot): readonly Stimulus[] {
  const key = slotKey(slot);
  const timer = (name: string, label: string): Stimulus => ({
    label,
    need: ALWAYS,
    build: () => [{ type: "timer", name }],
  });
  const stimuli = [timer(`retry ${key}`, `the retry timer in ${slotName(stage, key)}`)];
  if (slot.kind === "token" && stage.arena.bounds.rounds > 0)
    stimuli.push(timer(`token ${key}`, `the timer of round 0 in ${slotName(stage, key)}`));
  if (slot.kind === "epoch" && stage.arena.bounds.rounds > 0)
    stimuli.push(timer(`closing ${key}`, `the timer of round 0 in ${slotName(stage, key)}`));
  return stimuli;
}

/** Returns the proposals that honest proposers signed, unchanged. */
export function honestProposals(stage: Stage): readonly Stimulus[] {
  return stage.sayings.all.flatMap(({ number, by, slot, message: said }): readonly Stimulus[] => {
    const { body } = said;
    if (body.type !== "proposal") return [];
    const name = stage.arena.honest[by]?.name ?? "";
    const what = valueName(stage, slot, body.value);
    const locks = locksName(stage, slot, locksIn(body.justification));
    return [
      {
        label: `${name}'s proposal of ${what} for round ${body.round}, ${locks}, in ${slotName(stage, slot)}`,
        need: [[number]],
        build: () => [{ type: "message", from: body.signer, message: said }],
      },
    ];
  });
}

function locksName(stage: Stage, slot: SlotKey, locks: readonly Top[]): string {
  const counts = new Map<string, number>();
  for (const { round, value } of locks) {
    const name = `on ${valueName(stage, slot, value)} of round ${round}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const words = [...counts].map(([name, count]) =>
    count === 1 ? `the lock ${name}` : `${count} times the lock ${name}`,
  );
  return words.length === 0 ? "without a lock" : `with ${words.join(" and ")}`;
}
