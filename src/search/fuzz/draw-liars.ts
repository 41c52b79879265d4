/** What Byzantine validators of a drawn world do, and where their twins are heard. */

import { liesOf } from "../../scenario/lies.ts";
import type { ByzantinePart } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import type { StrategyPlan } from "../../simulator/plan.ts";
import { drawGroups } from "./asked.ts";
import type { Cast } from "./cast.ts";
import type { Dice, Weighted } from "./dice.ts";
import type { Script } from "./script.ts";

/** How often each strategy comes up: those that bend agreement itself more often than noise does. */
const STRATEGIES: readonly Weighted<StrategyPlan["name"]>[] = [
  [5, "double-vote"],
  [5, "double-commit"],
  [3, "hide-locks"],
  [3, "double-proposal"],
  [3, "stale-locks"],
  [2, "withhold-votes"],
  [2, "withhold-commits"],
  [2, "double-close"],
  [2, "selective-silence"],
  [2, "silence"],
  [2, "false-justification"],
  [4, "false-choices"],
  [4, "false-checkpoint"],
  [3, "false-state"],
  [2, "false-answers"],
  [2, "false-locks"],
  [2, "false-contents"],
  [1, "false-refusal"],
  [1, "replay-stale"],
  [1, "invalid-signatures"],
  [2, "inflated-rounds"],
  [2, "replay-changed"],
  [3, "mutate"],
  [1, "forged-operations"],
  [2, "careless-relay"],
  [1, "worthless-reasons"],
  [1, "other-epoch"],
];

/** The steps that make liars of those who were cast as such. */
export function drawLiars(dice: Dice, cast: Cast, script: Script): void {
  const strategies = [...STRATEGIES, ...favoured(cast)];
  const accomplices = dice.weighted(strategies);
  for (const node of cast.liars) {
    const own = dice.part(node);
    if (cast.twins.includes(node)) {
      route(own, node, cast, script);
      continue;
    }
    if (cast.losing.includes(node)) {
      script.does(0, { disk: { node, loses_last: own.between(1, 6) } });
      const at = own.between(50, cast.profile.span);
      script.does(at, { crash: { node, restart_after_ms: own.skewed(1, 1_000) } });
      continue;
    }
    const isLast = cast.keepsLast && node === cast.validators.at(-1);
    // A variant's own attack works by what its node says: nothing that silences it, and often nothing at all.
    if (isLast) {
      script.does(0, { byzantine: { node, strategy: "withhold-votes", towards: [node] } });
      if (own.chance(1, 3))
        for (const one of ["hide-locks", "withhold-commits"] as const) lie(own, node, one, cast, script);
      if (own.chance(2, 3)) continue;
    }
    const first = own.chance(1, 2) ? accomplices : own.weighted(strategies);
    const count = own.weighted([
      [3, 1],
      [2, 2],
      [1, 3],
    ]);
    const chosen = new Set([first, ...Array.from({ length: count - 1 }, () => own.weighted(strategies))]);
    for (const strategy of chosen) lie(own, node, strategy, cast, script);
  }
}

/** What makes most of the other things that a world has. */
function favoured({ swarm }: Cast): readonly Weighted<StrategyPlan["name"]>[] {
  return [
    [swarm.absences > 0 ? 40 : 0, "false-state"],
    [swarm.restrictions > 0 ? 40 * swarm.restrictions : 0, "double-vote"],
  ];
}

function lie(dice: Dice, node: Name, strategy: StrategyPlan["name"], cast: Cast, script: Script): void {
  const at = dice.chance(4, 5) ? 0 : dice.between(1, cast.profile.span);
  script.does(at, { byzantine: { node, strategy, ...detailsOf(dice, strategy, cast) } });
  if (dice.chance(1, 8)) script.does(at + dice.between(100, 3_000), { behave: { node, strategy } });
}

function detailsOf(
  dice: Dice,
  strategy: StrategyPlan["name"],
  { validators }: Cast,
): Pick<ByzantinePart, "towards" | "chance" | "lie"> {
  const lies = liesOf(strategy);
  if (lies.length > 0) return { lie: dice.pick(lies) as NonNullable<ByzantinePart["lie"]> };
  switch (strategy) {
    case "selective-silence":
      return { towards: dice.some(validators, dice.between(1, validators.length)) };
    case "withhold-votes":
    case "withhold-commits":
      return dice.chance(1, 2) ? {} : { towards: dice.some(validators, dice.between(1, validators.length)) };
    case "replay-stale":
    case "invalid-signatures":
      return { chance: dice.pick(["1/10", "1/2"]) };
    default:
      return {};
  }
}

/** Each of the two is heard by a part of the others. */
function route(dice: Dice, node: Name, { validators }: Cast, script: Script): void {
  const others = validators.filter((name) => name !== node);
  const [mine, twins] = drawGroups(dice, others, 2);
  if (mine === undefined || twins === undefined || dice.chance(1, 4)) return;
  script.does(0, { twin: { [node]: mine, [`${node}'`]: twins } });
}
