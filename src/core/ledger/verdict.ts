/** Constructors of the three check results (protocol 4.2). */
import type { Refusal, Verdict } from "../base/refusal.ts";

/** The value may be voted for. */
export const ACCEPT: Verdict = { answer: "accept" };

/** Waits for something that is missing here. */
export function wait(missing: Refusal): Verdict {
  return { answer: "wait", missing };
}

/** Refuses for a broken rule. */
export function refuse(refusal: Refusal): Verdict {
  return { answer: "refuse", refusal };
}
