/** Faults of nodes, disks, clocks and links, and Byzantine behaviour: types and schema. */
import { modesOf, STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../../simulator/byzantine/registry.ts";
import { LOST_WRITES_MAX } from "../../simulator/settings.ts";
import { type Chance, chance, type Delay, delay, NAME, type Name, name, names, time } from "./scalars.ts";
import {
  defaulting,
  list,
  meaning,
  object,
  optional,
  type Shape,
  type Shapes,
  table,
  wholeNumber,
  withDescription,
} from "./shape.ts";
import { type PatternSpec, pattern } from "./trigger.ts";

export interface CrashSpec {
  readonly node: Name;
  /** Number of outputs before the crash; default 0. */
  readonly outputs?: number;
  /** Crash after the next output of this type. */
  readonly after_output?: "persist" | "erase" | "sign" | "send";
  readonly restart_after_ms?: number;
}

export interface ClockSpec {
  readonly node: Name;
  readonly ahead_ms: number;
}

export interface DiskSpec {
  readonly node: Name;
  readonly write_ms?: Delay;
  readonly loses_last?: number;
}

export interface CutSpec {
  readonly from: readonly Name[];
  readonly to: readonly Name[];
}

export type LinkSpec<T, K extends string> = { readonly from?: readonly Name[]; readonly to?: readonly Name[] } & {
  readonly [key in K]: T;
};

export interface ByzantineSpec {
  readonly node: Name;
  readonly strategy: StrategyName;
  readonly towards?: readonly Name[];
  /** The operation of `vote-for`. */
  readonly of?: Name;
  readonly chance?: Chance;
  readonly mode?: string;
}

export interface BehaveSpec {
  readonly node: Name;
  readonly strategy?: StrategyName;
}

/** Members of a step that are faults. */
export interface FaultSpecs {
  readonly crash?: CrashSpec;
  readonly restart?: Name;
  readonly wipe?: Name;
  readonly clock?: ClockSpec;
  readonly disk?: DiskSpec;
  readonly partition?: readonly (readonly Name[])[];
  readonly cut?: CutSpec;
  readonly heal?: true | readonly Name[];
  readonly delay?: LinkSpec<Delay, "ms">;
  readonly loss?: LinkSpec<Chance, "chance">;
  readonly duplicate?: LinkSpec<Chance, "chance">;
  readonly reorder?: LinkSpec<Chance, "chance">;
  readonly drop?: PatternSpec;
  readonly undrop?: true | Name;
  readonly hold?: PatternSpec;
  readonly release?: true | Name;
  readonly byzantine?: ByzantineSpec;
  readonly behave?: BehaveSpec;
  readonly twin?: Readonly<Record<Name, readonly Name[]>>;
}

const CRASH_OUTPUTS: Readonly<Record<NonNullable<CrashSpec["after_output"]>, string>> = {
  persist: "It writes a durable record.",
  erase: "It erases a durable record.",
  sign: "It signs and sends a statement.",
  send: "It sends a message without a signature of its own.",
};

function link<T, K extends string>(verb: string, key: K, shape: Shape<T>, shown: string): Shape<LinkSpec<T, K>> {
  const members = {
    from: optional(names("the senders; default: all validators")),
    to: optional(names("the receivers; default: all validators")),
    [key]: shape,
  };
  return object<Record<string, unknown>>(`${verb} Example: ${shown}`, members as never) as unknown as Shape<
    LinkSpec<T, K>
  >;
}

function nameOr(what: string, shape: Record<string, unknown>): Shape<never> {
  return { pattern: NAME, not: { const: false }, ...shape, description: what } as unknown as Shape<never>;
}

const STRATEGY_MEANINGS = Object.fromEntries(STRATEGY_NAMES.map((one) => [one, STRATEGIES[one].sentence])) as Readonly<
  Record<StrategyName, string>
>;

/** Meanings of the modes of all strategies: two strategies may share the name of a mode. */
const MODE_MEANINGS: Readonly<Record<string, string>> = STRATEGY_NAMES.reduce<Record<string, string>>(
  (all, strategy) => {
    for (const [mode, sentence] of Object.entries(STRATEGIES[strategy].modes ?? {}))
      all[mode] = [...(mode in all ? [all[mode]] : []), `${strategy}: ${sentence}`].join(" ");
    return all;
  },
  {},
);

const WITH_MODES: readonly string[] = STRATEGY_NAMES.filter((one) => modesOf(one).length > 0).map(
  (one) => `${one} (default: ${modesOf(one)[0]})`,
);

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export const FAULTS: Shapes<FaultSpecs> = {
  crash: object<CrashSpec>(
    "A validator crashes and loses its volatile state. Example: - { at: 100, crash: { node: v2, restart_after_ms: 500 } }",
    {
      node: name("the validator"),
      outputs: optional(
        wholeNumber(
          "the number of its further outputs before the crash: 0 to 100000; default: it crashes at once",
          0,
          100_000,
        ),
      ),
      after_output: optional(
        meaning(
          "the type of its next output, right after which it crashes; default: it crashes at once",
          CRASH_OUTPUTS,
        ),
      ),
      restart_after_ms: optional(time("the time from the crash to the restart; default: it stays down")),
    },
  ),
  restart: withDescription(
    "A validator that is down starts again from its disk. Example: - { at: 900, restart: v2 }",
    name("the validator"),
  ),
  wipe: withDescription(
    "A validator loses its volatile state and its disk, and is down until `restart`. Example: - { at: 100, wipe: v2 }",
    name("the validator"),
  ),
  clock: object<ClockSpec>(
    "Sets the clock of a validator ahead of the others, or behind. Example: - { at: 0, clock: { node: v3, ahead_ms: 40000 } }",
    {
      node: name("the validator"),
      ahead_ms: wholeNumber(
        "the milliseconds by which it is ahead, negative where behind: -86400000 to 86400000",
        -86_400_000,
        86_400_000,
      ),
    },
  ),
  disk: object<DiskSpec>("Changes the disk of a validator. Example: - { at: 0, disk: { node: v1, write_ms: 5..10 } }", {
    node: name("the validator"),
    write_ms: optional(delay("the time that a write takes; default: unchanged")),
    loses_last: optional(
      wholeNumber(
        `the number of acknowledged records that a crash loses, which makes the validator count as Byzantine: 0 to ${LOST_WRITES_MAX}`,
        0,
        LOST_WRITES_MAX,
      ),
    ),
  }),
  partition: list(
    "Cuts all links between the groups; parties that are absent keep theirs. Example: - { at: 50, partition: [[v1, v2], [v3, v4]] }",
    names("the parties of one group"),
  ),
  cut: object<CutSpec>("Cuts links in one direction. Example: - { at: 50, cut: { from: [v1], to: [v2] } }", {
    from: names("the senders"),
    to: names("the receivers"),
  }),
  heal: nameOr(
    "Ends all partitions and cuts, or those between the parties listed. Example: - { at: 500, heal: true }",
    {
      type: ["boolean", "array"],
      items: name("a validator or client"),
      minItems: 1,
    },
  ),
  delay: link<Delay, "ms">(
    "Changes the delay of links.",
    "ms",
    delay("the time that a message takes"),
    "- { at: 0, delay: { to: [v3], ms: 200..300 } }",
  ),
  loss: link<Chance, "chance">(
    "Changes the share of messages that links lose.",
    "chance",
    chance("the share of messages"),
    "- { at: 0, loss: { from: [v1], chance: 1/5 } }",
  ),
  duplicate: link<Chance, "chance">(
    "Changes the share of messages that links deliver twice.",
    "chance",
    chance("the share of messages"),
    "- { at: 0, duplicate: { chance: 1/5 } }",
  ),
  reorder: link<Chance, "chance">(
    "Changes the share of messages that may overtake earlier ones on their link.",
    "chance",
    chance("the share of messages"),
    "- { at: 0, reorder: { chance: 1/5 } }",
  ),
  drop: pattern("Drops the messages that match every member.", "- { at: 0, drop: { kinds: [finality], from: [v1] } }"),
  undrop: nameOr("Ends the rule of `drop` with this name, or all. Example: - { at: 500, undrop: true }", {
    type: ["boolean", "string"],
  }),
  hold: pattern(
    "Keeps the messages that match every member until `release`.",
    "- { at: 0, hold: { rule: late, kinds: [commit], of: x } }",
  ),
  release: nameOr(
    "Ends the rule of `hold` with this name, or all, and delivers the messages that it kept. Example: - { at: 500, release: late }",
    {
      type: ["boolean", "string"],
    },
  ),
  byzantine: object<ByzantineSpec>(
    "A validator is Byzantine from now on. Several strategies may act together. Example: - { at: 0, byzantine: { node: v4, strategy: double-vote } }",
    {
      node: name("the validator"),
      strategy: meaning("a Byzantine strategy", STRATEGY_MEANINGS),
      towards: optional(
        names(
          `the parties that ${listed(STRATEGY_NAMES.filter((one) => STRATEGIES[one].towards !== undefined))} treat badly; default: all, of ${listed(STRATEGY_NAMES.filter((one) => STRATEGIES[one].towards === "none"))} none`,
        ),
      ),
      of: optional(
        name(`the operation that ${listed(STRATEGY_NAMES.filter((one) => STRATEGIES[one].readsOperation))} votes for`),
      ),
      chance: optional(
        defaulting(
          "1/2",
          chance("the share of steps in which replay-stale, and of statements on which invalid-signatures acts"),
        ),
      ),
      mode: optional(meaning(`the false part, of ${listed(WITH_MODES)}`, MODE_MEANINGS)),
    },
  ),
  behave: object<BehaveSpec>(
    "A Byzantine validator ends one strategy, or all of them. Example: - { at: 900, behave: { node: v4 } }",
    {
      node: name("the validator"),
      strategy: optional(meaning("the strategy that ends; default: all", STRATEGY_MEANINGS)),
    },
  ),
  twin: table(
    'Routes the messages of parties to one of two nodes with one key; messages of all others reach both. Example: - { at: 0, twin: { v4: [v1, v2], "v4\'": [v3] } }',
    NAME,
    names("the parties whose messages reach this node"),
  ),
};
