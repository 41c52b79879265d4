/**
 * Occurrences: what took place in the runs of a campaign, and the shares of runs that it needs. A generator that lost a
 * fault, a simulator that leaves one out, an oracle that compares nothing and an excuse for everything fail no run.
 */
import { INVARIANTS } from "../../invariants/catalogue.ts";
import type { InvariantName } from "../../invariants/observation.ts";
import type { RunResult } from "../../run/verdict.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../../simulator/byzantine/registry.ts";
import { GENERATOR_NAMES, ORDER_KINDS } from "./generators.ts";
import type { SeedRun } from "./seed-run.ts";

/** Step verbs, and the faults of clients, twins and closing epochs. */
export const FAULT_KINDS = [
  "loss",
  "duplicate",
  "reorder",
  "delay",
  "disk",
  "partition",
  "cut",
  "hold",
  "drop",
  "crash",
  "suspend",
  "wipe",
  "restore",
  "clock",
  "byzantine",
  "twin",
  "conflict",
  "closing",
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** Categories of occurrences, each with its names. A fault or strategy occurs where a step of it had an effect. */
const CATEGORIES = {
  /** Faults ended: from then on liveness is demanded. */
  phase: ["healing"],
  fault: FAULT_KINDS,
  /** More than f Byzantine validators excuse violations of the invariant. */
  excuse: INVARIANTS,
  /** The oracle compared something. */
  oracle: INVARIANTS,
  strategy: STRATEGY_NAMES.filter((name) => STRATEGIES[name].weight > 0),
  /** It added steps to the scenario, whether or not they had an effect. */
  generator: GENERATOR_NAMES,
  /** Kind of operation of a workload. */
  order: ORDER_KINDS,
} as const;

type Category = keyof typeof CATEGORIES;

/** Such as `fault crash`. */
export type Occurrence = { [C in Category]: `${C} ${(typeof CATEGORIES)[C][number]}` }[Category];

/** Runs with each occurrence. */
export type OccurrenceCounts = ReadonlyMap<Occurrence, number>;

/** Returns the occurrences of a run. */
export function occurrencesIn(
  { scenario, drawn }: Pick<SeedRun, "scenario" | "drawn">,
  { healed, judged, excused, idle }: Pick<RunResult, "healed" | "judged" | "excused" | "idle">,
): ReadonlySet<Occurrence> {
  const isIdle = (index: number): boolean => idle.some(({ step }) => step === index + 1);
  const steps = (scenario.steps ?? []).filter((_, index) => !isIdle(index));
  const strategies = steps.flatMap(({ byzantine }) => byzantine?.strategy ?? []);
  const mix = steps.flatMap(({ workload }) => workload?.mix ?? []);
  return new Set([
    ...(healed ? (["phase healing"] as const) : []),
    ...faultKindsIn({ ...scenario, steps }).map((kind) => `fault ${kind}` as const),
    ...excused.map((name) => `excuse ${name}` as const),
    ...judged.map((name) => `oracle ${name}` as const),
    ...strategies.map((name: StrategyName) => `strategy ${name}` as const),
    ...[...drawn].map((name) => `generator ${name}` as const),
    ...ORDER_KINDS.filter((kind) => mix.some((entry) => entry[kind] !== undefined)).map(
      (kind) => `order ${kind}` as const,
    ),
  ]);
}

/** Returns the kinds that a scenario has at least once, in the order of `FAULT_KINDS`. */
export function faultKindsIn(scenario: Scenario): readonly FaultKind[] {
  return FAULT_KINDS.filter((kind) => hasKind(scenario, kind));
}

function hasKind({ network = {}, clients = {}, genesis, steps = [] }: Scenario, kind: FaultKind): boolean {
  switch (kind) {
    case "twin":
      return (network.twins ?? []).length > 0;
    // A scripted client signs two operations for one nonce.
    case "conflict":
      return Object.values(clients).some(({ behaviour }) => behaviour === "scripted");
    case "closing":
      return genesis?.epochs !== undefined || steps.some(({ govern }) => govern !== undefined);
    case "loss":
    case "duplicate":
    case "reorder":
      return network[kind] !== undefined || steps.some((step) => step[kind] !== undefined);
    default:
      return steps.some((step) => step[kind] !== undefined);
  }
}

/** Returns the names of a category that occurred, with the numbers of runs. */
export function countsOfCategory<C extends Category>(
  occurrences: OccurrenceCounts,
  category: C,
): readonly (readonly [name: (typeof CATEGORIES)[C][number], runs: number])[] {
  return CATEGORIES[category].map((name) => [name, occurrences.get(`${category} ${name}` as Occurrence) ?? 0] as const);
}

type CampaignCounts = Readonly<{ runs: number; operations: number; finals: number; occurrences: OccurrenceCounts }>;

/** Drawn runs of which one has a final operation all but surely: about one in twenty has none. */
const IDLE_RUNS = 20;
/** Drawn runs from which on shares are steady, and what is in 6 % of the runs is absent from one of 200,000 campaigns. */
const STEADY_RUNS = 200;
/** Runs from which on the same holds of 0.7 %, and of the rarest. */
const RARE_FROM = 2_000;
const RAREST_FROM = 20_000;
/** Least share of runs that heal, and that an oracle judges; greatest share of those that an excuse is in force in. */
const USUAL = 3 / 4;
const EXCUSED = 1 / 10;
/** Invariants whose oracles judge what few runs have: recoveries, and lists of several operations. */
const RARELY_JUDGED: readonly InvariantName[] = ["recovery", "fairness"];

/** Occurrences of less than 6 % of the runs, of the quick profile or the default one, and of less than 0.7 %. */
const RARE = new Set<Occurrence>([
  "fault delay",
  "fault disk",
  "fault restore",
  "generator aged operation",
  "generator alternating burns",
  "generator crash at commit",
  "generator credits",
  "generator crowd",
  "generator early contents",
  "generator false root with a gap",
  "generator false rounds",
  "generator flood",
  "generator issues",
  "generator lapse of an epoch",
  "generator leave with locks",
  "generator lost key",
  "generator lost responses",
  "generator relocked list",
  "generator restart before applying",
  "generator restores",
  "generator return after checkpoints",
  "generator roles",
  "generator seconds",
  "generator silent proposer",
  "generator split outcome",
  "generator unseen rival",
  "generator wipes",
  "generator workload",
  "order batch",
  "order clawback",
  "order pause",
  "order unpause",
  "strategy careless-relay",
  "strategy double-close",
  "strategy double-commit",
  "strategy double-proposal",
  "strategy false-checkpoint",
  "strategy false-signers",
  "strategy silence",
  "strategy withhold-votes",
]);
const RAREST = new Set<Occurrence>([
  "generator all but the fee spent",
  "generator late copies",
  "generator long partition",
  "generator opposed listings",
  "generator payment to an excluded address",
  "generator shared allowance",
  "generator wipe among false answers",
  "order bridge_mint",
  "order cancellation",
  "order grant",
  "order metadata",
  "order mint",
  "strategy false-choices",
  "strategy false-contents",
  "strategy false-justification",
  "strategy false-refusal",
  "strategy false-state",
  "strategy forged-operations",
  "strategy hide-locks",
  "strategy inflated-rounds",
  "strategy invalid-signatures",
  "strategy replay-stale",
  "strategy selective-silence",
  "strategy slow-state",
  "strategy stale-locks",
  "strategy withhold-commits",
  "strategy worthless-reasons",
]);

/** Returns the number of runs from which on a campaign has the occurrence all but surely. */
export function leastRunsOf(name: Occurrence): number {
  if (RAREST.has(name)) return RAREST_FROM;
  return RARE.has(name) ? RARE_FROM : STEADY_RUNS;
}

/** Categories of what is drawn, with the words before the names that no run had. */
const ABSENT = [
  ["fault", "no run had"],
  ["generator", "no run drew"],
  ["order", "no workload had"],
  ["strategy", "no validator was Byzantine by"],
] as const satisfies readonly (readonly [Category, string])[];

/** Returns why the runs of a campaign show little, as clauses. */
export function shortcomingsOf({ runs, operations, finals, occurrences }: CampaignCounts): readonly string[] {
  const nothing =
    finals === 0 && operations > 0 && runs >= IDLE_RUNS ? ["not one operation of all these runs is final"] : [];
  if (runs < STEADY_RUNS) return nothing;
  const healed = occurrences.get("phase healing") ?? 0;
  return [
    ...nothing,
    ...(healed < runs * USUAL
      ? [`faults ended in ${healed} of ${runs} runs, and liveness is demanded from then on`]
      : []),
    ...countsOfCategory(occurrences, "excuse")
      .filter(([, count]) => count > runs * EXCUSED)
      .map(([name, count]) => `${name} was excused in ${Math.round((100 * count) / runs)} % of the runs`),
    ...countsOfCategory(occurrences, "oracle")
      .filter(([name, count]) => count === 0 || (count < runs * USUAL && !RARELY_JUDGED.includes(name)))
      .map(([name, count]) => `${name} was judged in ${count} of ${runs} runs`),
    ...ABSENT.flatMap(([category, words]) => {
      const names = countsOfCategory(occurrences, category)
        .filter(([name, count]) => count === 0 && runs >= leastRunsOf(`${category} ${name}` as Occurrence))
        .map(([name]) => name);
      return names.length === 0 ? [] : [`${words} ${names.join(", ")}`];
    }),
  ];
}
