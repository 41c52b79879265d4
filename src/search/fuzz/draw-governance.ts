/** Generated proposals that close epochs: new committees, keys, fees and checkpoints, and invalid proposals. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { KeyName, Name } from "../../scenario/scalar-types.ts";
import type { GovernSpec } from "../../scenario/scenario.ts";
import { drawCheckpoints, drawFees, formsCheckpoints } from "./draw-genesis.ts";
import type { Rng } from "./rng.ts";
import type { Roles } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";

/** Adds all proposals, numbered from 0; an early or late one has no effect. */
export function drawGovernance(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const { govern } = roles.swarm;
  if (govern === 0) return;
  const count = rng.between(1, govern === 1 ? 2 : 4);
  let at = rng.skewed(50, roles.profile.span);
  for (let epoch = 0; epoch < count; epoch++) {
    const part = drawProposal(rng.part(`${epoch}`), epoch, roles);
    builder.addAt(at, { govern: part });
    if (rng.chance(1, 6))
      builder.addAt(at + rng.skewed(0, 300), { govern: { to: [rng.pick(roles.validators)], again: part.id ?? "" } });
    at += rng.skewed(200, 4_000);
  }
}

function drawProposal(rng: Rng, epoch: number, roles: Roles): GovernSpec {
  const { swarm, validators } = roles;
  const keepsCheckpoints = formsCheckpoints(swarm);
  return {
    id: `g${epoch}`,
    to: rng.some(
      validators,
      rng.weighted([
        [4, 1],
        [1, 2],
        [1, validators.length],
      ]),
    ),
    epoch,
    ...(rng.chance(1, 12) ? { signer: rng.pick(["alice", "issuer"]) } : {}),
    ...(rng.chance(1, 16) ? { chain_id: 7 } : {}),
    ...(rng.chance(3, 4) ? { validators: drawCommittee(rng.part("committee"), roles) } : {}),
    ...(rng.chance(1, 4) ? { fees: drawFees(rng.part("fees"), true) } : {}),
    ...(keepsCheckpoints && rng.chance(1, 6) ? { checkpoints: drawCheckpoints(rng.part("checkpoints"), false) } : {}),
    ...(rng.chance(1, 6) ? { rewards: { [rng.pick(validators)]: "bob" } } : {}),
  };
}

/** Draws a committee with at most as many Byzantine or wiped members as its size tolerates. */
function drawCommittee(rng: Rng, roles: Roles): readonly KeyName[] {
  const { validators, spares } = roles;
  switch (
    rng.weighted([
      [3, "keys"],
      [3, "grow"],
      [5, "others"],
    ])
  ) {
    case "keys":
      return validators.map((name) => keyOf(rng, name, roles));
    case "grow":
      return lastKept(roles, [...validators, ...spares]);
    default: {
      const members = lastKept(roles, drawOthers(rng, roles));
      return rng.chance(1, 4) ? members.map((name) => keyOf(rng, name, roles)) : members;
    }
  }
}

/** Draws a committee from all validators, of the same size or another. */
function drawOthers(rng: Rng, roles: Roles): readonly Name[] {
  const { validators, spares, byzantine, wiped, isBeyond, keepsLast } = roles;
  const nodes = [...validators, ...spares];
  const least = Math.min(validators.length, keepsLast ? 4 : 3);
  const size = rng.chance(2, 3) ? validators.length : rng.between(least, nodes.length);
  const last = keepsLast ? validators.slice(-1) : [];
  const weak = nodes.filter((name) => (byzantine.includes(name) || wiped.includes(name)) && !last.includes(name));
  const most = isBeyond ? weak.length : Math.min(weak.length, bounds(size).faults - last.length);
  const chosen = new Set([...last, ...rng.some(weak, rng.between(0, most))]);
  const sound = rng.shuffled(nodes.filter((name) => !byzantine.includes(name) && !wiped.includes(name)));
  for (const name of sound) if (chosen.size < size) chosen.add(name);
  const members = nodes.filter((name) => chosen.has(name));
  // Too few are left for that size, so the committee stays.
  return members.length < size ? validators : members;
}

/** Moves the last validator of the first committee behind all others if its position is fixed. */
function lastKept({ validators, keepsLast }: Roles, members: readonly Name[]): readonly Name[] {
  const last = validators.at(-1);
  if (!keepsLast || last === undefined) return members;
  return [...members.filter((name) => name !== last), last];
}

/** Draws a key; twins share one key and a variant's own node keeps its first, so these are fixed. */
function keyOf(rng: Rng, name: Name, { twins, keepsLast, validators }: Roles): KeyName {
  const isFixed = twins.includes(name) || (keepsLast && name === validators.at(-1));
  return isFixed || rng.chance(1, 2) ? name : `${name}/${rng.between(2, 4)}`;
}
