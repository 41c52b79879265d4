/** Generated links and disks. */
import type { Network } from "../../scenario/scenario.ts";
import type { Rng } from "./rng.ts";
import type { Roles } from "./roles.ts";
import type { Intensity } from "./swarm.ts";

/** Difference between the slowest and the fastest message in virtual milliseconds: minimum and maximum. */
const SLOWER = { 1: { least: 20, most: 90 }, 2: { least: 100, most: 600 } } as const;

/** Draws the section `network`. */
export function drawNetwork(rng: Rng, { swarm, validators, spares, twins }: Roles): Network {
  const fast = rng.part("delay");
  const least = fast.pick([1, 1, 5, 10]);
  const slower = swarm.slow === 0 ? undefined : SLOWER[swarm.slow];
  const more = slower === undefined ? fast.pick([0, 4, 15]) : fast.between(slower.least, slower.most);
  const write = rng.part("disks");
  return {
    validators: validators.length,
    ...(spares.length === 0 ? {} : { spares }),
    delay_ms: `${least}..${least + more}`,
    ...(rng.part("clients").chance(1, 4) ? { client_delay_ms: `1..${rng.part("clients").skewed(1, 100)}` } : {}),
    ...rate("loss", swarm.loss, ["1/30", "1/5"]),
    ...rate("duplicate", swarm.duplicate, ["1/20", "1/3"]),
    ...rate("reorder", swarm.reorder, ["1/10", "1/2"]),
    ...(swarm.disks === 0 ? {} : { write_ms: `0..${swarm.disks === 1 ? write.skewed(1, 20) : write.between(20, 60)}` }),
    ...(twins.length === 0 ? {} : { twins }),
  };
}

function rate<K extends "loss" | "duplicate" | "reorder">(
  key: K,
  level: Intensity,
  [some, extreme]: readonly [string, string],
): Pick<Network, K> {
  if (level === 0) return {} as Pick<Network, K>;
  return { [key]: level === 1 ? some : extreme } as Pick<Network, K>;
}
