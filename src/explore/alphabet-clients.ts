/** Transitions of clients and the operator: enabled at any validator, at any time, any number of times. */

import type { Epoch, Round } from "../core/base/ids.ts";
import { parseSlotKey, slotKey } from "../core/base/slot.ts";
import type { SlotReason } from "../core/validator/message.ts";
import { message } from "./alphabet-ballots.ts";
import type { Timeless } from "./life.ts";
import { ALWAYS, type Need } from "./need.ts";
import { liarsChange, type Stage, slotName } from "./stage.ts";
import type { Stimulus } from "./stimulus.ts";
import { slotOf } from "./values.ts";

/** Returns submissions, offers, the round change reasons that operations form together, and operator proposals. */
export function clientStimuli(
  stage: Stage,
  epochs: readonly Epoch[],
  release: (name: string) => Need,
): readonly Stimulus[] {
  const { arena } = stage;
  const handedIn = [
    ...arena.operations.map(({ name, signed }) => submitted(name, signed, release(name))),
    ...arena.recoveries.map(({ name, recovery }) => submitted(name, recovery, ALWAYS)),
  ];
  const offered = arena.operations.flatMap(({ name, signed }): readonly Stimulus[] => {
    if (signed.operation.kind === "cancellation") return [];
    const content = {
      value: arena.compiled.commons.hashes.operationValue(signed),
      operations: [signed],
      certificates: [],
    };
    const message = { type: "offer", slot: slotOf(signed), content } as const;
    return [
      {
        label: `an offer of ${name}`,
        need: release(name),
        build: () => [{ type: "message", from: arena.liar.key, message }],
      },
    ];
  });
  const governed = arena.proposals.flatMap((signed, place): readonly Stimulus[] =>
    signed === undefined
      ? []
      : [
          {
            label: `the operator's proposal in step ${place + 1}`,
            need: ALWAYS,
            build: () => [{ type: "govern", signed }],
          },
        ],
  );
  return [
    ...handedIn,
    ...offered,
    ...governed,
    ...(arena.bounds.rounds > 0 ? epochs.flatMap((epoch) => reasonStimuli(stage, epoch, release)) : []),
  ];
}

function submitted(
  name: string,
  submission: Extract<Timeless, { type: "submit" }>["submission"],
  need: Need,
): Stimulus {
  return { label: `${name} from its client`, need, build: () => [{ type: "submit", client: "client", submission }] };
}

/**
 * Transitions by which an account slot may leave round 0 (protocol 3.2): a cancellation with its operation, or an
 * equivocation proof with its timer expired.
 */
function reasonStimuli(stage: Stage, epoch: Epoch, release: (name: string) => Need): readonly Stimulus[] {
  return shownReasons(stage, epoch, release).map(({ name, need, slot, reason, proof, wait }) => {
    // One round change of the Byzantine validator moves no one, but validators accept the reason that it carries.
    const body = liarsChange(stage, epoch, parseSlotKey(slot), 1 as Round, undefined);
    const shown = reason === undefined ? proof : [message(stage, body, [], reason)];
    return { label: name, need, build: () => [...shown, ...wait] };
  });
}

/** Reason that can be disclosed, and the timer after which it is valid. */
export interface Shown {
  readonly slot: string;
  readonly name: string;
  readonly need: Need;
  /** Reason attached to a round change, which does not sign it. */
  readonly reason: SlotReason | undefined;
  /** Inputs that deliver the reason on their own. */
  readonly proof: readonly Timeless[];
  readonly wait: readonly Timeless[];
}

/** Returns all reasons that the scenario's operations form, delivered by the Byzantine validator. */
export function shownReasons(stage: Stage, epoch: Epoch, release: (name: string) => Need): readonly Shown[] {
  const { arena } = stage;
  const from = arena.liar.key;
  const later = epoch === 0 ? "" : ` in epoch ${epoch}`;
  const cancellations = arena.operations.filter(({ signed }) => signed.operation.kind === "cancellation");
  const bySkip = cancellations.flatMap(({ name, signed: cancellation }) => {
    const slot = slotOf(cancellation);
    return arena.operations
      .filter(({ signed }) => signed.operation.kind !== "cancellation" && slotKey(slotOf(signed)) === slotKey(slot))
      .map(({ name: other, signed: displaced }): Shown => {
        const reason: SlotReason = { kind: "cancellation", cancellation, displaced, votes: [] };
        const shown = `${name} disclosed with ${other}${later}`;
        return { slot: slotKey(slot), name: shown, need: release(other), reason, proof: [], wait: [] };
      });
  });
  const byProof = arena.recoveries.map(({ name, recovery }): Shown => {
    const slot = slotKey(slotOf(recovery.evidence.first));
    const shown: Timeless = { type: "message", from, message: { type: "shown", recovery } };
    const wait: Timeless = { type: "timer", name: `evidence ${recovery.account}` };
    return {
      slot,
      name: `${name} disclosed for ${slotName(stage, slot)}${later}`,
      need: ALWAYS,
      reason: undefined,
      proof: [shown],
      wait: [wait],
    };
  });
  return [...bySkip, ...byProof];
}
