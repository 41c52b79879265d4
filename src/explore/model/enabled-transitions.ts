/** Enabled transitions for the statements of all runs so far, computed again after each new statement. */
import type { Epoch } from "../../core/base/ids.ts";
import { parseSlotKey, type Slot, slotKey } from "../../core/base/slot.ts";
import { ballotGroups } from "./ballot-groups.ts";
import type { ClosingCache } from "./closings.ts";
import { ballotsIn, type DecidableValue, type NetworkKnowledge } from "./network-knowledge.ts";
import type { StatementTable } from "./statements.ts";
import type { System } from "./system.ts";
import type { Transition } from "./transition.ts";
import { ballotTransitions, clientTransitions } from "./transitions-clients.ts";
import { honestProposals, roundTransitions, timerTransitions } from "./transitions-rounds.ts";
import { listValues, slotOf } from "./values.ts";

/**
 * Returns the network's knowledge of all statements so far, with everything that the Byzantine validator can sign or
 * (`isSilent`) without it. `fixed` are the values that are known from the start.
 */
export function knowledgeOf(
  system: System,
  statements: StatementTable,
  release: NetworkKnowledge["release"],
  fixed: readonly DecidableValue[],
  closings: ClosingCache,
  isSilent = false,
): NetworkKnowledge {
  const values = new Map<string, DecidableValue>();
  const changes = statements.all.filter(({ message }) => message.body.type === "roundChange");
  const knowledge: NetworkKnowledge = {
    system,
    isSilent,
    statements,
    release,
    values,
    ballots: ballotsIn(statements),
    changes,
    closings: [],
  };
  const note = (value: DecidableValue): void => {
    const key = `${value.slot} ${value.hash}`;
    if (!values.has(key)) values.set(key, value);
  };
  for (const value of [...fixed, ...listValues(knowledge)]) note(value);
  const known = { ...knowledge, closings: closings.closingsOf(knowledge) };
  for (const value of [...known.closings.map((closing) => closing.value), ...proposedValues(knowledge)]) note(value);
  return known;
}

/** Returns the values that honest proposers created, such as closings. */
function proposedValues({ system, statements }: NetworkKnowledge): readonly DecidableValue[] {
  const { hashes } = system.compiled.commons.shared;
  return statements.all.flatMap(({ number, slot, message }): readonly DecidableValue[] => {
    const [content] = message.contents;
    if (message.body.type !== "proposal" || content === undefined) return [];
    const hash = hashes.value(content.value);
    return [
      {
        slot,
        hash,
        guard: [[number]],
        content: () => content,
        carries: [],
        name: `${content.value.type} ${hash.slice(2, 8)}`,
      },
    ];
  });
}

/** Returns the transitions that this knowledge enables. */
export function enabledTransitions(knowledge: NetworkKnowledge): readonly Transition[] {
  const slotRounds = slotsOf(knowledge);
  const epochs = [...new Set(slotRounds.map(([epoch]) => epoch))];
  const slots = new Map(slotRounds.map(([, slot]) => [slotKey(slot), slot]));
  return [
    ...clientTransitions(knowledge, epochs),
    ...ballotTransitions(knowledge),
    ...knowledge.closings.map(({ inputs, value }) => ({
      label: `a quorum's closes for ${value.name}`,
      guard: value.guard,
      makeInputs: () => inputs,
    })),
    ...slotRounds.flatMap(([epoch, slot]) => [
      ...ballotGroups(knowledge, { kind: "vote", epoch, slot }),
      ...ballotGroups(knowledge, { kind: "commit", epoch, slot }),
      ...roundTransitions(knowledge, epoch, slot),
    ]),
    ...[...slots.values()].flatMap((slot) => timerTransitions(knowledge, slot)),
    ...honestProposals(knowledge),
  ];
}

/** Returns the slots of the scenario and of all statements. */
function slotsOf({ system, values, statements }: NetworkKnowledge): readonly (readonly [Epoch, Slot])[] {
  const slots = new Map<string, readonly [Epoch, Slot]>();
  const note = (epoch: Epoch, slot: Slot): void => {
    slots.set(`${epoch} ${slotKey(slot)}`, [epoch, slot]);
  };
  for (const { signed } of system.operations) note(0 as Epoch, slotOf(signed));
  for (const { slot } of values.values()) note(0 as Epoch, parseSlotKey(slot));
  for (const { message } of statements.all) note(message.body.epoch, message.body.slot);
  return [...slots.values()];
}
