/** Variants that leave a field out of what names an operation, is signed, or is relayed (bugs G). */
import type { Amount } from "../core/base/amount.ts";
import { ZERO_ADDRESS } from "../core/base/ids.ts";
import type { Operation, OperationId } from "../core/base/operation.ts";
import type { Content } from "../core/validator/content.ts";
import type { PeerMessage } from "../core/validator/message.ts";
import { replaceForm, replaceIds } from "./altered-rules.ts";
import { type KnownBadVariant, replaceStep } from "./known-bad-variant.ts";

/**
 * Names an operation by the first one that has the same key, as a cache of ids does whose key lacks a field. Alone, each
 * operation has its true id, so that only rivals show the mistake.
 */
function identifyByKey(key: (operation: Operation) => Operation): NonNullable<KnownBadVariant["rules"]> {
  return replaceIds(({ ledger }) => {
    const first = new Map<OperationId, OperationId>();
    return (signed) => {
      const keyed = ledger.operationId({ ...signed, operation: key(signed.operation) });
      const known = first.get(keyed) ?? ledger.operationId(signed);
      first.set(keyed, known);
      return known;
    };
  });
}

function withoutMemo({ memo: _, ...operation }: Operation): Operation {
  return operation as Operation;
}

/** Memo outside the identity (bugs G6). */
export const idWithoutMemo: KnownBadVariant = {
  name: "id-without-memo",
  mistake: "an operation's id leaves its memo out: two that differ in it alone are one, and either is applied",
  source: "bugs G6; protocol 3.0",
  caughtBy: ["authority", "irreversibility", "liveness", "answers"],
  rules: identifyByKey(withoutMemo),
};

/** Two payments of one id are applied differently, and nearly every oracle may see it first. */
const BY_TWO_PAYMENTS: KnownBadVariant["caughtBy"] = [
  "authority",
  "convergence",
  "validity",
  "checkpoints",
  "irreversibility",
  "conservation",
  "fees",
  "liveness",
  "answers",
];

/** Recipient outside the identity (bugs G6). */
export const idWithoutRecipient: KnownBadVariant = {
  name: "id-without-recipient",
  mistake: "a payment's id leaves its recipient out: validators apply one decision to two accounts",
  source: "bugs G6; protocol 3.0",
  caughtBy: BY_TWO_PAYMENTS,
  rules: identifyByKey((operation) =>
    operation.kind === "payment" ? { ...operation, recipient: ZERO_ADDRESS } : operation,
  ),
};

/** Last digit of an amount outside the identity (bugs G6). */
export const idRoundsValue: KnownBadVariant = {
  name: "id-rounds-value",
  mistake: "a payment's id covers its value without the last digit: two values that differ by one unit are one",
  source: "bugs G6; protocol 3.0",
  caughtBy: BY_TWO_PAYMENTS,
  rules: identifyByKey((operation) =>
    operation.kind === "payment" ? { ...operation, value: (operation.value / 10n) as Amount } : operation,
  ),
};

/** Amounts of a batch outside the identity (bugs G6). */
export const idWithoutAmounts: KnownBadVariant = {
  name: "id-without-amounts",
  mistake:
    "the id of a batch payment covers its recipients and not their amounts: two that differ in one amount are one",
  source: "bugs G6; protocol 3.0",
  caughtBy: BY_TWO_PAYMENTS,
  rules: identifyByKey((operation) =>
    operation.kind === "batch"
      ? { ...operation, legs: operation.legs.map((leg) => ({ ...leg, amount: 1n as Amount })) }
      : operation,
  ),
};

/** Memo outside the signature (bugs G7). */
export const memoUnsigned: KnownBadVariant = {
  name: "memo-unsigned",
  mistake: "a memo is accepted in layouts that do not sign it: anybody may change it on the way",
  source: "bugs G7; specification 2.5",
  caughtBy: ["authority", "validity"],
  rules: replaceForm(
    ({ ledger }) =>
      (operation, chainId) =>
        ledger.wellFormed(operation.layout === "spec" ? withoutMemo(operation) : operation, chainId),
  ),
};

/** Memo outside what is relayed (bugs G8). */
export const memoLostInRelay: KnownBadVariant = {
  name: "memo-lost-in-relay",
  mistake: "what a validator relays has lost its memo: nobody else can check its signature",
  source: "bugs G8; protocol 3.0",
  caughtBy: ["accountability", "liveness"],
  program: replaceStep((real, state, input) =>
    real.step(state, input).map((output) => {
      if (output.type !== "send") return output;
      const message = stripMessageMemos(output.message);
      return message === output.message ? output : { ...output, message };
    }),
  ),
};

function stripMessageMemos(message: PeerMessage): PeerMessage {
  switch (message.type) {
    case "offer":
      return { ...message, content: stripContentMemos(message.content) };
    case "consensus":
      return message.contents.length === 0
        ? message
        : { ...message, contents: message.contents.map(stripContentMemos) };
    case "decisions":
      return {
        ...message,
        decided: message.decided.map((one) => ({ ...one, content: stripContentMemos(one.content) })),
        contents: message.contents.map(stripContentMemos),
      };
    default:
      return message;
  }
}

/** Keeps the record of a content that has no memo: its hash is cached by it. */
function stripContentMemos(content: Content): Content {
  if (content.operations.every(({ operation }) => operation.memo === undefined)) return content;
  const operations = content.operations.map((operation) => ({
    ...operation,
    operation: withoutMemo(operation.operation),
  }));
  return { ...content, operations };
}
