/** Names of what the generator adds to a scenario: acts of clients and authorities, faults, and meetings. */
import type { MixKind } from "../../scenario/schema/workload.ts";

/** Acts, by the swarm kind that enables each. */
export const ACT_NAMES = [
  "payments",
  "credits",
  "conflicts",
  "cancellations",
  "races",
  "seconds",
  "oddities",
  "workload",
  "supply",
  "burns",
  "bridges",
  "restrictions",
  "roles",
  "metadata",
  "issues",
  "multisigs",
  "govern",
] as const;

/** Faults that are steps; each is drawn in some of the scenarios that enable it. */
const FAULT_NAMES = [
  "crashes",
  "blackouts",
  "suspensions",
  "wipes",
  "restores",
  "absences",
  "clocks",
  "partitions",
  "cuts",
  "uneven links",
  "holds",
  "drops",
] as const;

/** Meetings within one slot or one round, and whole scenarios of one kind. */
const MEETING_NAMES = [
  "silent proposer",
  "return after checkpoints",
  "restart before applying",
  "leave with locks",
  "crash at commit",
  "lapse of an epoch",
  "early contents",
  "flood",
  "aged operation",
  "opposed listings",
  "shared allowance",
  "payment to an excluded address",
  "all but the fee spent",
  "long partition",
  "late copies",
  "false root with a gap",
  "wipe among false answers",
  "lost responses",
  "lost key",
  "false rounds",
  "split outcome",
  "unseen rival",
  "relocked list",
  "alternating burns",
  "combination",
  "crowd",
] as const;

/** Kinds of operations in workloads. */
export const ORDER_KINDS = [
  "payment",
  "cancellation",
  "mint",
  "burn",
  "clawback",
  "bridge_mint",
  "batch",
  "metadata",
  "pause",
  "unpause",
  "grant",
] as const satisfies readonly MixKind[];

export const GENERATOR_NAMES = [...ACT_NAMES, ...FAULT_NAMES, ...MEETING_NAMES] as const;

export type GeneratorName = (typeof GENERATOR_NAMES)[number];
