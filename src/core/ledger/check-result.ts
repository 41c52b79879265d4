/** Constructors of the three check results (protocol 4.2). */
import type { CheckResult, Refusal } from "../base/refusal.ts";

/** The value may be voted for. */
export const ACCEPT: CheckResult = { answer: "accept" };

/** Waits for something that is missing here. */
export function wait(missing: Refusal): CheckResult {
  return { answer: "wait", missing };
}

/** Refuses for a broken rule. */
export function refuse(refusal: Refusal): CheckResult {
  return { answer: "refuse", refusal };
}
