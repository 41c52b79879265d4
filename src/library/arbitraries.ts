/** Arbitrary scenarios: `fuzz` draws them, of the kinds that a property asks for, and the passes of `shrink` make them smaller. */
import fc from "fast-check";
import { definedMembers } from "../core/base/defined-members.ts";
import { bounds } from "../invariants/history/quorum.ts";
import { validatorNames } from "../scenario/declarations.ts";
import { nodeOf } from "../scenario/names.ts";
import { createParser } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Step } from "../scenario/schema/step.ts";
import { type DrawLimits, drawWorld, sortByTime } from "../search/fuzz/draw.ts";
import { ACT_NAMES } from "../search/fuzz/generators.ts";
import type { SwarmKind } from "../search/fuzz/swarm.ts";
import { type EditPlace, editsOf } from "../search/shrink/edits.ts";
import { withoutDangling } from "../search/shrink/json-tree.ts";

/** A fragment: some members of a scenario. */
export type ScenarioFragment = Pick<Scenario, "network" | "genesis" | "clients" | "steps">;

/** The part of a fragment that fixes the committee. */
export type HasCommittee = Pick<Scenario, "network">;

/** Constraints on networks; all optional. */
export interface NetworkConstraints {
  /** Committee sizes, each as likely as its number of entries. */
  readonly validators?: readonly number[];
  /** Allows frequent checkpoints; default true. */
  readonly checkpoints?: boolean;
  /** Allows epochs that close after a number of checkpoints; default true. */
  readonly epochs?: boolean;
}

/** Bounds of the traffic. */
export interface WorkloadConstraints {
  /** Least and greatest number of client actions; default 1 and 8. */
  readonly minActs?: number;
  readonly maxActs?: number;
}

/** Constraints on scenarios; everything is allowed by default. */
export interface ScenarioConstraints extends NetworkConstraints, WorkloadConstraints {
  /** Allows loss, holding and varying delays of messages. */
  readonly schedules?: boolean;
  /** Allows up to f Byzantine validators. */
  readonly byzantine?: boolean;
  /** Allows faults of nodes and links. */
  readonly faults?: boolean;
  /** Allows committee changes by the operator. */
  readonly committees?: boolean;
}

/** Part of a scenario that a constraint excludes: what the fuzzer draws for it, and the steps of which it consists. */
interface Part {
  readonly kinds: readonly SwarmKind[];
  /** Some generators of traffic add them, too. */
  readonly verbs: readonly (keyof Step)[];
}

const SIZES: readonly number[] = [4, 4, 4, 1, 3, 5, 6, 7];
const SCHEDULES: Part = {
  kinds: ["loss", "duplicate", "reorder", "slow", "uneven", "disks", "holds"],
  verbs: ["hold", "release", "delay", "loss", "duplicate", "reorder"],
};
const BYZANTINE: Part = { kinds: ["liars"], verbs: ["byzantine", "behave", "twin"] };
const FAULTS: Part = {
  kinds: ["partitions", "cuts", "drops", "crashes", "suspensions", "wipes", "clocks"],
  verbs: ["partition", "cut", "heal", "drop", "undrop", "crash", "restart", "suspend", "wipe", "clock", "disk"],
};
const COMMITTEES: Part = { kinds: ["govern"], verbs: ["govern"] };
const TRAFFIC: readonly SwarmKind[] = ACT_NAMES.filter((name) => name !== "govern");

/** Valid scenarios, each with at most f Byzantine validators and the expectation of no violation. */
export function scenarios(constraints: ScenarioConstraints = {}): fc.Arbitrary<Scenario> {
  const { schedules: isVaried = true, byzantine = true, faults = true, committees = true } = constraints;
  const parts: readonly (readonly [isDrawn: boolean, Part])[] = [
    [isVaried, SCHEDULES],
    [byzantine, BYZANTINE],
    [faults, FAULTS],
    [committees, COMMITTEES],
  ];
  const kinds = parts.flatMap(([isDrawn, part]) => (isDrawn ? part.kinds : []));
  const verbs = parts.flatMap(([isDrawn, part]) => (isDrawn ? [] : part.verbs));
  const limits = { kinds: [...TRAFFIC, ...chainKinds(constraints), ...kinds], sizes: sizesOf(constraints) };
  return new ScenarioArbitrary(limits, new Set(verbs));
}

function chainKinds({ checkpoints = true, epochs = true }: NetworkConstraints): readonly SwarmKind[] {
  return [
    ...(checkpoints ? (["checkpoints"] as const) : []),
    ...(epochs ? (["epochs"] as const) : []),
    "fees",
    "lists",
  ];
}

function sizesOf(constraints: NetworkConstraints & WorkloadConstraints): DrawLimits["sizes"] {
  const { validators = SIZES, minActs = 1, maxActs = Math.max(8, minActs) } = constraints;
  const weights: Record<number, number> = {};
  for (const size of validators) weights[size] = (weights[size] ?? 0) + 1;
  return { validators: weights, acts: [Math.min(minActs, maxActs), maxActs] };
}

/** Place of the next edit, and whether an edit since the first one was accepted: then all are tried once more. */
interface ShrinkContext extends EditPlace {
  readonly isChanged: boolean;
}

const START: ShrinkContext = { pass: 0, at: 0, isChanged: false };
const SEED_MAX = 0x7fff_ffff;

class ScenarioArbitrary extends fc.Arbitrary<Scenario> {
  readonly #limits: DrawLimits;
  readonly #excluded: ReadonlySet<string>;
  readonly #parser = createParser();

