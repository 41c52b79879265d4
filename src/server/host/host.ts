/** Network under the real clock, as seen by routes. */
import type { OperationId } from "../../core/base/operation.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { Admission, ServedNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import type { RunEvent } from "../../run/events/run-event.ts";

/** First response of the entry validator. */
export type HostResponse =
  | Reply
  /** No response within the bound: whether it was admitted is unknown. */
  | { readonly status: "unanswered" };

export interface Host {
  /** Always the same object: snapshots and resets change its state. */
  readonly network: ServedNetwork;
  /** Carries out the events that are due: what is admitted after it can be submitted at once. */
  settle(): void;
  /** Carries out what was admitted just now; resolves with the node's first response, within `ANSWER_MS` of real time. */
  submit(admission: Admission): Promise<HostResponse>;
  /** Resolves to true once the condition holds after an event, to false after `ms` real milliseconds. */
  waitUntil(condition: () => boolean, ms: number): Promise<boolean>;
  /**
   * Resolves with the events that concern operations, one call after the other; `undefined` for a network with more than
   * `TRACED_EVENTS`, which are not repeated. The error: too many calls wait.
   */
  eventsOf(ids: readonly OperationId[]): Promise<readonly RunEvent[] | undefined> | "busy";
  /** Returns a function that ends the subscription. */
  watch(listener: (notification: Notification) => void): () => void;
}

/** Returns the first running validator with its ledger; `undefined` if all are down. */
export function firstRunning({ network }: Host): { readonly node: string; readonly ledger: LedgerState } | undefined {
  for (const node of network.nodes) {
    const ledger = network.ledgerOf(node);
    if (ledger !== undefined) return { node, ledger };
  }
  return undefined;
}
