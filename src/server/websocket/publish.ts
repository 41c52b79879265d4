/** Notifications as frames, each serialized once for all readers. */
import { required } from "../../core/base/assert.ts";
import type { LiveNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import { type CopyOf, eventCheckpoint } from "../wire/shapes/checkpoint.ts";
import { transactionEvent } from "./events.ts";
import { affectedBy, matches } from "./filters.ts";
import type { StreamName } from "./frame.ts";
import type { Subscription } from "./session.ts";

export interface Frames {
  readonly name: StreamName;
  /** `undefined` if the subscription's filter does not match. */
  frameFor(subscription: Subscription): string | undefined;
}

/** Returns the frames of one notification; `undefined` if no stream publishes it. */
export function framesOf(notification: Notification, network: LiveNetwork): Frames | undefined {
  return notification.type === "checkpoint"
    ? checkpointFrames(notification, network)
    : transactionFrames(notification, network);
}

type CheckpointNews = Extract<Notification, { readonly type: "checkpoint" }>;

function checkpointFrames(notification: CheckpointNews, { archive }: LiveNetwork): Frames {
  const copyOf: CopyOf = (id) => required(archive.copyOf(id), `copy of operation ${id}`);
  const bodies = new Map<boolean, string>();
  const bodyOf = (full: boolean): string => {
    const known = bodies.get(full);
    if (known !== undefined) return known;
    const made = JSON.stringify(eventCheckpoint(notification.link, full, copyOf));
    bodies.set(full, made);
    return made;
  };
  return {
    name: "CHECKPOINTS",
    frameFor: ({ id, stream }) =>
      stream.name === "CHECKPOINTS" ? eventFrame(id, "CHECKPOINTS", bodyOf(stream.full)) : undefined,
  };
}

function transactionFrames(notification: Notification, { archive }: LiveNetwork): Frames | undefined {
  const told = transactionEvent(notification, archive);
  if (told === undefined) return undefined;
  const about = affectedBy(told.copy.submission);
  const body = JSON.stringify(told.event);
  return {
    name: "TRANSACTIONS",
    frameFor: ({ id, stream }) =>
      stream.name === "TRANSACTIONS" && matches(about, stream) ? eventFrame(id, "TRANSACTIONS", body) : undefined,
  };
}

/** Returns `{subscription, stream, result}` around a result that is JSON text already. */
function eventFrame(subscription: string, stream: StreamName, result: string): string {
  return `{"subscription":${JSON.stringify(subscription)},"stream":"${stream}","result":${result}}`;
}
