/** Healing phase: faults end inside a core of correct validators, and liveness is demanded from then on. */

import type { Engine } from "./engine.ts";
import { HEALED_DELAY_MS } from "./limits.ts";
import type { Link } from "./network/network.ts";
import { release } from "./network/transmit.ts";
import { changeDisk } from "./nodes/disk.ts";
import { start } from "./nodes/run-node.ts";
import type { HealingPlan, NodeName, Party } from "./plan.ts";

/**
 * Links inside the core, and between it and clients, are restored for good; crashed members restart; their disks lose
 * no more writes. All else stays as it is, unless `everywhere`. @throws RangeError if too few nodes are correct.
 */
export function beginHealing(engine: Engine, plan: HealingPlan): void {
  const core = plan.core ?? drawCore(engine, plan.atLeast);
  const nodes = plan.everywhere === true ? engine.nodes.map(({ name }) => name) : core;
  const spared = new Set<Party>([...nodes, ...engine.clients.map(({ name }) => name)]);
  engine.core = core;
  engine.network.spared = spared;
  restoreLinks(engine, spared);
  release(engine, ({ from, to }) => spared.has(from) && spared.has(to));
  engine.listener.healed?.(core);
  engine.trace.line(() => `  healing: ${core.join(" ")}`);
  for (const name of nodes) {
    const node = engine.node(name);
    node.pendingCrash = undefined;
    node.ahead = 0;
    node.disk = changeDisk(node.disk, { losesLast: 0 });
    start(engine, node);
  }
}

/** Returns true if faults no longer affect this node. */
export function isHealed(engine: Engine, name: NodeName): boolean {
  return engine.network.spared.has(name);
}

function drawCore(engine: Engine, atLeast: number): readonly NodeName[] {
  const correct = engine.nodes.filter(({ honest, lostDisk }) => honest && !lostDisk).map(({ name }) => name);
  if (correct.length < atLeast) {
    throw new RangeError(`healing: expected at least ${atLeast} correct validators, got ${correct.length}`);
  }
  const { choices } = engine;
  const size = atLeast + choices.choose(choices.stream("healing size"), 0, correct.length - atLeast + 1);
  return choices.pick(choices.stream("healing core"), correct, size);
}

/** Includes unused links, whose settings may be as bad as any. */
function restoreLinks(engine: Engine, spared: ReadonlySet<Party>): void {
  const ends = [...spared].map((party) => engine.index(party));
  for (const from of ends) {
    for (const to of ends) {
      const isLink = from !== to && (engine.isNode(from) || engine.isNode(to));
      if (isLink) restoreNode(engine.network.link(from, to));
    }
  }
}

/** Parcels may still be late: those under way keep their delays, and later ones stay behind them in order. */
function restoreNode(link: Link): void {
  const { delayMs } = link.settings;
  const to = Math.min(delayMs.to, HEALED_DELAY_MS);
  const never = { of: 0, in: 1 };
  link.isCut = false;
  link.settings = { delayMs: { from: Math.min(delayMs.from, to), to }, loss: never, duplicate: never, reorder: never };
}
