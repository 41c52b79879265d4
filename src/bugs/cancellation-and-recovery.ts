/** Variants with wrong rules for cancellations, recoveries and refusals (bugs C, D). */
import type { Address, Nonce } from "../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../core/base/operation.ts";
import type { CheckResult } from "../core/base/refusal.ts";
import type { SkipValue } from "../core/base/slot.ts";
import { paymentFee } from "../core/ledger/fees.ts";
import { operationId } from "../core/ledger/identity.ts";
import { accountOf, balanceOf, tokenOf } from "../core/ledger/state.ts";
import type { Content } from "../core/validator/content.ts";
import { operationsFor } from "../core/validator/mempool/pending.ts";
import type { Output } from "../core/validator/output.ts";
import { skipContent } from "../core/validator/slots/reason-check.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { timerOf } from "../core/validator/timer.ts";
import { proposeInstead, withByzantinePeer } from "./byzantine-peer.ts";
import {
  createVariantState,
  keepOutputs,
  type ProgramChange,
  replaceOutputs,
  replaceRules,
  replaceStep,
  type VariantTable,
} from "./known-bad-variant.ts";

const refused = createVariantState<ReadonlySet<OperationId>>("refused");

const REFUSAL: CheckResult = {
  answer: "refuse",
  refusal: { code: "validation_proposal", reason: "it was refused before" },
};

export const CANCELLATION_AND_RECOVERY: VariantTable = {
  "hasty-refusal": {
    mistake:
      "the entry validator responds that another operation was decided for the nonce, and relays this one all the same",
    source: "protocol 8; 4.2",
    caughtBy: ["irreversibility", "answers"],
    program: alterSubmissionReplies(refusePendingReply),
  },
  "recovery-taken-for-late": {
    mistake:
      "a recovery of an account's very next nonce is refused as if the nonce were used: its account stays blocked",
    source: "bugs I22; specification 5.4",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      checkRecovery: (state, recovery, rules) => {
        const result = real.checkRecovery(state, recovery, rules);
        if (result.answer !== "accept") return result;
        const { nonce } = recovery;
        return { answer: "refuse", refusal: { code: "business_nonce_too_low", expected: nonce, got: nonce } };
      },
    })),
  },
  "kind-blind-proof": {
    mistake: "an equivocation proof compares ids instead of signed digests: a payment resubmitted as a mint is a proof",
    source: "protocol 8; 3.0",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", () => ({ isEquivocation })),
  },
  "private-reasons": {
    mistake: "round changes travel without their reason, and cancellations are not disclosed: f + 1 never know of one",
    source: "protocol 8; 3.2",
    caughtBy: ["liveness"],
    program: replaceOutputs(stripReasons),
  },
  "refused-for-good": {
    mistake: "a voter that lacks a credit refuses what spends it, and goes on refusing it after the credit has arrived",
    source: "bugs D17; protocol 4.2",
    caughtBy: ["liveness"],
    rules: replaceRules("validator", (real) => ({
      checkContent: (state, at, slot, content, round) => {
        const { value } = content;
        const verdict = real.checkContent(state, at, slot, content, round);
        if (value.type !== "operation") return verdict;
        const refusedIds = refused.of(state) ?? new Set();
        if (refusedIds.has(value.id)) return REFUSAL;
        if (verdict.answer !== "wait" || verdict.missing.code !== "business_insufficient_funds") return verdict;
        refused.keep(state, new Set([...refusedIds, value.id]));
        return REFUSAL;
      },
    })),
  },
  "skip-names-no-operation": {
    mistake:
      "the content of a skip may show another operation than its value names: the first one that comes is judged",
    source: "protocol 3.0, 4.4",
    caughtBy: ["validity"],
    rules: replaceRules("validator", (real) => ({
      contentFault: (view, content) => {
        const { value, operations } = content;
        if (value.type !== "skip") return real.contentFault(view, content);
        const displaced = (value.by === "cancellation" ? operations.slice(1) : operations).map(
          view.environment.hashes.operationId,
        );
        return real.contentFault(view, { ...content, value: { ...value, displaced } });
      },
    })),
  },
  "unfunded-cancellation-ignored": {
    mistake: "a cancellation is no reason to change round where the balance does not cover the fee of a payment",
    source: "protocol 3.2, 4.4",
    caughtBy: ["liveness", "footprint"],
    rules: replaceRules("validator", (real) => ({
      isReasonValid: (state, slot, reason) => {
        if (reason.kind !== "cancellation") return real.isReasonValid(state, slot, reason);
        const { ledger, environment } = state;
        const { displaced } = reason;
        const { ledger: rules } = environment.rules;
        const token = rules.skipFeeToken(ledger, [displaced], rules);
        if (!real.isReasonValid(state, slot, reason)) return false;
        if (token === undefined) return true;
        return balanceOf(ledger, displaced.sender, token) >= paymentFee(ledger.parameters.fees, token);
      },
    })),
  },
  "recovery-of-nothing": {
    mistake: "an equivocation proof counts although nobody has voted for an operation of its nonce",
    source: "protocol 3.2, b; specification 5.4",
    caughtBy: ["recovery"],
    rules: replaceRules("validator", () => ({ isUnderWay: () => true })),
  },
  "silent-about-bars": {
    mistake: "a client never receives the response that a restriction bars its disclosed operation",
    source: "protocol 4.2",
    caughtBy: ["liveness"],
    program: keepOutputs(
      (out) => out.type !== "reply" || out.reply.status !== "pending" || out.reply.barred === undefined,
    ),
  },
  "skip-bound-by-pause": {
    mistake: "a nonce is skipped only while the token of its fee is not paused: until then its account is blocked",
    source: "bugs C15; protocol 4.2",
    caughtBy: ["liveness"],
    rules: replaceRules("validator", (real) => ({
      checkContent: (state, at, slot, content, round) => {
        const { value } = content;
        const token = value.type === "skip" ? value.feeToken : undefined;
        if (token === undefined || tokenOf(state.ledger, token)?.isPaused !== true)
          return real.checkContent(state, at, slot, content, round);
        return { answer: "refuse", refusal: { code: "business_token_paused", token } };
      },
    })),
  },
  /** False undisclosed refusal (protocol 4.2; 8): a client that trusts it equivocates. */
  "undisclosed-refusal": {
    mistake:
      "the entry validator responds that it disclosed the refused operation to nobody, and relays the operation all the same",
    source: "protocol 4.2; 8",
    caughtBy: ["irreversibility", "answers", "validity"],
    program: alterSubmissionReplies(denyDisclosure),
  },
  "unwarranted-recovery": {
    mistake: "a free choice needs no warrant: a proposer proposes a recovery for an account that only had a due burn",
    source: "protocol 8; 3, table",
    caughtBy: ["validity"],
    rules: (real) => ({
      ...real,
      ledger: { ...real.ledger, checkRecovery: () => ({ answer: "accept" }) },
      validator: {
        ...real.validator,
        contentFault: (view, content) =>
          content.value.type === "skip" && content.value.by === "recovery"
            ? undefined
            : real.validator.contentFault(view, content),
      },
    }),
    attack: withByzantinePeer(
      proposeInstead((state, slot, content) =>
        slot.kind === "account" && content.value.type === "burn" ? recoveryOf(state, slot.address, content) : undefined,
      ),
    ),
  },
  "cancellation-out-of-turn": {
    mistake: "a cancellation behind an open nonce is refused after two seconds, as if it had nothing to cancel",
    source: "protocol 4.2",
    caughtBy: ["validity"],
    program: replaceStep((real, state, input) => {
      const timer = input.type === "timer" ? timerOf(input.name) : undefined;
      const pending = timer?.kind === "cancel" ? state.mempool.pending.get(timer.id) : undefined;
      if (pending === undefined) return real.step(state, input);
      // The account's nonce appears to have reached that of the pending operation.
      const { ledger } = state;
      const account = { ...accountOf(ledger, pending.account), nonce: pending.nonce };
      state.ledger = { ...ledger, accounts: ledger.accounts.set(pending.account, account) };
      const outputs = real.step(state, input);
      state.ledger = ledger;
      return outputs;
    }),
  },
};

