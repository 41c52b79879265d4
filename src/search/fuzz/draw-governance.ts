/** Generated proposals that close epochs: new committees, keys, fees and checkpoints, and invalid proposals. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { GovernPart } from "../../scenario/scenario.ts";
import type { KeyName, Name } from "../../scenario/scenario-words.ts";
import type { Cast } from "./cast.ts";
import type { Dice } from "./dice.ts";
import { drawCheckpoints, drawFees, formsCheckpoints } from "./draw-genesis.ts";
import type { Script } from "./script.ts";

/** Adds all proposals, numbered from 0; an early or late one has no effect. */
export function drawGovernance(dice: Dice, cast: Cast, script: Script): void {
  const { govern } = cast.swarm;
  if (govern === 0) return;
  const count = dice.between(1, govern === 1 ? 2 : 4);
  let at = dice.skewed(50, cast.profile.span);
  for (let epoch = 0; epoch < count; epoch++) {
    const part = drawProposal(dice.part(`${epoch}`), epoch, cast);
    script.does(at, { govern: part });
    if (dice.chance(1, 6))
      script.does(at + dice.skewed(0, 300), { govern: { to: [dice.pick(cast.validators)], again: part.id ?? "" } });
    at += dice.skewed(200, 4_000);
  }
}

function drawProposal(dice: Dice, epoch: number, cast: Cast): GovernPart {
  const { swarm, validators } = cast;
  const keepsCheckpoints = formsCheckpoints(swarm);
  return {
    id: `g${epoch}`,
    to: dice.some(
      validators,
      dice.weighted([
        [4, 1],
        [1, 2],
        [1, validators.length],
      ]),
    ),
    epoch,
    ...(dice.chance(1, 12) ? { signer: dice.pick(["alice", "issuer"]) } : {}),
    ...(dice.chance(1, 16) ? { chain_id: 7 } : {}),
    ...(dice.chance(3, 4) ? { validators: drawCommittee(dice.part("committee"), cast) } : {}),
    ...(dice.chance(1, 4) ? { fees: drawFees(dice.part("fees"), true) } : {}),
    ...(keepsCheckpoints && dice.chance(1, 6) ? { checkpoints: drawCheckpoints(dice.part("checkpoints"), false) } : {}),
    ...(dice.chance(1, 6) ? { rewards: { [dice.pick(validators)]: "bob" } } : {}),
  };
}

/** Draws a committee with at most as many Byzantine or wiped members as its size tolerates. */
function drawCommittee(dice: Dice, cast: Cast): readonly KeyName[] {
  const { validators, spares } = cast;
  switch (
    dice.weighted([
      [3, "keys"],
      [3, "grow"],
      [5, "others"],
    ])
  ) {
    case "keys":
      return validators.map((name) => keyOf(dice, name, cast));
    case "grow":
      return lastKept(cast, [...validators, ...spares]);
    default: {
      const members = lastKept(cast, drawOthers(dice, cast));
      return dice.chance(1, 4) ? members.map((name) => keyOf(dice, name, cast)) : members;
    }
  }
}

/** Draws a committee from all validators, of the same size or another. */
function drawOthers(dice: Dice, cast: Cast): readonly Name[] {
  const { validators, spares, liars, wiped, isBeyond, keepsLast } = cast;
  const nodes = [...validators, ...spares];
  const least = Math.min(validators.length, keepsLast ? 4 : 3);
  const size = dice.chance(2, 3) ? validators.length : dice.between(least, nodes.length);
  const last = keepsLast ? validators.slice(-1) : [];
  const weak = nodes.filter((name) => (liars.includes(name) || wiped.includes(name)) && !last.includes(name));
  const most = isBeyond ? weak.length : Math.min(weak.length, bounds(size).faults - last.length);
  const chosen = new Set([...last, ...dice.some(weak, dice.between(0, most))]);
  const sound = dice.shuffled(nodes.filter((name) => !liars.includes(name) && !wiped.includes(name)));
  for (const name of sound) if (chosen.size < size) chosen.add(name);
  const members = nodes.filter((name) => chosen.has(name));
  // Too few are left for that size, so the committee stays.
  return members.length < size ? validators : members;
}

/** Moves the last validator of the first committee behind all others if its position is fixed. */
function lastKept({ validators, keepsLast }: Cast, members: readonly Name[]): readonly Name[] {
  const last = validators.at(-1);
  if (!keepsLast || last === undefined) return members;
  return [...members.filter((name) => name !== last), last];
}

/** Draws a key; twins share one key and a variant's own node keeps its first, so these are fixed. */
function keyOf(dice: Dice, name: Name, { twins, keepsLast, validators }: Cast): KeyName {
  const isFixed = twins.includes(name) || (keepsLast && name === validators.at(-1));
  return isFixed || dice.chance(1, 2) ? name : `${name}/${dice.between(2, 4)}`;
}
