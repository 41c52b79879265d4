/** Headers that follow from a list of a checkpoint or closing, and the state that they build on (protocol 6.1, 6.3). */

import type { apply } from "../../core/ledger/apply.ts";
import { impossibleResult, waitingResult } from "../../core/ledger/apply-result.ts";
import { closingTransitionOf, replayLedger } from "../../core/ledger/checkpoint.ts";
import { operationId } from "../../core/ledger/identity.ts";
import { ledgerRules } from "../../core/ledger/rules.ts";
import { accountOf, type LedgerState } from "../../core/ledger/state.ts";
import { type ChainContent, type ListedContent, sizeOf } from "../../core/validator/content.ts";
import type { InterceptedStep } from "./strategy.ts";

/** Returns the state after the last checkpoint or closing, those that the program applies in this step included. */
export function chainStateAfter(
  before: LedgerState | undefined,
  { outputs }: InterceptedStep,
): LedgerState | undefined {
  let state = before;
  for (const output of outputs) {
    const isLink = output.type === "event" && (output.event.type === "checkpointed" || output.event.type === "closed");
    if (isLink) ({ state } = output.event);
  }
  return state;
}

/**
 * Returns the same chain link with another list: roots and size are correct if the state before it is known and the
 * list replays.
 */
export function withList(
  state: LedgerState | undefined,
  honest: ChainContent,
  parts: readonly ListedContent[],
): ChainContent {
  const { value } = honest;
  const operations = parts.flatMap((part) => part.operations);
  const listed = parts.map(({ slot, value: decided, copies }) => ({ slot, value: decided, copies }));
  const slots = parts.map((part) => ({ slot: part.slot, value: part.value, operation: part.operations[0] }));
  const replayed =
    state === undefined ? undefined : replayLedger(state, slots, LENIENT_RULES, closingTransitionOf(value));
  const roots = replayed?.outcome === "replayed" ? replayed.roots : {};
  const header = { ...value.header, ...roots, size: sizeOf(operations) };
  return { ...honest, value: { ...value, header, listed }, operations };
}

/**
 * The listed slots are not decided: an operation in another account's slot has no nonce to use there, and content that a
 * validator offers may lack its value's operation or hold another.
 */
const applyWhatFits: typeof apply = (state, slot, value, operation, rules) => {
  if (value.type !== "operation" || slot.kind !== "account")
    return ledgerRules.apply(state, slot, value, operation, rules);
  if (operation === undefined || operationId(operation) !== value.id)
    return impossibleResult(`no content of operation ${value.id}`);
  const expected = accountOf(state, slot.address).nonce;
  const got = operation.operation.nonce;
  const isOwn = operation.sender === slot.address && got === expected;
  return isOwn
    ? ledgerRules.apply(state, slot, value, operation, rules)
    : waitingResult({ code: "business_nonce_gap", expected, got });
};

const LENIENT_RULES = { ...ledgerRules, apply: applyWhatFits };
