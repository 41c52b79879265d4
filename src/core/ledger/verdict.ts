/** Short ways to write the three answers of protocol 4.2. */
import type { Refusal, Verdict } from "../base/refusal.ts";

/** It may be voted for. */
export const ACCEPT: Verdict = { answer: "accept" };

/** Something is not here yet. */
export function wait(missing: Refusal): Verdict {
  return { answer: "wait", missing };
}

/** It breaks a rule. */
export function refuse(refusal: Refusal): Verdict {
  return { answer: "refuse", refusal };
}
