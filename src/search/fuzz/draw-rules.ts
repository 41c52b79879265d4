/** Generated `hold` and `drop` rules for the messages of known operations, accounts or slots. */

import type { Name } from "../../scenario/scalar-types.ts";
import type { PatternSpec, TriggerSpec } from "../../scenario/scenario.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { formsCheckpoints } from "./draw-genesis.ts";
import type { Rng, Weighted } from "./rng.ts";
import type { Roles } from "./roles.ts";
import type { KnownOperation, StepBuilder } from "./step-builder.ts";

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
  readonly part: Pick<PatternSpec, "of" | "account" | "token" | "checkpoint" | "epoch">;
  readonly at: number;
  readonly known: KnownOperation | undefined;
}

/** Adds `count` rules of one verb. */
export function drawRules(rng: Rng, verb: "hold" | "drop", count: number, roles: Roles, builder: StepBuilder): void {
  for (let left = count; left > 0; left--) {
    const { part, at, known } = drawAbout(rng, roles, builder);
    const rule = builder.rule();
    const groups = roles.swarm.govern + roles.swarm.epochs > 0 ? [...GROUPS, ...OF_EPOCHS] : GROUPS;
    const kinds = rng.chance(1, 8) ? {} : { kinds: rng.weighted(groups) };
    const limit = verb === "drop" && rng.chance(1, 3) ? { count: rng.skewed(1, 20) } : {};
    const from = Math.max(0, at - rng.skewed(0, 50));
    builder.addAt(from, { [verb]: { rule, ...part, ...kinds, ...drawEnds(rng, roles), ...limit } });
    const end = verb === "hold" ? { release: rule } : { undrop: rule };
    if (rng.chance(1, 6)) continue;
    const trigger = rng.chance(1, 4) ? drawTrigger(rng, known) : undefined;
    if (trigger === undefined) builder.addAt(at + rng.skewed(20, 5_000), end);
    else builder.addAfter(trigger, end);
  }
}

function drawAbout(rng: Rng, { swarm, profile }: Roles, builder: StepBuilder): About {
  const known = builder.known.length === 0 ? undefined : rng.pick(builder.known);
  const at = known === undefined ? rng.between(0, profile.span) : known.at;
  const everything: About = { part: {}, at, known };
  const choices: Weighted<About>[] = [[2, everything]];
  if (known !== undefined) {
    choices.push(
      [4, { part: { of: known.id }, at, known }],
      [4, { part: { account: known.account ?? known.from }, at, known }],
    );
    if (known.token !== undefined) choices.push([2, { part: { token: known.token }, at, known }]);
  }
  if (formsCheckpoints(swarm)) choices.push([3, { part: { checkpoint: rng.between(1, 5) }, at: 0, known: undefined }]);
  if (swarm.govern > 0 || (formsCheckpoints(swarm) && swarm.epochs > 0))
    choices.push([3, { part: { epoch: rng.between(0, 1) }, at: rng.between(0, profile.span), known: undefined }]);
  return rng.weighted(choices);
}

/** Draws senders, receivers, both or neither. */
function drawEnds(rng: Rng, { validators, spares }: Roles): Pick<PatternSpec, "from" | "to"> {
  const nodes = [...validators, ...spares];
  const some = (): readonly Name[] => rng.some(nodes, rng.skewed(1, nodes.length));
  switch (
    rng.weighted([
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

function drawTrigger(rng: Rng, known: KnownOperation | undefined): TriggerSpec | undefined {
  if (known === undefined) return undefined;
  if (rng.chance(1, 2)) return { round_change: known.account ?? known.from, times: rng.between(1, 5) };
  return { [rng.pick(["decided", "applied", "committed"] as const)]: known.id, plus_ms: rng.skewed(0, 500) };
}
