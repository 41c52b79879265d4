/**
 * Transitions of clients and the operator, enabled at any validator, at any time, any number of times; and those that
 * deliver votes and commits, one by one to a collector or combined into certificates.
 */
import type { Epoch, Round } from "../../core/base/ids.ts";
import type { Submission } from "../../core/base/operation.ts";
import { parseSlotKey, slotKey } from "../../core/base/slot.ts";
import type { AnyCertificate } from "../../core/consensus/certificate.ts";
import type { ConsensusMessage, LockCertificate } from "../../core/consensus/message.ts";
import type { Content } from "../../core/validator/content.ts";
import type { SlotReason } from "../../core/validator/message.ts";
import { timerName } from "../../core/validator/timer.ts";
import { conjunction, type Guard, TRUE_GUARD } from "./guard.ts";
import type { UntimedInput } from "./local-state.ts";
import {
  type BallotGroup,
  byzantineRoundChange,
  certificateFrom,
  certificateGuard,
  type DecidableValue,
  type IsSigned,
  type NetworkKnowledge,
  slotName,
  valueName,
  weakCertificate,
  weakGuard,
} from "./network-knowledge.ts";
import type { Transition } from "./transition.ts";
import { slotOf } from "./values.ts";

/** Returns submissions, offers, the round change reasons that operations form together, and operator proposals. */
export function clientTransitions(knowledge: NetworkKnowledge, epochs: readonly Epoch[]): readonly Transition[] {
  const { system, release } = knowledge;
  const submissions = [
    ...system.operations.map(({ name, signed }) => submissionTransition(name, signed, release(name))),
    ...system.recoveries.map(({ name, recovery }) => submissionTransition(name, recovery, TRUE_GUARD)),
  ];
  const offered = system.operations.flatMap(({ name, signed }): readonly Transition[] => {
    if (signed.operation.kind === "cancellation") return [];
    const content = {
      value: system.compiled.commons.hashes.operationValue(signed),
      operations: [signed],
      certificates: [],
    };
    const message = { type: "offer", slot: slotOf(signed), content } as const;
    return [
      {
        label: `an offer of ${name}`,
        guard: release(name),
        makeInputs: () => [{ type: "message", from: system.byzantine.key, message }],
      },
    ];
  });
  const governed = system.proposals.map(
    ({ step, signed }): Transition => ({
      label: `the operator's proposal in step ${step}`,
      guard: TRUE_GUARD,
      makeInputs: () => [{ type: "govern", signed }],
    }),
  );
  return [
    ...submissions,
    ...offered,
    ...governed,
    ...(system.bounds.rounds > 0 ? epochs.flatMap((epoch) => reasonTransitions(knowledge, epoch)) : []),
  ];
}

function submissionTransition(name: string, submission: Submission, guard: Guard): Transition {
  return {
    label: `${name} from its client`,
    guard,
    makeInputs: () => [{ type: "submit", client: "client", submission }],
  };
}

/**
 * Transitions by which an account slot may leave round 0 (protocol 3.2): a cancellation with its operation, or an
 * equivocation proof with its timer expired.
 */
function reasonTransitions(knowledge: NetworkKnowledge, epoch: Epoch): readonly Transition[] {
  return disclosedReasons(knowledge, epoch).map(({ name, guard, slot, reason, proof, wait }) => {
    // One round change of the Byzantine validator moves no one, but validators accept the reason that it carries.
    const body = byzantineRoundChange(knowledge, { epoch, slot: parseSlotKey(slot), round: 1 as Round });
    const inputs = reason === undefined ? proof : [message(knowledge, body, [], reason)];
    return { label: name, guard, makeInputs: () => [...inputs, ...wait] };
  });
}

/** Reason that can be disclosed, and the timer after which it is valid. */
export interface DisclosedReason {
  readonly slot: string;
  readonly name: string;
  readonly guard: Guard;
  /** Reason attached to a round change, which does not sign it. */
  readonly reason: SlotReason | undefined;
  /** Inputs that deliver the reason on their own. */
  readonly proof: readonly UntimedInput[];
  readonly wait: readonly UntimedInput[];
}

/** Returns all reasons that the scenario's operations form, delivered by the Byzantine validator. */
export function disclosedReasons(knowledge: NetworkKnowledge, epoch: Epoch): readonly DisclosedReason[] {
  const { system, release } = knowledge;
  const from = system.byzantine.key;
  const later = epoch === 0 ? "" : ` in epoch ${epoch}`;
  const cancellations = system.operations.filter(({ signed }) => signed.operation.kind === "cancellation");
  const bySkip = cancellations.flatMap(({ name, signed: cancellation }) => {
    const slot = slotOf(cancellation);
    return system.operations
      .filter(({ signed }) => signed.operation.kind !== "cancellation" && slotKey(slotOf(signed)) === slotKey(slot))
      .map(({ name: other, signed: displaced }): DisclosedReason => {
        const reason: SlotReason = { kind: "cancellation", cancellation, displaced };
        const label = `${name} disclosed with ${other}${later}`;
        return { slot: slotKey(slot), name: label, guard: release(other), reason, proof: [], wait: [] };
      });
  });
  const byProof = system.proofs.map(({ name, evidence, disclosedBy }): DisclosedReason => {
    const place = slotOf(evidence.first);
    const slot = slotKey(place);
    const reason: SlotReason = { kind: "equivocation", proof: evidence };
    const input: UntimedInput = {
      type: "message",
      from,
      message: { type: "disclosure", slot: place, reason },
    };
    const wait: UntimedInput = { type: "timer", name: timerName({ kind: "evidence", slot }) };
    return {
      slot,
      name: `${name} disclosed for ${slotName(knowledge, slot)}${later}`,
      guard: conjunction(disclosedBy.map(release)),
      reason: undefined,
      proof: [input],
      wait: [wait],
    };
  });
  return [...bySkip, ...byProof];
}

