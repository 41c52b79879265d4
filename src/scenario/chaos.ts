/** Random faults for a time, drawn from the seed of the run. Each ends by itself, and undoes nothing that a step did. */
import type { Static } from "typebox";
import { unreachable } from "../core/base/assert.ts";
import type { Path, ScenarioIssue } from "../schema/problem.ts";
import { choiceWithMeanings, list, object, optional, withDefault } from "../schema/shape.ts";
import type { Action, MessageKind, MessagePattern } from "../simulator/plan.ts";
import { checkNames } from "./check/name-check.ts";
import { rangeOf } from "./compile/parts.ts";
import { CHAOS_FAULTS } from "./limits.ts";
import type { Declarations } from "./names.ts";
import { Rng, type WeightedItem } from "./rng.ts";
import { checkRange, delay, type Name, names, time } from "./schema/scalars.ts";
import type { PatternSpec } from "./schema/trigger.ts";

const KINDS = {
  crash: "A validator crashes and restarts.",
  suspend: "A validator is suspended and goes on.",
  partition: "No message passes between two groups of validators.",
  loss: "Messages of some kinds are lost between some validators.",
  delay: "Messages of some kinds between some validators arrive when the fault ends.",
};

type ChaosKind = keyof typeof KINDS;

const EVERY_MS = "100..500";
const LASTING_MS = "20..800";

export const chaos = object(
  "Random faults for a time, drawn from the seed of the run. Each ends by itself, at the latest with that time, and undoes nothing that another step did. Example: - { at: 100, chaos: { for_ms: 3000, every_ms: 100..300, kinds: [crash, partition] } }",
  {
    for_ms: time("the time in which the faults begin and end"),
    every_ms: withDefault(EVERY_MS, delay("the time from the beginning of one fault to the next")),
    lasting_ms: withDefault(LASTING_MS, delay("the time that a fault lasts")),
    kinds: optional(list("the kinds of faults; default: all", choiceWithMeanings("a kind of fault", KINDS))),
    nodes: optional(names("the validators that the faults are about; default: all")),
  },
);

export type ChaosSpec = Static<typeof chaos>;

/** The issues of a chaos that matches the schema. */
export function checkChaos(spec: ChaosSpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const ranges = [
    ...checkRange([...path, "every_ms"], spec.every_ms),
    ...checkRange([...path, "lasting_ms"], spec.lasting_ms),
    ...checkNames(declared, "node", [...path, "nodes"], spec.nodes),
  ];
  if (ranges.length > 0) return ranges;
  const { from, to } = rangeOf(spec.every_ms ?? EVERY_MS);
  if (from < 1 || spec.for_ms / from > CHAOS_FAULTS)
    return [{ path, message: `expected at most ${CHAOS_FAULTS} faults, got \`for_ms\` / \`every_ms\` above it` }];
  return to < spec.for_ms ? [] : [{ path, message: "expected `for_ms` to be longer than `every_ms`, got no fault" }];
}

/** An action of a chaos, in virtual milliseconds after its beginning. */
export interface ChaosAction {
  readonly lateMs: number;
  readonly action: Action;
}

/** The actions of a chaos, each fault before its end. `all`: all validators; `step`: its number in the file, from 1. */
export function drawChaos(
  spec: ChaosSpec,
  { seed, all, step }: { readonly seed: string; readonly all: readonly Name[]; readonly step: number },
): readonly ChaosAction[] {
  const { for_ms, nodes = all, kinds = Object.keys(KINDS) as ChaosKind[] } = spec;
  const rng = new Rng(seed, `chaos ${step}`);
  const [every, lasting] = [rangeOf(spec.every_ms ?? EVERY_MS), rangeOf(spec.lasting_ms ?? LASTING_MS)];
  const chaosActions: ChaosAction[] = [];
  for (let at = rng.integer(every.from, every.to); at < for_ms; at += rng.integer(every.from, every.to)) {
    const forMs = Math.min(rng.integer(lasting.from, lasting.to), for_ms - at);
    const rule = `chaos ${step}.${chaosActions.length + 1}`;
    const actions = faultOf(rng.pick(kinds), rng.split(rule), nodes, forMs, rule);
    chaosActions.push(...actions.map((action) => ({ lateMs: at, action })));
    const last = actions.at(-1)?.do;
    if (last === "drop") chaosActions.push({ lateMs: at + forMs, action: { do: "undrop", rule } });
    if (last === "hold") chaosActions.push({ lateMs: at + forMs, action: { do: "release", rule } });
  }
  return chaosActions;
}

/** The actions with which a fault begins. A crash and a suspension end by themselves, a rule by its name. */
function faultOf(kind: ChaosKind, rng: Rng, nodes: readonly Name[], forMs: number, rule: string): readonly Action[] {
  const messages = (): MessagePattern => ({ kinds: rng.pickWeighted(...RULED_KINDS), ...drawEnds(rng, nodes) });
  switch (kind) {
    case "crash":
      return [{ do: "crash", node: rng.pick(nodes), restartAfterMs: forMs }];
    case "suspend":
      return [{ do: "suspend", node: rng.pick(nodes), resumeAfterMs: forMs }];
    case "partition": {
      const [firstGroup = [], secondGroup = []] = drawGroups(rng, nodes, 2);
      const ends = [
        { from: firstGroup, to: secondGroup },
        { from: secondGroup, to: firstGroup },
      ];
      return ends.map((between) => ({ do: "drop", rule, messages: between }));
    }
    case "loss":
      return [{ do: "drop", rule, messages: messages() }];
    case "delay":
      return [{ do: "hold", rule, messages: messages() }];
    default:
      return unreachable(kind);
  }
}

/** Kinds that a rule affects together: a validator that misses one alone receives the same facts by the next. */
export const RULED_KINDS: readonly WeightedItem<readonly MessageKind[]>[] = [
  [4, ["commit"]],
  [4, ["lock"]],
  [3, ["finality", "decisions"]],
  [3, ["finality"]],
  [2, ["vote"]],
  [2, ["offer", "disclosure"]],
  [2, ["proposal"]],
  [2, ["proposal", "fetch", "decisions", "finality"]],
  [2, ["lock", "fetch", "decisions", "finality"]],
  [2, ["vote", "offer", "lock", "decisions", "finality"]],
  [2, ["roundChange"]],
  [2, ["roundChange", "proposal", "lock", "finality", "decisions"]],
  [1, ["snapshot"]],
  [1, ["status"]],
  [1, ["reply"]],
];

/** Draws senders, receivers, both or neither. */
export function drawEnds(rng: Rng, nodes: readonly Name[]): Pick<PatternSpec, "from" | "to"> {
  const someNodes = (): readonly Name[] => rng.pickSome(nodes, rng.pickSkewed(1, nodes.length));
  switch (rng.pickWeighted([3, "to"], [3, "from"], [2, "all"], [1, "both"])) {
    case "to":
      return { to: someNodes() };
    case "from":
      return { from: someNodes() };
    case "both":
      return { from: someNodes(), to: someNodes() };
    default:
      return {};
  }
}

/** Splits the validators into `count` groups, none of them empty. */
export function drawGroups(rng: Rng, names: readonly Name[], count: number): readonly (readonly Name[])[] {
  const groups: Name[][] = Array.from({ length: Math.min(count, names.length) }, () => []);
  for (const [index, name] of rng.shuffle(names).entries()) {
    const place = index < groups.length ? index : rng.integer(0, groups.length - 1);
    groups[place]?.push(name);
  }
  return groups.map((group) => group.sort());
}
