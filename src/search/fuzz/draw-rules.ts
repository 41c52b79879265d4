/** Generated `hold` and `drop` rules for the messages of known operations, accounts or slots. */

import type { PatternPart, TriggerPart } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import type { Cast } from "./cast.ts";
import type { Dice, Weighted } from "./dice.ts";
import { formsCheckpoints } from "./draw-genesis.ts";
import type { Known, Script } from "./script.ts";

/** Kinds that a rule affects together: a validator that misses one alone receives the same facts by the next. */
const GROUPS: readonly Weighted<readonly MessageKind[]>[] = [
  [4, ["commit"]],
  [4, ["lock"]],
  [3, ["finality", "decisions"]],
  [3, ["finality"]],
  [2, ["vote"]],
  [2, ["offer", "shown", "reason"]],
  [2, ["proposal"]],
  [2, ["proposal", "fetch", "decisions", "finality"]],
  [2, ["lock", "fetch", "decisions", "finality"]],
  [2, ["vote", "offer", "lock", "decisions", "finality"]],
  [2, ["roundChange"]],
  [2, ["roundChange", "proposal", "lock", "finality", "decisions"]],
  [1, ["snapshot"]],
  [1, ["logPage", "status", "logRequest"]],
  [1, ["reply"]],
];

/** Kinds that are sent only if epochs close. */
const OF_EPOCHS: readonly Weighted<readonly MessageKind[]>[] = [
  [5, ["close"]],
  [2, ["cause"]],
  [2, ["epochAnswer", "epochQuestion"]],
];

/** Subject of a rule, and the time at which it begins. */
interface About {
  readonly part: Pick<PatternPart, "of" | "account" | "token" | "checkpoint" | "epoch">;
  readonly at: number;
  readonly known: Known | undefined;
}

/** Adds `count` rules of one verb. */
export function drawRules(dice: Dice, verb: "hold" | "drop", count: number, cast: Cast, script: Script): void {
  for (let left = count; left > 0; left--) {
    const { part, at, known } = drawAbout(dice, cast, script);
    const rule = script.rule();
    const groups = cast.swarm.govern + cast.swarm.epochs > 0 ? [...GROUPS, ...OF_EPOCHS] : GROUPS;
    const kinds = dice.chance(1, 8) ? {} : { kinds: dice.weighted(groups) };
    const limit = verb === "drop" && dice.chance(1, 3) ? { count: dice.skewed(1, 20) } : {};
    const from = Math.max(0, at - dice.skewed(0, 50));
    script.does(from, { [verb]: { rule, ...part, ...kinds, ...drawEnds(dice, cast), ...limit } });
    const end = verb === "hold" ? { release: rule } : { undrop: rule };
    if (dice.chance(1, 6)) continue;
    const trigger = dice.chance(1, 4) ? drawTrigger(dice, known) : undefined;
    if (trigger === undefined) script.does(at + dice.skewed(20, 5_000), end);
    else script.follows(trigger, end);
  }
}

function drawAbout(dice: Dice, { swarm, profile }: Cast, script: Script): About {
  const known = script.known.length === 0 ? undefined : dice.pick(script.known);
  const at = known === undefined ? dice.between(0, profile.span) : known.at;
  const everything: About = { part: {}, at, known };
  const choices: Weighted<About>[] = [[2, everything]];
  if (known !== undefined) {
    choices.push(
      [4, { part: { of: known.id }, at, known }],
      [4, { part: { account: known.account ?? known.from }, at, known }],
    );
    if (known.token !== undefined) choices.push([2, { part: { token: known.token }, at, known }]);
  }
  if (formsCheckpoints(swarm)) choices.push([3, { part: { checkpoint: dice.between(1, 5) }, at: 0, known: undefined }]);
  if (swarm.govern > 0 || (formsCheckpoints(swarm) && swarm.epochs > 0))
    choices.push([3, { part: { epoch: dice.between(0, 1) }, at: dice.between(0, profile.span), known: undefined }]);
  return dice.weighted(choices);
}

/** Draws senders, receivers, both or neither. */
function drawEnds(dice: Dice, { validators, spares }: Cast): Pick<PatternPart, "from" | "to"> {
  const nodes = [...validators, ...spares];
  const some = (): readonly Name[] => dice.some(nodes, dice.skewed(1, nodes.length));
  switch (
    dice.weighted([
      [3, "to"],
      [3, "from"],
      [2, "all"],
      [1, "both"],
    ])
  ) {
    case "to":
      return { to: some() };
    case "from":
      return { from: some() };
    case "both":
      return { from: some(), to: some() };
    default:
      return {};
  }
}

function drawTrigger(dice: Dice, known: Known | undefined): TriggerPart | undefined {
  if (known === undefined) return undefined;
  if (dice.chance(1, 2)) return { round_change: known.account ?? known.from, times: dice.between(1, 5) };
  return { [dice.pick(["decided", "applied", "committed"] as const)]: known.id, plus_ms: dice.skewed(0, 500) };
}
