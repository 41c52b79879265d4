/**
 * Strategies about the reasons to leave round 0: they show reasons without proof, or long used (protocol 3.2), and
 * contents of future skips before other validators do, with operations that the value does not name (protocol 3; 3.1, 3).
 */
import type { Round } from "../../../core/base/ids.ts";
import { isRecovery, type Payment, type SignedOperation } from "../../../core/base/operation.ts";
import { type AccountSlot, type SkipValue, type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { LockCertificate, Vote } from "../../../core/consensus/message.ts";
import { operationId, recoveryId } from "../../../core/ledger/identity.ts";
import { layoutOfCancellation } from "../../../core/ledger/layout.ts";
import { tokenOfOperation } from "../../../core/ledger/operations/kinds.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { Offer, Reason } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { contentsOf, hashOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import { afterStep, appliedIn, NO_SEQUENCES, nextSlotOf, type Sequences, skipBy } from "../known-operations.ts";
import { emptiedIfFull, type InterceptedStep, type Strategy, type StrategyRecord, signStatement } from "../strategy.ts";

type BurnReason = Omit<Extract<Reason, { kind: "burn" }>, "vote">;

interface ReasonMemory {
  readonly sequences: Sequences;
  /** Submissions of clients that other validators may lack, by sender and nonce. */
  readonly submitted: Trie<SignedOperation>;
  /** Received reasons by slot. */
  readonly reasons: Trie<Reason>;
  /** Burns that wait for the validator's own vote, by slot. */
  readonly unvoted: Trie<BurnReason>;
}

const START: ReasonMemory = {
  sequences: NO_SEQUENCES,
  submitted: Trie.empty(),
  reasons: Trie.empty(),
  unvoted: Trie.empty(),
};

export const worthlessReasons: StrategyRecord = {
  sentence: "Shows reasons to leave round 0 that do not count.",
  weight: 1,
  create: (): Strategy<ReasonMemory> => ({
    memory: START,
    intercept: (step, before) => {
      const applied = appliedIn(step);
      const full = [before.submitted, before.reasons, before.unvoted].some(({ size }) => size >= STRATEGY_ROUNDS_MAX);
      let memory: ReasonMemory = { ...(full ? START : before), sequences: afterStep(before.sequences, applied) };
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
type Reaction = readonly [outputs: readonly Output[], memory: ReasonMemory];

function handleInput(step: InterceptedStep, memory: ReasonMemory): Reaction {
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
function handleSubmission(step: InterceptedStep, memory: ReasonMemory, signed: SignedOperation): Reaction {
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
function worthlessReasonsFor(step: InterceptedStep, memory: ReasonMemory, { slot, content }: Offer): Reaction {
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
function repeatReason(step: InterceptedStep, memory: ReasonMemory, applied: AccountSlot): Reaction {
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

interface ContentMemory {
  /** Received payments of other validators, by id. */
  readonly payments: Trie<SignedOperation>;
  /** Skips sent already, by id. */
  readonly sent: Trie<true>;
}

export const falseContents: StrategyRecord = {
  sentence: "Discloses contents of skips that carry an operation other than the one that the value names.",
  weight: 2,
  create: (): Strategy<ContentMemory> => ({
    memory: { payments: Trie.empty(), sent: Trie.empty() },
    intercept: (step, before) => {
      const payments = rememberPayments(step, before.payments);
      const sent = emptiedIfFull(before.sent);
      const made = shownIn(step).flatMap(([slot, reason]) =>
        contentsWithFalseReason(reason, payments).map((content) => [slot, content] as const),
      );
      const contents = made.filter(([, { value }]) => !sent.has((value as SkipValue).id));
      const memory = {
        payments,
        sent: contents.reduce((known, [, { value }]) => known.set((value as SkipValue).id, true), sent),
      };
      const shown = contents.map(([slot, content]) => carryContent(step, slot, content));
      return { outputs: [...shown, ...step.outputs], memory };
    },
  }),
};

/** A certificate of nothing, which brings the content of the value that it names. */
function carryContent({ peers, epoch }: InterceptedStep, slot: Slot, content: Content): Output {
  const body: LockCertificate = { type: "lock", epoch, slot, round: 0 as Round, value: hashOf(content), seals: [] };
  return { type: "send", to: peers, message: { type: "consensus", body, contents: [content], reason: undefined } };
}

function rememberPayments({ input }: InterceptedStep, payments: ContentMemory["payments"]): ContentMemory["payments"] {
  if (input.type !== "message") return payments;
  let known = emptiedIfFull(payments);
  for (const { operations } of contentsOf(input.message)) {
    for (const signed of operations)
      if (signed.operation.kind === "payment") known = known.set(operationId(signed), signed);
  }
  return known;
}

/** Returns the reasons that other validators send it, and its own, with their slots: skips follow from them. */
function shownIn({ input, outputs }: InterceptedStep): readonly (readonly [slot: Slot, reason: Reason])[] {
  const received = input.type === "message" && input.message.type === "consensus" ? [input.message] : [];
  const signed = outputs.flatMap((output) => (output.type === "sign" ? [output.message] : []));
  return [...received, ...signed].flatMap(({ body, reason }) =>
    reason === undefined ? [] : [[body.slot, reason] as const],
  );
}

function contentsWithFalseReason(reason: Reason, payments: ContentMemory["payments"]): readonly Content[] {
  if (reason.kind === "equivocation") return falseRecoveries(reason.proof.first, reason.proof.second, payments);
  if (reason.kind !== "cancellation") return [];
  const { cancellation, displaced } = reason;
  const { value } = skipBy(cancellation, displaced);
  const { sender, operation } = cancellation;
  const otherNonce = [...payments.values()].find(
    (other) => other.sender === sender && other.operation.nonce !== operation.nonce,
  );
  const reading = readAsMint(displaced);
  // In place of the displaced operation: another one of the nonce, another reading of its signature, the cancellation
  // itself, or a payment of another nonce.
  const attached = [...rivalsOf([displaced], payments), reading, cancellation, otherNonce].filter(
    (other) => other !== undefined,
  );
  const valid = reading === undefined ? [] : [skipBy(cancellation, reading)];
  return [...valid, ...attached.map((other) => ({ value, operations: [cancellation, other], certificates: [] }))];
}

/** Returns the payments of the same nonce that are not among these operations. */
function rivalsOf(
  all: readonly [SignedOperation, ...SignedOperation[]],
  payments: ContentMemory["payments"],
): readonly SignedOperation[] {
  const [{ sender, operation }] = all;
  const ids = all.map(operationId);
  return [...payments.values()].filter(
    (other) =>
      other.sender === sender && other.operation.nonce === operation.nonce && !ids.includes(operationId(other)),
  );
}

/** Returns the mint that a payment's signature signs as well, where its layout holds the same fields. */
function readAsMint(displaced: SignedOperation): SignedOperation | undefined {
  const { operation } = displaced;
  if (operation.kind !== "payment" || operation.layout === "v2") return undefined;
  return { ...displaced, operation: { ...operation, kind: "mint" } };
}

/** A recovery whose content shows a third operation in place of one of its own, or one of them twice. */
function falseRecoveries(
  first: SignedOperation,
  second: SignedOperation,
  payments: ContentMemory["payments"],
): readonly Content[] {
  const { chainId, nonce } = first.operation;
  const inOrder = (pair: readonly SignedOperation[]): readonly SignedOperation[] =>
    [...pair].sort((a, b) => (operationId(a) < operationId(b) ? -1 : 1));
  const proof = inOrder([first, second]);
  const feeToken = proof.flatMap(({ operation }) => tokenOfOperation(operation) ?? [])[0];
  const value: SkipValue = {
    type: "skip",
    by: "recovery",
    id: recoveryId(chainId, first.sender, nonce),
    displaced: proof.map(operationId),
    feeToken,
  };
  const pairs = rivalsOf([first, second], payments).map((other) => inOrder([first, other]));
  const [lowest] = proof as [SignedOperation];
  return [...pairs, [lowest, lowest]].map((operations) => ({ value, operations, certificates: [] }));
}
