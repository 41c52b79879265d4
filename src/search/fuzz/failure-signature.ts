/**
 * Failure signatures: invariant, kind of slot, and the message without names and numbers. Campaigns group failures by
 * them, and shrinking preserves them.
 */

import type { NamedViolation, RunResult } from "../../run/verdict.ts";
import { declarationsOf } from "../../scenario/declarations.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Kinds of slots; `none` for a violation without a slot. */
export type SlotKind = "account" | "token" | "checkpoint" | "epoch" | "none";

/** Failure signature of a run. */
export interface FailureSignature {
  /** Invariant; `error` if the run was aborted, `endless` if it did not become quiescent. */
  readonly invariant: string;
  readonly slot: SlotKind;
  /** First sentence of the message, with placeholders for names and numbers. */
  readonly shape: string;
}

/** Returns the signature of the most severe failure; `undefined` if there is none, or the run is empty. */
export function failureSignatureOf(scenario: Scenario, result: RunResult): FailureSignature | undefined {
  const { verdict, violations, cutShort, reason } = result;
  switch (verdict) {
    case "pass":
      return undefined;
    case "error":
      return { invariant: "error", slot: "none", shape: messageShape(scenario, reason.split("\n")[0] ?? "") };
    case "unmet":
      // Without demanded progress no quiescence is demanded: more than f Byzantine validators may send for ever.
      if (cutShort === undefined || scenario.healing?.none === true) return undefined;
      return { invariant: "endless", slot: "none", shape: "" };
    case "violation":
    case "stalled": {
      const isStall = verdict === "stalled";
      const first = violations.find(({ invariant }) => (invariant === "liveness") === isStall);
      return first === undefined ? undefined : signatureOfViolation(scenario, first);
    }
  }
}

/** Returns the signature of one violation. */
export function signatureOfViolation(scenario: Scenario, { invariant, detail }: NamedViolation): FailureSignature {
  return { invariant, slot: slotIn(detail), shape: messageShape(scenario, detail) };
}

/** Returns a unique text of the signature. */
export function failureSignatureKey({ invariant, slot, shape }: FailureSignature): string {
  return `${invariant} / ${slot} / ${shape}`;
}

/** Returns true if a run violates the same invariant in the same kind of slot, among others. */
export function hasSignature(scenario: Scenario, result: RunResult, { invariant, slot }: FailureSignature): boolean {
  const { verdict, violations } = result;
  if (verdict === "pass") return false;
  if (invariant === "error" || invariant === "endless")
    return failureSignatureOf(scenario, result)?.invariant === invariant;
  if (verdict === "stalled" && invariant !== "liveness") return false;
  return violations.some((violation) => violation.invariant === invariant && slotIn(violation.detail) === slot);
}

/** Returns the kind of the first slot in a message. */
function slotIn(detail: string): SlotKind {
  const found = /\b(epoch|checkpoint|version|slot|account)\b/i.exec(detail.replace(/ of epoch \d+(?= )/g, ""));
  switch (found?.[1]?.toLowerCase()) {
    case "epoch":
      return "epoch";
    case "checkpoint":
      return "checkpoint";
    case "version":
      return "token";
    case "slot":
    case "account":
      return "account";
    default:
      return "none";
  }
}

/** Returns the first sentence with placeholders; lists of one placeholder become one. */
function messageShape(scenario: Scenario, detail: string): string {
  const { nodes, accounts, tokens, operations } = declarationsOf(scenario);
  const words = new Map<string, string>();
  for (const name of operations.keys()) words.set(name, "OPERATION");
  for (const name of tokens.keys()) words.set(name, "TOKEN");
  for (const name of accounts) words.set(name, "ACCOUNT");
  for (const name of nodes) words.set(name, "VALIDATOR");
  const [first = ""] = detail.split(/; |\. |: /);
  return first
    .replace(/\b0x[0-9a-f]+…?/g, "HASH")
    .replace(/[A-Za-z_][A-Za-z0-9_.'/-]*/g, (word) => words.get(word) ?? words.get(word.replace(/\/\d$/, "")) ?? word)
    .replace(/\d+/g, "N")
    .replace(/\b(VALIDATOR|OPERATION|ACCOUNT|HASH)((, | and )\1)+/g, "$1");
}