/** Returns the transitions of each value that a quorum may have signed, or all but one of a quorum. */
export function ballotTransitions(knowledge: NetworkKnowledge): readonly Transition[] {
  return knowledge.ballots.flatMap((ballot) => {
    const guard = certificateGuard(knowledge, ballot);
    const weak = knowledge.isSilent ? [] : weakTransitions(knowledge, ballot);
    if (guard.length === 0) return weak;
    return [...strongTransitions(knowledge, ballot, guard), ...weak];
  });
}

/** Returns the transitions that show a certificate without a quorum, alone or in a round change. */
function weakTransitions(knowledge: NetworkKnowledge, ballot: BallotGroup): readonly Transition[] {
  const guard = weakGuard(knowledge, ballot);
  const decidable = knowledge.values.get(`${slotKey(ballot.slot)} ${ballot.value}`);
  if (guard.length === 0 || decidable === undefined) return [];
  const name = `${ballot.kind === "vote" ? "a lock" : "a decision"} on ${ballotName(knowledge, ballot)}`;
  const few = `${name} with too few signatures`;
  const make = (isSigned: IsSigned): AnyCertificate => weakCertificate(knowledge, ballot, isSigned);
  const makeRepeated = (isSigned: IsSigned): AnyCertificate => weakCertificate(knowledge, ballot, isSigned, true);
  return [
    certificateTransition(knowledge, few, guard, make, decidable),
    certificateTransition(knowledge, `${name} with one signature twice`, guard, makeRepeated, decidable),
    ...lockedChanges(knowledge, ballot, few, guard, make),
  ];
}

/** Returns the transitions that show the certificate of a quorum with its content and without; a lock also in a round change. */
function strongTransitions(knowledge: NetworkKnowledge, ballot: BallotGroup, guard: Guard): readonly Transition[] {
  const decidable = knowledge.values.get(`${slotKey(ballot.slot)} ${ballot.value}`);
  const make = (isSigned: IsSigned): AnyCertificate => certificateFrom(knowledge, ballot, isSigned);
  const name = `the ${ballot.kind === "vote" ? "lock on" : "decision for"} ${ballotName(knowledge, ballot)}`;
  const bare = certificateTransition(knowledge, `${name}, without its content`, guard, make);
  if (ballot.kind === "commit") return [certificateTransition(knowledge, name, guard, make, decidable), bare];
  const whole = decidable && certificateTransition(knowledge, `${name}, with its content`, guard, make, decidable);
  return [bare, ...lockedChanges(knowledge, ballot, name, guard, make), ...(whole === undefined ? [] : [whole])];
}

/** Shows a certificate, with the content of its value if that is given. */
function certificateTransition(
  knowledge: NetworkKnowledge,
  label: string,
  guard: Guard,
  make: (isSigned: IsSigned) => AnyCertificate,
  decidable?: DecidableValue,
): Transition {
  return {
    label,
    guard: decidable === undefined ? guard : conjunction([guard, decidable.guard]),
    makeInputs: (isSigned) => [
      message(knowledge, make(isSigned), decidable === undefined ? [] : [decidable.content(isSigned)]),
    ],
  };
}

/** Names a lock in a round change of the Byzantine validator to the next round; none for a decision or beyond the bounds. */
function lockedChanges(
  knowledge: NetworkKnowledge,
  { kind, epoch, slot, round }: BallotGroup,
  name: string,
  guard: Guard,
  make: (isSigned: IsSigned) => AnyCertificate,
): readonly Transition[] {
  const next = (round + 1) as Round;
  if (kind === "commit" || knowledge.isSilent || next > knowledge.system.bounds.rounds) return [];
  const makeInputs = (isSigned: IsSigned): readonly UntimedInput[] => {
    const lock = make(isSigned) as LockCertificate;
    return [message(knowledge, byzantineRoundChange(knowledge, { epoch, slot, round: next }, lock), [])];
  };
  return [{ label: `a round change to ${next} that names ${name}`, guard, makeInputs }];
}

/** Returns a consensus message from the Byzantine validator, which can forward anything that exists. */
export function message(
  { system }: Pick<NetworkKnowledge, "system">,
  body: ConsensusMessage,
  contents: readonly Content[],
  reason?: SlotReason,
): UntimedInput {
  return { type: "message", from: system.byzantine.key, message: { type: "consensus", body, contents, reason } };
}

function ballotName(knowledge: NetworkKnowledge, { epoch, slot, round, value }: BallotGroup): string {
  const key = slotKey(slot);
  const later = epoch === 0 ? "" : ` of epoch ${epoch}`;
  return `${valueName(knowledge, key, value)} in round ${round}${later} of ${slotName(knowledge, key)}`;
}
