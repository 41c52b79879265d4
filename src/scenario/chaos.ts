/** Random faults of links: groups of parties, and the ends and kinds of messages that a rule selects. */
import type { MessageKind } from "../simulator/plan.ts";
import type { Rng, WeightedItem } from "./rng.ts";
import type { Name } from "./schema/scalars.ts";
import type { PatternSpec } from "./schema/trigger.ts";

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