function refusePendingReply(output: Output): Output {
  if (output.type !== "reply" || output.reply.status !== "pending") return output;
  const refusal = { code: "business_decided_otherwise", nonce: 0 as Nonce, by: output.id } as const;
  return { ...output, reply: { status: "refused", refusal, disclosed: true } };
}

function isEquivocation(a: SignedOperation, b: SignedOperation): boolean {
  return (
    a.sender === b.sender &&
    a.operation.nonce === b.operation.nonce &&
    a.operation.kind !== "cancellation" &&
    b.operation.kind !== "cancellation" &&
    operationId(a) !== operationId(b)
  );
}

function stripReasons(output: Output): readonly Output[] {
  if (output.type === "send" && output.message.type === "disclosure") return [];
  return output.type === "sign" ? [{ ...output, message: { ...output.message, reason: undefined } }] : [output];
}

function denyDisclosure(output: Output): Output {
  if (output.type !== "reply" || output.reply.status !== "pending") return output;
  return {
    ...output,
    reply: { status: "refused", refusal: { code: "system_queue_full", limit: 0 }, disclosed: false },
  };
}

/** Returns the skip of a nonce for which its owner signed one operation: that one and the burn serve as the proof. */
function recoveryOf(state: ValidatorState, account: Address, { operations: [burn] }: Content): Content | undefined {
  const { ledger, environment } = state;
  const { nonce } = accountOf(ledger, account);
  const [signed] = operationsFor(state, account, nonce);
  if (signed === undefined || burn === undefined) return undefined;
  const { value } = skipContent(environment, ledger, { kind: "equivocation", proof: { first: signed, second: burn } });
  const operations = [signed, burn];
  const displaced = operations.map(environment.hashes.operationId);
  return { value: { ...(value as SkipValue), displaced }, operations, certificates: [] };
}

/** Alters the outputs of each step that takes a submission of a client. */
function alterSubmissionReplies(alter: (output: Output) => Output): ProgramChange {
  return replaceOutputs((output, input) => (input.type === "submit" ? alter(output) : output));
}
