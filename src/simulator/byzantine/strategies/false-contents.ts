/**
 * Strategy: sends contents of future skips before other validators do, with operations that the value does not name
 * (protocol 3; 3.1, 3).
 */
import type { SignedOperation } from "../../../core/base/operation.ts";
import type { SkipValue } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { operationId, recoveryId } from "../../../core/ledger/identity.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { Reason } from "../../../core/validator/message.ts";
import { contentsOf } from "../../network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import { skipBy } from "../known-operations.ts";
import type { InterceptedStep, Strategy, StrategyRecord } from "../strategy.ts";

interface Memory {
  /** Received payments of other validators, by id. */
  readonly payments: Trie<SignedOperation>;
  /** Skips sent already, by id. */
  readonly sent: Trie<true>;
}

export const falseContents: StrategyRecord = {
  sentence: "Discloses contents of skips that carry an operation other than the one that the value names.",
  weight: 2,
  create: (): Strategy<Memory> => ({
    memory: { payments: Trie.empty(), sent: Trie.empty() },
    intercept: (step, before) => {
      const payments = remembered(step, before.payments);
      const sent = before.sent.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<true>() : before.sent;
      const contents = reasonsIn(step)
        .flatMap((reason) => falsified(reason, payments))
        .filter(({ value }) => !sent.has((value as SkipValue).id));
      const memory = {
        payments,
        sent: contents.reduce((known, { value }) => known.set((value as SkipValue).id, true), sent),
      };
      if (contents.length === 0) return { outputs: step.outputs, memory };
      const message = { type: "decisions", decided: [], contents } as const;
      return { outputs: [{ type: "send", to: step.peers, message }, ...step.outputs], memory };
    },
  }),
};

function remembered({ input }: InterceptedStep, payments: Memory["payments"]): Memory["payments"] {
  if (input.type !== "message") return payments;
  let known = payments.size >= STRATEGY_ROUNDS_MAX ? Trie.empty<SignedOperation>() : payments;
  for (const { operations } of contentsOf(input.message)) {
    for (const signed of operations)
      if (signed.operation.kind === "payment") known = known.set(operationId(signed), signed);
  }
  return known;
}

/** Reasons that other validators send it, and its own: skips follow from them. */
function reasonsIn({ input, outputs }: InterceptedStep): readonly Reason[] {
  const received = input.type === "message" && input.message.type === "consensus" ? [input.message.reason] : [];
  const signed = outputs.flatMap((output) => (output.type === "sign" ? [output.message.reason] : []));
  return [...received, ...signed].filter((reason) => reason !== undefined);
}

function falsified(reason: Reason, payments: Memory["payments"]): readonly Content[] {
  if (reason.kind === "equivocation") return againstNobody(reason.proof.first, reason.proof.second);
  if (reason.kind !== "cancellation") return [];
  const { cancellation, displaced } = reason;
  const skip = skipBy(cancellation, displaced);
  const elsewhere = [...payments.values()].find(
    ({ sender, operation }) => sender === cancellation.sender && operation.nonce !== cancellation.operation.nonce,
  );
  // In place of the displaced operation: the cancellation itself, or a payment of another nonce.
  return [cancellation, elsewhere].flatMap((other) =>
    other === undefined ? [] : [{ ...skip, operations: [cancellation, other] }],
  );
}

/** A recovery at its full fee, with one of the two operations twice. */
function againstNobody(first: SignedOperation, second: SignedOperation): readonly Content[] {
  const { chainId, nonce } = first.operation;
  const [lowest] = [first, second]
    .filter(({ operation }) => operation.kind === "payment")
    .sort((a, b) => (operationId(a) < operationId(b) ? -1 : 1));
  if (lowest === undefined || lowest.operation.kind !== "payment") return [];
  const value: SkipValue = {
    type: "skip",
    by: "recovery",
    id: recoveryId(chainId, first.sender, nonce),
    feeToken: lowest.operation.token,
    feeStep: "full",
  };
  return [{ value, operations: [lowest, lowest], certificates: [] }];
}
