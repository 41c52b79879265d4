/** The network under the real clock, as routes see it. */
import type { Submission } from "../../core/base/operation.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { LiveNetwork } from "../../live/network.ts";
import type { News } from "../../live/news.ts";
import type { NodeName } from "../../simulator/plan.ts";

/** What the asked validator says first. */
export type Answer =
  | Reply
  /** The validator does not run: nothing was admitted. */
  | { readonly status: "down" }
  /** No answer within the bound: whether it was admitted is unknown. */
  | { readonly status: "unanswered" };

export interface Host {
  /** The same object for good: snapshots and resets change what it shows. */
  readonly network: LiveNetwork;
  /** Hands it to that node and resolves with the node's first answer, within `ANSWER_MS` of real time. */
  submit(node: NodeName, submission: Submission): Promise<Answer>;
  /** True as soon as the condition holds after some event, false after `ms` of real time. */
  until(condition: () => boolean, ms: number): Promise<boolean>;
  /** Returns what ends the watch. */
  watch(listener: (news: News) => void): () => void;
}
