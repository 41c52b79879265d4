/** Enabled transitions for the statements of all runs so far, computed again after each new statement. */
import type { Epoch } from "../core/base/ids.ts";
import { parseSlotKey, type Slot, slotKey } from "../core/base/slot.ts";
import { ballotStimuli } from "./alphabet-ballots.ts";
import { clientStimuli } from "./alphabet-clients.ts";
import { honestProposals, roundStimuli } from "./alphabet-rounds.ts";
import type { Arena } from "./arena.ts";
import type { Closings } from "./closings.ts";
import type { Need } from "./need.ts";
import type { Sayings } from "./sayings.ts";
import { ballotsIn, type KnownValue, type Stage } from "./stage.ts";
import type { Stimulus } from "./stimulus.ts";
import { listValues, slotOf } from "./values.ts";

/**
 * Returns the network's knowledge of all statements so far, with everything that the Byzantine validator can sign or
 * (`isSilent`) without it. `fixed` are the values that are known from the start.
 */
export function stageOf(
  arena: Arena,
  sayings: Sayings,
  fixed: readonly KnownValue[],
  closings: Closings,
  isSilent = false,
): Stage {
  const values = new Map<string, KnownValue>();
  const changes = sayings.all.filter(({ message }) => message.body.type === "roundChange");
  const stage: Stage = { arena, isSilent, sayings, values, ballots: ballotsIn(sayings), changes, closings: [] };
  const note = (value: KnownValue): void => {
    const key = `${value.slot} ${value.hash}`;
    if (!values.has(key)) values.set(key, value);
  };
  for (const value of [...fixed, ...listValues(stage)]) note(value);
  const made = closings.of(stage);
  for (const { value } of made) note(value);
  for (const value of proposedValues(stage)) note(value);
  return { ...stage, closings: made };
}

/** Returns the values that honest proposers created, such as closings. */
function proposedValues({ arena, sayings }: Stage): readonly KnownValue[] {
  const { hashes } = arena.compiled.commons.shared;
  return sayings.all.flatMap(({ number, slot, message }): readonly KnownValue[] => {
    const [content] = message.contents;
    if (message.body.type !== "proposal" || content === undefined) return [];
    const hash = hashes.value(content.value);
    return [
      {
        slot,
        hash,
        need: [[number]],
        content: () => content,
        carries: [],
        name: `${content.value.type} ${hash.slice(2, 8)}`,
      },
    ];
  });
}

/** Returns the transitions that this knowledge enables. */
export function stimuliOf(stage: Stage, release: (name: string) => Need): readonly Stimulus[] {
  const places = slotsOf(stage);
  const epochs = [...new Set(places.map(([epoch]) => epoch))];
  return [
    ...clientStimuli(stage, epochs, release),
    ...ballotStimuli(stage),
    ...stage.closings.map(({ need, inputs, value }) => ({
      label: `a quorum's closes for ${value.name}`,
      need,
      build: () => inputs,
    })),
    ...places.flatMap(([epoch, slot]) => roundStimuli(stage, epoch, slot, release)),
    ...honestProposals(stage),
  ];
}

/** Returns the slots of the scenario and of all statements. */
function slotsOf({ arena, values, sayings }: Stage): readonly (readonly [Epoch, Slot])[] {
  const found = new Map<string, readonly [Epoch, Slot]>();
  const note = (epoch: Epoch, slot: Slot): void => {
    found.set(`${epoch} ${slotKey(slot)}`, [epoch, slot]);
  };
  for (const { signed } of arena.operations) note(0 as Epoch, slotOf(signed));
  for (const { slot } of values.values()) note(0 as Epoch, parseSlotKey(slot));
  for (const { message } of sayings.all) note(message.body.epoch, message.body.slot);
  return [...found.values()];
}
