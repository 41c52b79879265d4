/**
 * Strategy: sends contents of future skips before other validators do, with operations that the value does not name
 * (protocol 3; 3.1, 3).
 */

import type { Round } from "../../../core/base/ids.ts";
import type { SignedOperation } from "../../../core/base/operation.ts";
import type { SkipValue, Slot } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import type { LockCertificate } from "../../../core/consensus/message.ts";
import { operationId, recoveryId } from "../../../core/ledger/identity.ts";
import { tokenOfOperation } from "../../../core/ledger/operations/kinds.ts";
import type { Content } from "../../../core/validator/content.ts";
import type { Reason } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { contentsOf, hashOf } from "../../network/message-content.ts";
import { skipBy } from "../known-operations.ts";
import { emptiedIfFull, type InterceptedStep, type Strategy, type StrategyRecord } from "../strategy.ts";

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

function rememberPayments({ input }: InterceptedStep, payments: Memory["payments"]): Memory["payments"] {
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

function contentsWithFalseReason(reason: Reason, payments: Memory["payments"]): readonly Content[] {
  if (reason.kind === "equivocation") return falseRecoveries(reason.proof.first, reason.proof.second, payments);
  if (reason.kind !== "cancellation") return [];
  const { cancellation, displaced } = reason;
  const { value } = skipBy(cancellation, displaced);
  const { sender, operation } = cancellation;
  const elsewhere = [...payments.values()].find(
    (other) => other.sender === sender && other.operation.nonce !== operation.nonce,
  );
  const reading = readAsMint(displaced);
  // In place of the displaced operation: another one of the nonce, another reading of its signature, the cancellation
  // itself, or a payment of another nonce.
  const attached = [...rivalsOf([displaced], payments), reading, cancellation, elsewhere].filter(
    (other) => other !== undefined,
  );
  const valid = reading === undefined ? [] : [skipBy(cancellation, reading)];
  return [...valid, ...attached.map((other) => ({ value, operations: [cancellation, other], certificates: [] }))];
}

/** Returns the payments of the same nonce that are not among these operations. */
function rivalsOf(
  all: readonly [SignedOperation, ...SignedOperation[]],
  payments: Memory["payments"],
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
  payments: Memory["payments"],
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
