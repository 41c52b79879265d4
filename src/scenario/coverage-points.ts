/** Coverage points of validators and of the simulated world around them. */
import { MARKS, type Mark } from "../core/validator/marks.ts";

/** Coverage points of links, disks and clients. */
export const WORLD_MARKS = {
  "message lost": "a link lost a message",
  "message cut off": "a partition or a cut dropped a message",
  "message dropped": "a rule of the file dropped a message",
  "message at a closed door": "a message arrived at a stopped node",
  "message held": "a rule of the file held a message",
  "message doubled": "a link delivered a message twice",
  "message overtaken": "a message arrived after one that was sent later on the same link",
  "decision lost": "a finality certificate was lost on its way",
  "crash undid a write": "a validator crashed before a write was durable",
  "crash kept words back": "a validator crashed before all outputs of a step were carried out",
  "restarted without a disk": "a validator restarted with an empty disk",
  "client asked again": "a client submitted an operation to a second validator",
  "client had proof": "a client verified the finality certificate of its operation",
  "client doubted": "a client received the status final without a valid certificate",
} as const;

export type WorldMark = keyof typeof WORLD_MARKS;

export type AnyMark = Mark | WorldMark;

/** All coverage points with their descriptions. */
export const ALL_MARKS: Readonly<Record<AnyMark, string>> = { ...MARKS, ...WORLD_MARKS };

/** Names of all coverage points, in the order of the tables. */
export const MARK_NAMES: readonly AnyMark[] = Object.keys(ALL_MARKS) as AnyMark[];
