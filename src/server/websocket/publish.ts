/** Notifications as frames of the websocket, each serialized once for all readers: events, and the filters that select them. */

import { requireDefined } from "../../core/base/assert.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Hash } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { LiveNetwork } from "../../live/network-view.ts";
import type { Notification } from "../../live/notifications.ts";
import type { Answers } from "../wire/answers.ts";
import type { CopyOf } from "../wire/shapes/network.ts";
import type { AffectedParties } from "../wire/shapes/receipt.ts";
import type { StreamName } from "./frame.ts";
import type { Subscription } from "./session.ts";

interface Frames {
  readonly name: StreamName;
  /** `undefined` if the subscription's filter does not match. */
  frameFor(subscription: Subscription): string | undefined;
}

/** Returns the frames of one notification; `undefined` if no stream publishes it. */
export function framesOf(notification: Notification, network: LiveNetwork, answers: Answers): Frames | undefined {
  return notification.type === "checkpoint"
    ? checkpointFrames(notification, network, answers)
    : transactionFrames(notification, network, answers);
}

type CheckpointNews = Extract<Notification, { readonly type: "checkpoint" }>;

function checkpointFrames(notification: CheckpointNews, { archive }: LiveNetwork, answers: Answers): Frames {
  const copyOf: CopyOf = (id) => requireDefined(archive.copyOf(id), `copy of operation ${id}`);
  const bodies = new Map<boolean, string>();
  const bodyOf = (full: boolean): string =>
    entryOf(bodies, full, () => JSON.stringify(answers.eventCheckpoint(notification.link, full, copyOf)));
  return {
    name: "CHECKPOINTS",
    frameFor: ({ id, stream }) =>
      stream.name === "CHECKPOINTS" ? eventFrame(id, "CHECKPOINTS", bodyOf(stream.full)) : undefined,
  };
}

/** `undefined` for notifications of no operation, and for ids that no client submitted. */
function transactionFrames(
  notification: Exclude<Notification, CheckpointNews>,
  { archive }: LiveNetwork,
  answers: Answers,
): Frames | undefined {
  if (notification.type === "violation") return undefined;
  const copy = notification.type === "submitted" ? notification.copy : archive.copyOf(notification.id);
  if (copy === undefined) return undefined;
  const about = answers.affectedBy(copy.submission);
  const hashOf = (id: OperationId): Hash | null => {
    const found = archive.copyOf(id);
    return found === undefined ? null : answers.hashOf(found);
  };
  const body = JSON.stringify(answers.transactionEvent(notification, copy, hashOf));
  return {
    name: "TRANSACTIONS",
    frameFor: ({ id, stream }) =>
      stream.name === "TRANSACTIONS" && matchesFilter(about, stream) ? eventFrame(id, "TRANSACTIONS", body) : undefined,
  };
}

/** Returns `{subscription, stream, result}` around a result that is JSON text already. */
function eventFrame(subscription: string, stream: StreamName, result: string): string {
  return `{"subscription":${JSON.stringify(subscription)},"stream":"${stream}","result":${result}}`;
}

/** Returns true if an operation matches a filter; an empty filter matches everything. */
function matchesFilter(
  { addresses, tokens }: AffectedParties,
  filter: { readonly addresses: ReadonlySet<Address>; readonly tokens: ReadonlySet<Address> },
): boolean {
  const byAddress = filter.addresses.size === 0 || addresses.some((address) => filter.addresses.has(address));
  return byAddress && (filter.tokens.size === 0 || tokens.some((token) => filter.tokens.has(token)));
}
