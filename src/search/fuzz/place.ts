/**
 * What two violations have to have in common to be called the same: the invariant, the kind of slot, and what is said,
 * without names and numbers. Findings of a campaign are told apart by it, and shrinking keeps to it.
 */

import type { NamedViolation, RunResult } from "../../run/verdict.ts";
import { declaredBy } from "../../scenario/declared.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Kinds of slots, and `none` where a violation is about none. */
export type SlotKind = "account" | "token" | "checkpoint" | "epoch" | "none";

/** Where a run failed. */
export interface Place {
  /** An invariant; `error` where the run broke off, `endless` where it never came to rest. */
  readonly invariant: string;
  readonly slot: SlotKind;
  /** What is said first, with a word for each name and number. */
  readonly shape: string;
}

/** The gravest thing that a run failed by; `undefined` where it did not, or showed nothing. */
export function placeOf(scenario: Scenario, result: RunResult): Place | undefined {
  const { verdict, violations, cutShort, reason } = result;
  switch (verdict) {
    case "pass":
      return undefined;
    case "error":
      return { invariant: "error", slot: "none", shape: shapeOf(scenario, reason.split("\n")[0] ?? "") };
    case "unmet":
      // Nobody has to come to rest where no progress is demanded either: more than f validators may talk for ever.
      if (cutShort === undefined || scenario.healing?.none === true) return undefined;
      return { invariant: "endless", slot: "none", shape: "" };
    case "violation":
    case "stalled": {
      const isStall = verdict === "stalled";
      const first = violations.find(({ invariant }) => (invariant === "liveness") === isStall);
      return first === undefined ? undefined : placeIn(scenario, first);
    }
  }
}

/** The place of one violation. */
export function placeIn(scenario: Scenario, { invariant, detail }: NamedViolation): Place {
  return { invariant, slot: slotIn(detail), shape: shapeOf(scenario, detail) };
}

/** One text for each place. */
export function placeKey({ invariant, slot, shape }: Place): string {
  return `${invariant} / ${slot} / ${shape}`;
}

/** Whether a run breaks the same invariant in the same kind of slot, whatever else it does. */
export function failsAlike(scenario: Scenario, result: RunResult, { invariant, slot }: Place): boolean {
  const { verdict, violations } = result;
  if (verdict === "pass") return false;
  if (invariant === "error" || invariant === "endless") return placeOf(scenario, result)?.invariant === invariant;
  if (verdict === "stalled" && invariant !== "liveness") return false;
  return violations.some((one) => one.invariant === invariant && slotIn(one.detail) === slot);
}

/** The first slot that is spoken of. */
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

/** The first sentence; names become what they name, lists of the same one of it. */
function shapeOf(scenario: Scenario, detail: string): string {
  const { nodes, accounts, tokens, operations } = declaredBy(scenario);
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
