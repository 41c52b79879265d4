/** Interface through which routes use the network under the real clock. */
import type { OperationId } from "../../core/base/operation.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Reply } from "../../core/validator/output.ts";
import type { NetworkFiles, NetworkStart } from "../../live/input-history.ts";
import type { LiveListeners } from "../../live/live-run.ts";
import type { ServedNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import type { Admission, RecordingEntry, Setup } from "../../live/recording.ts";
import type { EffectiveRecording } from "../../live/replay.ts";
import type { RunEvent } from "../../run/events/run-event.ts";
import type { SnapshotKeeper } from "./snapshot-file.ts";
import type { Turns } from "./turns.ts";

/** First response of the entry validator. */
export type HostResponse =
  | Reply
  /** The validator did not respond within the time limit: the operation may be admitted or not. */
  | { readonly status: "unanswered" };

export interface Host {
  /** Served network; the object stays the same, and snapshots and resets change its state. */
  readonly network: ServedNetwork;
  /** Turns of reads and long work. */
  readonly turns: Turns;
  /** Runs the events that are due, so that an operation that is admitted next can be submitted at once. */
  runDueEvents(): void;
  /** Submits an operation that was just admitted; resolves with the node's first response, within `ANSWER_MS`. */
  submit(admission: Admission): Promise<HostResponse>;
  /** Resolves to true once the condition holds after an event, or to false after `ms` real milliseconds. */
  waitUntil(condition: () => boolean, ms: number): Promise<boolean>;
  /**
   * Resolves with the events that concern operations. Calls run one at a time; returns "busy" if too many calls wait.
   * Resolves to `undefined` if the network has more than `TRACED_EVENTS` events, whose replay takes too long.
   */
  eventsOf(ids: readonly OperationId[]): Promise<readonly RunEvent[] | undefined> | "busy";
  /** Calls `listener` with each notification; returns a function that ends the subscription. */
  subscribe(listener: (notification: Notification) => void): () => void;
}

/** Returns the first running validator with its ledger; `undefined` if all are down. */
export function firstRunningNode({
  network,
}: Host): { readonly node: string; readonly ledger: LedgerState } | undefined {
  for (const node of network.nodes) {
    const ledger = network.ledgerOf(node);
    if (ledger !== undefined) return { node, ledger };
  }
  return undefined;
}

/** Parts that a host is made of. */
export interface HostDependencies {
  readonly setup: Setup;
  readonly scheme: Scheme;
  /** Inputs of a recording to continue. */
  readonly past?: EffectiveRecording;
  /** Snapshot that the network begins from; `past` follows it. */
  readonly start?: NetworkStart | undefined;
  readonly files?: NetworkFiles | undefined;
  /** Keeps a snapshot beside the recording. */
  readonly keeper?: SnapshotKeeper | undefined;
  /** Persists an entry before it is executed. */
  readonly record: (entry: RecordingEntry) => void;
  /** Listens to the world beside the oracles; called again for each world that a return builds. */
  readonly watcher?: LiveListeners["watcher"];
  /** Receives events while somebody looks at them. */
  readonly events?: LiveListeners["events"];
  /** Called with an error that stops the network: a failed assertion of this program, or a state file that fails. */
  readonly failed: (error: unknown) => void;
}
