/** All "sometimes" marks: places that a good campaign reaches, in the validators and in the world around them. */
import { MARKS, type Mark } from "../core/validator/marks.ts";

/** What happens around validators: between the parties, to disks, and at clients. */
export const WORLD_MARKS = {
  "message lost": "a link lost a message",
  "message cut off": "a partition or a cut kept a message from arriving",
  "message dropped": "a rule of the file dropped a message",
  "message at a closed door": "a message arrived at a node that was down",
  "message held": "a rule of the file kept a message waiting",
  "message doubled": "a link delivered a message twice",
  "message overtaken": "a message arrived after one that was sent later on the same link",
  "decision lost": "a finality certificate was lost on its way",
  "crash undid a write": "a validator crashed before what it had written was durable",
  "crash kept words back": "a validator crashed after a step, before it had sent all messages of the step",
  "restarted without a disk": "a validator restarted without any durable record",
  "client asked again": "a client submitted an operation to a second validator",
  "client had proof": "a client checked a certificate that proves its operation final",
  "client doubted": "a client received a final response without a valid certificate",
} as const;

export type WorldMark = keyof typeof WORLD_MARKS;

export type AnyMark = Mark | WorldMark;

/** Each mark with what it means. */
export const ALL_MARKS: Readonly<Record<AnyMark, string>> = { ...MARKS, ...WORLD_MARKS };

/** Their names, in the order of the tables. */
export const MARK_NAMES: readonly AnyMark[] = Object.keys(ALL_MARKS) as AnyMark[];
