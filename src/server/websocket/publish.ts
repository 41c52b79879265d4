/** Notifications as frames, each serialized once for all readers. */
import { present } from "../../core/base/assert.ts";
import type { LiveNetwork } from "../../live/network.ts";
import type { News } from "../../live/news.ts";
import { type CopyOf, eventCheckpoint } from "../wire/shapes/checkpoint.ts";
import { transactionEvent } from "./events.ts";
import type { StreamName } from "./frame.ts";
import type { Subscription } from "./session.ts";
import { passes, touched } from "./touches.ts";

export interface Frames {
  readonly name: StreamName;
  /** `undefined` if the subscription's filter does not match. */
  frameFor(subscription: Subscription): string | undefined;
}

/** Returns the frames of one notification; `undefined` if no stream publishes it. */
export function framesOf(news: News, network: LiveNetwork): Frames | undefined {
  return news.type === "checkpoint" ? checkpointFrames(news, network) : transactionFrames(news, network);
}

type CheckpointNews = Extract<News, { readonly type: "checkpoint" }>;

function checkpointFrames(news: CheckpointNews, { archive }: LiveNetwork): Frames {
  const copyOf: CopyOf = (id) => present(archive.copyOf(id), `copy of operation ${id}`);
  const bodies = new Map<boolean, string>();
  const bodyOf = (full: boolean): string => {
    const known = bodies.get(full);
    if (known !== undefined) return known;
    const made = JSON.stringify(eventCheckpoint(news.link, full, copyOf));
    bodies.set(full, made);
    return made;
  };
  return {
    name: "CHECKPOINTS",
    frameFor: ({ id, stream }) =>
      stream.name === "CHECKPOINTS" ? eventFrame(id, "CHECKPOINTS", bodyOf(stream.full)) : undefined,
  };
}

function transactionFrames(news: News, { archive }: LiveNetwork): Frames | undefined {
  const told = transactionEvent(news, archive);
  if (told === undefined) return undefined;
  const about = touched(told.copy.submission);
  const body = JSON.stringify(told.event);
  return {
    name: "TRANSACTIONS",
    frameFor: ({ id, stream }) =>
      stream.name === "TRANSACTIONS" && passes(about, stream) ? eventFrame(id, "TRANSACTIONS", body) : undefined,
  };
}

/** Returns `{subscription, stream, result}` around a result that is JSON text already. */
function eventFrame(subscription: string, stream: StreamName, result: string): string {
  return `{"subscription":${JSON.stringify(subscription)},"stream":"${stream}","result":${result}}`;
}
