/** Faults that act in a world now, read from its state: nothing has to keep count of what was switched on and off. */
import type { Engine } from "./engine.ts";
import type { Link } from "./network/network.ts";
import type { Node } from "./nodes/node.ts";
import type { Action, WorldPlan } from "./plan.ts";
import {
  DEFAULT_DISK,
  DEFAULT_LINK,
  HEALED_DELAY_MS,
  type LinkSettings,
  type NodeName,
  type Ratio,
} from "./settings.ts";

/** Actions that are no faults. */
export const HARMLESS: ReadonlySet<Action["do"]> = new Set(["submit", "workload", "govern"]);

/**
 * Returns true if a plan has no fault: validators are correct and run, disks and links are those of a healed world, and
 * events come in the order of time.
 */
export function isFaultless({ actions, nodes, link, clientLink, schedule = { method: "random" } }: WorldPlan): boolean {
  const links = [link, clientLink].map((settings) => ({ isCut: false, settings: { ...DEFAULT_LINK, ...settings } }));
  return (
    schedule.method === "random" &&
    nodes.every(({ honest }) => honest !== false) &&
    links.every((one) => linkFaultText(one) === undefined) &&
    actions.every(({ action }) => HARMLESS.has(action.do))
  );
}

/** State of the faults of a world. */
export interface FaultState {
  /** Correct validators with their disks, whether they run or not. */
  readonly correct: readonly NodeName[];
  /** A sentence part for each fault between or at them, in a fixed order; empty if they can do all that they owe. */
  readonly inForce: readonly string[];
  /** A sentence for each validator that counts as no correct one: its strategies, or the loss of its disk. */
  readonly excluded: readonly string[];
  /** Validators that follow a strategy now. */
  readonly byzantine: readonly NodeName[];
  /** Links between nodes that carry nothing: sender and receiver. */
  readonly cut: readonly (readonly [from: NodeName, to: NodeName])[];
}

/**
 * Returns the faults in force. Byzantine validators and those that lost their disks are no faults of the others: the caller
 * counts whether enough are left. O(links).
 */
export function faultState(engine: Engine): FaultState {
  const correct = engine.nodes.filter(({ honest, lostDisk }) => honest && !lostDisk);
  const inForce = [
    ...correct.flatMap((node) => nodeFaults(engine, node)),
    ...clockFaults(correct),
    ...ruleFaults(engine),
    ...linkFaults(engine),
  ];
  return {
    ...{ correct: correct.map(({ name }) => name), inForce, excluded: engine.nodes.flatMap(exclusionTexts) },
    byzantine: engine.nodes.filter(({ strategies }) => strategies.length > 0).map(({ name }) => name),
    cut: [...engine.network.usedLinks()]
      .filter(([, , { isCut }]) => isCut)
      .map(([from, to]) => [engine.nameOf(from), engine.nameOf(to)] as const),
  };
}

function exclusionTexts({ name, strategies, lostDisk }: Node): readonly string[] {
  const names = [...new Set(strategies.map(({ plan }) => plan.name))];
  return [
    ...(names.length === 0 ? [] : [`${name} is Byzantine: ${names.join(", ")}`]),
    ...(lostDisk ? [`${name} has lost its disk`] : []),
  ];
}

function nodeFaults({ config }: Engine, { name, running, isSuspended, pendingCrash, disk }: Node): readonly string[] {
  const usual = config.plan.nodes.find((node) => node.name === name)?.disk ?? config.plan.disk ?? {};
  const { writeMs } = { ...DEFAULT_DISK, ...usual };
  const { settings } = disk;
  return [
    ...(running ? [] : [`${name} is down`]),
    ...(isSuspended ? [`${name} is suspended`] : []),
    ...(pendingCrash === undefined ? [] : [`${name} is about to crash`]),
    ...(settings.writeMs.to > writeMs.to ? [`the disk of ${name} takes up to ${settings.writeMs.to} ms`] : []),
    ...(settings.losesLast > 0 ? [`the disk of ${name} loses writes`] : []),
  ];
}

function clockFaults(correct: readonly Node[]): readonly string[] {
  const [first, ...others] = correct;
  const apart = others.filter(({ ahead }) => ahead !== first?.ahead);
  return apart.map(
    ({ name, ahead }) => `the clocks of ${first?.name} and ${name} are ${ahead - (first?.ahead ?? 0)} ms apart`,
  );
}

function ruleFaults({ network }: Engine): readonly string[] {
  return [
    ...network.holds.map(({ rule }) => `rule ${rule} holds messages`),
    ...network.drops.filter(({ left }) => left > 0).map(({ rule }) => `rule ${rule} drops messages`),
    ...(network.held.length === 0 ? [] : [`${network.held.length} messages are held`]),
  ];
}

/** Links of Byzantine validators count, too: they are part of the network that a user set up. */
function linkFaults(engine: Engine): readonly string[] {
  const { network, config } = engine;
  const base = { ...DEFAULT_LINK, ...config.plan.link };
  const unused = linkFaultText({ isCut: false, settings: base });
  const found = unused === undefined ? [] : [`each link ${unused}`];
  for (const [from, to, link] of network.usedLinks()) {
    const bad = linkFaultText(link);
    if (bad !== undefined) found.push(`the link from ${engine.nameOf(from)} to ${engine.nameOf(to)} ${bad}`);
  }
  return found;
}

/** Returns what keeps a link from being as good as one after a healing (faults.ts); `undefined` if nothing does. */
function linkFaultText({ isCut, settings }: Pick<Link, "isCut" | "settings">): string | undefined {
  const { delayMs, loss, duplicate, reorder }: LinkSettings = settings;
  if (isCut) return "is cut";
  const parts = [
    ...(loss.of > 0 ? [`loses ${ratioText(loss)} of its messages`] : []),
    ...(duplicate.of > 0 ? [`duplicates ${ratioText(duplicate)}`] : []),
    ...(reorder.of > 0 ? [`reorders ${ratioText(reorder)}`] : []),
    ...(delayMs.to > HEALED_DELAY_MS ? [`takes ${delayMs.from} to ${delayMs.to} ms`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

function ratioText(ratio: Ratio): string {
  return `${ratio.of}/${ratio.in}`;
}