  constructor(limits: DrawLimits, excluded: ReadonlySet<keyof Step> = new Set()) {
    super();
    this.#limits = limits;
    this.#excluded = excluded;
  }

  generate(random: fc.Random): fc.Value<Scenario> {
    const seed = String(random.nextInt(0, SEED_MAX));
    const { scenario } = drawWorld(seed, "quick", undefined, this.#limits);
    const steps = (scenario.steps ?? []).filter((step) => !Object.keys(step).some((verb) => this.#excluded.has(verb)));
    return new fc.Value(withoutDangling({ ...scenario, name: "drawn by fast-check", steps }), START);
  }

  canShrinkWithoutContext(_value: unknown): _value is Scenario {
    return false;
  }

  shrink(scenario: Scenario, context: unknown): fc.Stream<fc.Value<Scenario>> {
    return context === undefined ? fc.Stream.nil() : fc.stream(this.#smaller(scenario, context as ShrinkContext));
  }

  *#smaller(scenario: Scenario, place: ShrinkContext): Generator<fc.Value<Scenario>> {
    for (const { scenario: smaller, pass, at } of editsOf(scenario, this.#parser, place))
      yield new fc.Value(smaller, { pass, at, isChanged: true });
    if (place.isChanged) yield* this.#smaller(scenario, START);
  }
}

/** Committees of 1 to 7 with a genesis. */
export function networks(constraints: NetworkConstraints = {}): fc.Arbitrary<ScenarioFragment> {
  const limits = { kinds: chainKinds(constraints), sizes: { ...sizesOf(constraints), acts: [0, 0] as const } };
  return new ScenarioArbitrary(limits).map(({ network, genesis = {} }) => ({
    network: { validators: network?.validators ?? 1 },
    genesis,
  }));
}

/** Traffic, with the tokens, balances and accounts that it needs. One fragment assigns the nonces of all accounts. */
export function workloads(
  network: HasCommittee = {},
  constraints: WorkloadConstraints = {},
): fc.Arbitrary<ScenarioFragment> {
  const sizes = sizesOf({ ...constraints, ...sizeOf(network) });
  return new ScenarioArbitrary({ kinds: TRAFFIC, sizes }).map(({ genesis = {}, clients = {}, steps = [] }) => {
    const { tokens, balances, multisig } = genesis;
    return { genesis: definedMembers({ tokens, balances, multisig }), clients, steps };
  });
}

/** Delays, disk times and link faults of a network, with some slow links and some held messages. */
export function schedules(network: HasCommittee = {}): fc.Arbitrary<ScenarioFragment> {
  return quietScenarios(network, SCHEDULES.kinds).map(({ network: links = {}, steps = [] }) => {
    const { validators: _committee, ...rest } = links;
    return { network: rest, steps };
  });
}

/** Faults of a network. Each ends by a restart or a restored link. */
export function faultPlans(network: HasCommittee = {}): fc.Arbitrary<ScenarioFragment> {
  return quietScenarios(network, FAULTS.kinds).map(({ steps = [] }) => ({ steps }));
}

/** At most f Byzantine members of a committee. */
export function byzantineStrategies(network: HasCommittee = {}): fc.Arbitrary<ScenarioFragment> {
  return quietScenarios(network, BYZANTINE.kinds).map(({ network: { twins = [] } = {}, steps = [] }) => {
    return { network: twins.length === 0 ? {} : { twins }, steps };
  });
}

/** Proposals of committees by the operator. `byzantine`: the Byzantine members; every committee has at most f of them. */
export function committeeChanges(
  network: HasCommittee = {},
  byzantine: ReadonlySet<string> = new Set(),
): fc.Arbitrary<ScenarioFragment> {
  const isWithinF = (keys: readonly string[]): boolean =>
    keys.filter((key) => byzantine.has(nodeOf(key))).length <= bounds(keys.length).faults;
  return quietScenarios(network, COMMITTEES.kinds).map(({ network: { spares = [] } = {}, steps = [] }) => ({
    network: spares.length === 0 ? {} : { spares },
    steps: steps.flatMap((step) => {
      const { to, epoch, validators } = step.govern ?? {};
      if (epoch === undefined || validators === undefined || !isWithinF(validators)) return [];
      return [{ ...step, govern: { ...definedMembers({ to }), epoch, validators } }];
    }),
  }));
}

/** Scenarios of a committee without operations. */
function quietScenarios(network: HasCommittee, kinds: readonly SwarmKind[]): fc.Arbitrary<Scenario> {
  return new ScenarioArbitrary({ kinds, sizes: { ...sizesOf(sizeOf(network)), acts: [0, 0] } });
}

function sizeOf({ network = {} }: HasCommittee): NetworkConstraints {
  return { validators: [validatorNames({ name: "", network }).length] };
}

/**
 * Combines fragments into a scenario. A later fragment overrides members of earlier ones; steps are sorted by time. The
 * scenario expects no violation.
 */
export function combine(name: string, ...parts: readonly ScenarioFragment[]): Scenario {
  const members = {
    network: Object.assign({}, ...parts.map((part) => part.network)) as object,
    genesis: Object.assign({}, ...parts.map((part) => part.genesis)) as object,
    clients: Object.assign({}, ...parts.map((part) => part.clients)) as object,
    steps: sortByTime(parts.flatMap((part) => part.steps ?? [])),
  };
  const given = Object.entries(members).filter(([, member]) => Object.keys(member).length > 0);
  return { name, ...Object.fromEntries(given), expect: [{ violation: "none" }], allow_idle: true };
}
