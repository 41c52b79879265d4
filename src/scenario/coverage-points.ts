/** Coverage points of validators and of the simulated world around them. */
import { COVERAGE_POINTS, type CoveragePoint } from "../core/validator/coverage-points.ts";

/** Coverage points of links, disks and clients. */
export const WORLD_COVERAGE_POINTS = {
  "message lost": "a link lost a message",
  "message partitioned": "a partition or a cut dropped a message",
  "message dropped": "a rule of the file dropped a message",
  "message to a stopped node": "a message arrived at a stopped node",
  "message held": "a rule of the file held a message",
  "message duplicated": "a link delivered a message twice",
  "message reordered": "a message arrived after one that was sent later on the same link",
  "finality certificate lost": "a finality certificate was lost on its way",
  "crash lost a write": "a validator crashed before a write was durable",
  "crash dropped outputs": "a validator crashed before all outputs of a step were carried out",
  "restarted without a disk": "a validator restarted with an empty disk",
  "client tried another validator": "a client submitted an operation to a second validator",
  "client verified finality": "a client verified the finality certificate of its operation",
  "client rejected finality": "a client received the status final without a valid certificate",
} as const;

export type WorldCoveragePoint = keyof typeof WORLD_COVERAGE_POINTS;

export type AnyCoveragePoint = CoveragePoint | WorldCoveragePoint;

/** All coverage points with their descriptions. */
export const ALL_COVERAGE_POINTS: Readonly<Record<AnyCoveragePoint, string>> = {
  ...COVERAGE_POINTS,
  ...WORLD_COVERAGE_POINTS,
};

/** Names of all coverage points, in the order of the tables. */
export const COVERAGE_POINT_NAMES: readonly AnyCoveragePoint[] = Object.keys(ALL_COVERAGE_POINTS) as AnyCoveragePoint[];
