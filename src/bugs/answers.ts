/** Variants that tell clients something else than what the state says (bugs I22). */
import { isRecovery, isSpending, type OperationId } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { spentAmount } from "../core/ledger/fees.ts";
import { balanceOf } from "../core/ledger/state.ts";
import type { Reply } from "../core/validator/output.ts";
import { replaceForm } from "./altered-rules.ts";
import { type KnownBadVariant, replaceRules, replaceStep } from "./known-bad-variant.ts";

/** Replaces replies, and nothing else that a validator does. */
function alterReplies(told: (reply: Reply) => Reply): NonNullable<KnownBadVariant["program"]> {
  return replaceStep((real, state, input) =>
    real
      .step(state, input)
      .map((output) => (output.type === "reply" ? { ...output, reply: told(output.reply) } : output)),
  );
}

/** Receipt written from the request instead of the ledger. */
export const feeNotTold: KnownBadVariant = {
  name: "fee-not-told",
  mistake: "a receipt as clients are told it shows no fee, whatever was paid",
  source: "bugs I22; protocol 7.14",
  caughtBy: ["answers"],
  program: alterReplies((reply) =>
    reply.status === "final" ? { ...reply, receipt: { ...reply.receipt, fee: 0n as typeof reply.receipt.fee } } : reply,
  ),
};

/** A failed operation has used its nonce: its client must not sign another one for it. */
export const failureToldAsRefusal: KnownBadVariant = {
  name: "failure-told-as-refusal",
  mistake: "an operation that failed in its token's order is told as refused, as if it had not been applied",
  source: "bugs I22; protocol 7.14",
  caughtBy: ["answers"],
  program: alterReplies((reply) => {
    const error = reply.status === "final" ? reply.receipt.error : undefined;
    return error === undefined ? reply : { status: "refused", refusal: error, disclosed: true };
  }),
};

/** A check of the form that is too strict. */
export const wellFormedRefused: KnownBadVariant = {
  name: "well-formed-refused",
  mistake: "a memo with a text in it is refused for its form, though nothing is wrong with it",
  source: "bugs I22; specification 2.5",
  caughtBy: ["validity"],
  rules: replaceForm(({ ledger }) => (operation, chainId) => {
    const fault = ledger.wellFormed(operation, chainId);
    if (fault !== undefined || (operation.memo?.data ?? "") === "") return fault;
    return { code: "validation_text", field: "memo.data", reason: "is not empty" };
  }),
};

/** Receipt that is sent again. */
export const toldTwice: KnownBadVariant = {
  name: "told-twice",
  mistake: "a client is told the receipt of an operation twice, though it asked once",
  source: "bugs I22; protocol 7.14, 9.1",
  caughtBy: ["answers"],
  program: replaceStep((real, state, input) =>
    real
      .step(state, input)
      .flatMap((output) => (output.type === "reply" && output.reply.status === "final" ? [output, output] : [output])),
  ),
};

/** One client of an operation where there may be several. */
export const firstListenerOnly: KnownBadVariant = {
  name: "first-listener-only",
  mistake: "of several clients that listen to an operation only the first one is told what became of it",
  source: "bugs I22; protocol 7.14, 9.1",
  caughtBy: ["answers"],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    if (input.type === "submit") return outputs;
    const told = new Set<OperationId>();
    return outputs.filter((output) => {
      if (output.type !== "reply" || output.reply.status === "pending") return true;
      const isFirst = !told.has(output.id);
      told.add(output.id);
      return isFirst;
    });
  }),
};

/** `<` where `<=` belongs. */
export const wholeBalanceRefused: KnownBadVariant = {
  name: "whole-balance-refused",
  mistake: "an entry validator refuses a payment that with its fee takes the whole balance",
  source: "bugs I22; protocol 4.2",
  caughtBy: ["validity"],
  rules: replaceRules("ledger", (real) => ({
    check: (state, barrier, signed) => {
      const verdict = real.check(state, barrier, signed);
      const { operation, sender } = signed;
      if (verdict.answer !== "accept" || operation.kind !== "payment") return verdict;
      const { token, value } = operation;
      const balance = balanceOf(state, sender, token);
      const need = (value + real.paymentFee(state.parameters.fees, token)) as typeof balance;
      const refusal: Refusal = { code: "business_insufficient_funds", token, balance, need };
      return need === balance ? { answer: "refuse", refusal } : verdict;
    },
  })),
};

/** The check of voters, which leaves to the token's order what that decides with a receipt. */
export const admitsWhatFails: KnownBadVariant = {
  name: "admits-what-fails",
  mistake: "an entry validator admits what its state shows to fail, and the failure costs the client a nonce",
  source: "bugs I22; protocol 4.2",
  caughtBy: ["validity"],
  rules: replaceRules("ledger", (real) => ({ check: real.checkVote })),
};

/** A balance that is promised to each operation of a queue. */
export const queueUnfunded: KnownBadVariant = {
  name: "queue-unfunded",
  mistake:
    "an entry validator admits a payment that its balance covers, but not together with those that wait before it",
  source: "bugs I22; protocol 4.2",
  caughtBy: ["validity"],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    if (input.type !== "submit" || isRecovery(input.submission) || !isSpending(input.submission.operation))
      return outputs;
    const { sender, operation } = input.submission;
    const isShort = outputs.some(
      (output) =>
        output.type === "reply" &&
        output.reply.status === "refused" &&
        output.reply.refusal.code === "business_insufficient_funds",
    );
    const { ledger } = state;
    const alone = spentAmount(ledger.parameters.fees, operation) <= balanceOf(ledger, sender, operation.token);
    return isShort && alone ? real.step(state, { ...input, admitted: true }) : outputs;
  }),
};

/** A queue that is cleared and not told. */
export const queueLeftBehind: KnownBadVariant = {
  name: "queue-left-behind",
  mistake: "operations that wait behind a refused one are dropped without an answer",
  source: "bugs I22; protocol 4.2",
  caughtBy: ["validity"],
  program: replaceStep((real, state, input) =>
    real
      .step(state, input)
      .filter(
        (output) =>
          input.type === "submit" ||
          output.type !== "reply" ||
          output.reply.status !== "refused" ||
          output.reply.refusal.code !== "business_nonce_gap",
      ),
  ),
};
