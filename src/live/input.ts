/** Everything that reaches a served network from outside, as plain JSON: what a recording holds. */
import type { Step } from "../scenario/scenario.ts";
import type { SubmissionJson } from "./submission-json.ts";

export type LiveInput =
  /** A client hands a signed submission to a validator. */
  | { readonly type: "submit"; readonly node: string; readonly submission: SubmissionJson }
  /** All clocks of validators show so many milliseconds more than since the start: a network that stood still for a while. */
  | { readonly type: "clocks"; readonly aheadMs: number }
  /** What a step of a scenario file says, carried out at once. */
  | { readonly type: "step"; readonly step: Step };
