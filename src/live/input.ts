/** External inputs of a served network as plain JSON: the content of a recording. */
import type { Step } from "../scenario/scenario.ts";
import type { SubmissionJson } from "./submission-json.ts";

export type LiveInput =
  /** A client submits a signed operation or a recovery to a validator. */
  | { readonly type: "submit"; readonly node: string; readonly submission: SubmissionJson }
  /** Milliseconds that all validators' clocks are ahead of virtual time: the network was stopped for that long. */
  | { readonly type: "clocks"; readonly aheadMs: number }
  /** A step of the scenario language, executed at once. */
  | { readonly type: "step"; readonly step: Step };
