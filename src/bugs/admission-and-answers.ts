/** Variants of an entry validator that admits, refuses or answers otherwise than its state says (bugs I22). */
import { type Amount, ZERO } from "../core/base/amount.ts";
import { isRecovery, isSpending, type OperationId, type SignedOperation } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { paymentFee, spentAmount } from "../core/ledger/fees.ts";
import { accountOf, balanceOf } from "../core/ledger/state.ts";
import { idOf, pendingOf } from "../core/validator/mempool/pending.ts";
import type { Reply } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import {
  keepOutputs,
  type ProgramChange,
  replaceOutputs,
  replaceRules,
  replaceStep,
  type VariantTable,
} from "./known-bad-variant.ts";

export const ANSWERS: VariantTable = {
  "signature-read-twice": {
    mistake: "an entry validator admits a payment and a mint that have one signature, and either may be decided",
    source: "bugs I22; protocol 9.3",
    caughtBy: ["validity", "liveness"],
    program: replaceStep((real, state, input) => {
      state.mempool.digests.clear();
      return real.step(state, input);
    }),
  },
  "queue-in-one-sum": {
    mistake:
      "an entry validator adds up what waits before a payment in all tokens, and compares it with the balance of one",
    source: "bugs I22; protocol 4.2",
    caughtBy: ["validity", "liveness"],
    program: replaceStep((real, state, input) => {
      if (input.type !== "submit" || isRecovery(input.submission)) return real.step(state, input);
      const refusal = shortfall(state, input.submission);
      if (refusal === undefined) return real.step(state, input);
      const id = idOf(state, input.submission);
      return [{ type: "reply", client: input.client, id, reply: { status: "refused", refusal, disclosed: false } }];
    }),
  },
  "fee-not-told": {
    mistake: "a receipt as clients are told it shows no fee, whatever was paid",
    source: "bugs I22; protocol 7.14",
    caughtBy: ["answers"],
    program: alterReplies((reply) =>
      reply.status === "final"
        ? { ...reply, receipt: { ...reply.receipt, fee: 0n as typeof reply.receipt.fee } }
        : reply,
    ),
  },
  /** A failed operation has used its nonce: its client must not sign another one for it. */
  "failure-told-as-refusal": {
    mistake: "an operation that failed in its token's order is told as refused, as if it had not been applied",
    source: "bugs I22; protocol 7.14",
    caughtBy: ["answers"],
    program: alterReplies((reply) => {
      const error = reply.status === "final" ? reply.receipt.error : undefined;
      return error === undefined ? reply : { status: "refused", refusal: error, disclosed: true };
    }),
  },
  "well-formed-refused": {
    mistake: "a memo with a text in it is refused for its form, though nothing is wrong with it",
    source: "bugs I22; specification 2.5",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      wellFormed: (operation, chainId) => {
        const fault = real.wellFormed(operation, chainId);
        if (fault !== undefined || (operation.memo?.data ?? "") === "") return fault;
        return { code: "validation_text", field: "memo.data", reason: "is not empty" };
      },
    })),
  },
  "told-twice": {
    mistake: "a client is told the receipt of an operation twice, though it asked once",
    source: "bugs I22; protocol 7.14, 9.1",
    caughtBy: ["answers"],
    program: replaceOutputs((output) =>
      output.type === "reply" && output.reply.status === "final" ? [output, output] : [output],
    ),
  },
  "first-listener-only": {
    mistake: "of several clients that listen to an operation only the first one is told what became of it",
    source: "bugs I22; protocol 7.14, 9.1",
    caughtBy: ["answers"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      if (input.type === "submit") return outputs;
      const answered = new Set<OperationId>();
      return outputs.filter((output) => {
        if (output.type !== "reply" || output.reply.status === "pending") return true;
        const isFirst = !answered.has(output.id);
        answered.add(output.id);
        return isFirst;
      });
    }),
  },
  "whole-balance-refused": {
    mistake: "an entry validator refuses a payment that with its fee takes the whole balance",
    source: "bugs I22; protocol 4.2",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      check: (state, barrier, signed, rules) => {
        const verdict = real.check(state, barrier, signed, rules);
        const { operation, sender } = signed;
        if (verdict.answer !== "accept" || operation.kind !== "payment") return verdict;
        const { token, value } = operation;
        const balance = balanceOf(state, sender, token);
        const need = (value + real.paymentFee(state.parameters.fees, token)) as typeof balance;
        const refusal: Refusal = { code: "business_insufficient_funds", token, balance, need };
        return need === balance ? { answer: "refuse", refusal } : verdict;
      },
    })),
  },
  /** The check of voters, which leaves to the token's order what that decides with a receipt. */
  "admits-what-fails": {
    mistake: "an entry validator admits what its state shows to fail, and the failure costs the client a nonce",
    source: "bugs I22; protocol 4.2",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({ check: real.checkVote })),
  },
  "queue-unfunded": {
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
      const alone =
        spentAmount(ledger.parameters.fees, operation, paymentFee) <= balanceOf(ledger, sender, operation.token);
      return isShort && alone ? real.step(state, { ...input, admitted: true }) : outputs;
    }),
  },
  "queue-left-behind": {
    mistake: "operations that wait behind a refused one are dropped without an answer",
    source: "bugs I22; protocol 4.2",
    caughtBy: ["validity"],
    program: keepOutputs(
      (output, input) =>
        input.type === "submit" ||
        output.type !== "reply" ||
        output.reply.status !== "refused" ||
        output.reply.refusal.code !== "business_nonce_gap",
    ),
  },
};

function shortfall(state: ValidatorState, { operation, sender }: SignedOperation): Refusal | undefined {
  const { ledger } = state;
  const { nonce } = accountOf(ledger, sender);
  if (!isSpending(operation) || operation.nonce <= nonce) return undefined;
  const { token } = operation;
  const costs = pendingOf(state, sender).map(({ submission }) => {
    if (isRecovery(submission) || !isSpending(submission.operation)) return ZERO;
    return submission.operation.nonce < operation.nonce
      ? spentAmount(ledger.parameters.fees, submission.operation, paymentFee)
      : ZERO;
  });
  const need = costs.reduce(
    (sum, cost) => sum + cost,
    spentAmount(ledger.parameters.fees, operation, paymentFee),
  ) as Amount;
  const balance = balanceOf(ledger, sender, token);
  return need > balance ? { code: "business_insufficient_funds", token, balance, need } : undefined;
}

/** Replaces replies, and nothing else that a validator does. */
function alterReplies(change: (reply: Reply) => Reply): ProgramChange {
  return replaceOutputs((output) => (output.type === "reply" ? { ...output, reply: change(output.reply) } : output));
}
