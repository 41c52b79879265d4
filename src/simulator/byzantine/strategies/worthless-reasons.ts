/** Strategy: sends invalid reasons to leave round 0: without proof, or long used (protocol 3.2). */
import type { Round } from "../../../core/base/ids.ts";
import { isRecovery, type Payment, type SignedOperation } from "../../../core/base/operation.ts";
import { type AccountSlot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { Vote } from "../../../core/consensus/message.ts";
import { layoutOfCancellation } from "../../../core/ledger/layout.ts";
import type { Offer, Reason } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import { afterStep, appliedIn, NO_SEQUENCES, nextSlotOf, type Sequences } from "../known-operations.ts";
import { type InterceptedStep, type Strategy, type StrategyRecord, signStatement } from "../strategy.ts";

type BurnReason = Omit<Extract<Reason, { kind: "burn" }>, "vote">;

interface Memory {
  readonly sequences: Sequences;
  /** Submissions of clients that other validators may lack, by sender and nonce. */
  readonly submitted: Trie<SignedOperation>;
  /** Received reasons by slot. */
  readonly reasons: Trie<Reason>;
  /** Burns that wait for the validator's own vote, by slot. */
  readonly unvoted: Trie<BurnReason>;
}

const START: Memory = {
  sequences: NO_SEQUENCES,
  submitted: Trie.empty(),
  reasons: Trie.empty(),
  unvoted: Trie.empty(),
};

export const worthlessReasons: StrategyRecord = {
  sentence: "Shows reasons to leave round 0 that do not count.",
  weight: 1,
  create: (): Strategy<Memory> => ({
    memory: START,
    intercept: (step, before) => {
      const applied = appliedIn(step);
      const full = [before.submitted, before.reasons, before.unvoted].some(({ size }) => size >= STRATEGY_ROUNDS_MAX);
      let memory: Memory = { ...(full ? START : before), sequences: afterStep(before.sequences, applied) };
      const outputs: Output[] = [...step.outputs];
      for (const slot of applied) {
        const [more, after] = repeatReason(step, memory, slot);
        outputs.push(...more);
        memory = after;
      }
      const [more, after] = handleInput(step, memory);
      return { outputs: [...outputs, ...more], memory: after };
    },
  }),
};

/** Further outputs, and the memory after them. */
type Reaction = readonly [outputs: readonly Output[], memory: Memory];

function handleInput(step: InterceptedStep, memory: Memory): Reaction {
  const { input } = step;
  if (input.type === "submit" && !isRecovery(input.submission)) return handleSubmission(step, memory, input.submission);
  if (input.type === "message" && input.message.type === "offer")
    return worthlessReasonsFor(step, memory, input.message);
  if (input.type !== "message" || input.message.type !== "consensus") return [[], memory];
  const { body, reason } = input.message;
  const key = slotKey(body.slot);
  if (body.type === "roundChange" && reason !== undefined && input.from !== step.self) {
    return [[], { ...memory, reasons: memory.reasons.set(key, reason) }];
  }
  const waiting = body.type === "vote" && input.from === step.self ? memory.unvoted.get(key) : undefined;
  if (waiting === undefined || body.slot.kind !== "account") return [[], memory];
  const own = body as Vote;
  return [
    [signRoundChange(step, body.slot, { ...waiting, vote: own })],
    { ...memory, unvoted: memory.unvoted.delete(key) },
  ];
}

/** An operation and its cancellation, funded or not. */
function handleSubmission(step: InterceptedStep, memory: Memory, signed: SignedOperation): Reaction {
  const key = `${signed.sender} ${signed.operation.nonce}`;
  const other = memory.submitted.get(key);
  if (other === undefined) return [[], { ...memory, submitted: memory.submitted.set(key, signed) }];
  const isLast = signed.operation.kind === "cancellation";
  const [cancellation, displaced] = isLast ? [signed, other] : [other, signed];
  const slot = nextSlotOf(memory.sequences, signed.sender);
  return [[signRoundChange(step, slot, { kind: "cancellation", cancellation, displaced })], memory];
}

/**
 * A payment with a cancellation and a conflict that its owner never signed, and with itself as its conflict; and a due
 * burn without a conflict, with its own vote for the burn itself presented as one.
 */
function worthlessReasonsFor(step: InterceptedStep, memory: Memory, { slot, content }: Offer): Reaction {
  const [signed] = content.operations;
  if (slot.kind !== "account" || signed === undefined) return [[], memory];
  if (content.value.type !== "burn") {
    const forged = signed.operation.kind === "payment" ? forgeries(signed, signed.operation) : [];
    return [forged.map((reason) => signRoundChange(step, slot, reason)), memory];
  }
  const unvoted = memory.unvoted.set(slotKey(slot), { kind: "burn", content });
  return [[signVote(step, slot, hashOf(content))], { ...memory, unvoted }];
}

/** The payment's signature under two other operations for its nonce, and the payment as a conflict with itself. */
function forgeries(displaced: SignedOperation, payment: Payment): readonly Reason[] {
  const { layout, chainId, nonce } = payment;
  const forged = { kind: "cancellation", layout: layoutOfCancellation(layout), chainId, nonce } as const;
  const cancellation: SignedOperation = { ...displaced, operation: forged };
  const second: SignedOperation = { ...displaced, operation: { ...payment, recipient: displaced.sender } };
  return [
    { kind: "cancellation", cancellation, displaced },
    { kind: "equivocation", proof: { first: displaced, second } },
    { kind: "equivocation", proof: { first: displaced, second: displaced } },
  ];
}

/** The reason by which the previous slot left round 0, sent for this one; for a burn with a vote of its own here. */
function repeatReason(step: InterceptedStep, memory: Memory, applied: AccountSlot): Reaction {
  const reason = memory.reasons.get(slotKey(applied));
  if (reason === undefined) return [[], memory];
  const slot = nextSlotOf(memory.sequences, applied.address);
  if (reason.kind !== "burn") return [[signRoundChange(step, slot, reason)], memory];
  const unvoted = memory.unvoted.set(slotKey(slot), reason);
  return [[signVote(step, slot, reason.vote.value)], { ...memory, unvoted }];
}

/** A vote of its own that only it has, to be sent as proof. */
function signVote({ self, epoch }: InterceptedStep, slot: AccountSlot, value: Vote["value"]): Output {
  return signStatement([self], { type: "vote", epoch, slot, round: 0 as Round, value });
}

function signRoundChange({ peers, epoch }: InterceptedStep, slot: AccountSlot, reason: Reason): Output {
  return signStatement(peers, { type: "roundChange", epoch, slot, round: 1 as Round, lock: undefined }, reason);
}
