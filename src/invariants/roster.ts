/** Who takes part: committee, honesty and names, looked up from a `Setting`. */
import type { Address } from "../core/base/ids.ts";
import type { NodeName, Setting } from "./observation.ts";
import { type Bounds, bounds } from "./quorum.ts";

export interface Roster {
  /** The committee in its order. Epochs after the first keep it until governance can change it (design 6). */
  readonly members: readonly Address[];
  readonly bounds: Bounds;
  /** Place of a key in the committee, `undefined` for an outsider. */
  indexOf(key: Address): number | undefined;
  /** Whether every node that runs with this key is honest: one Byzantine twin makes the key Byzantine. */
  isHonestKey(key: Address): boolean;
  isHonestNode(node: NodeName): boolean;
  /** A validator's name, else its short address. */
  nameOf(key: Address): string;
  /** Names of the members at these places. */
  namesAt(places: readonly number[]): readonly string[];
  /** How many members of the committee are Byzantine. */
  readonly byzantine: number;
}

/** The roster of a run. */
export function roster(setting: Setting): Roster {
  const members = setting.genesis.validators;
  const places = new Map(members.map((key, place) => [key, place]));
  const names = new Map<Address, string>();
  const liars = new Set<Address>();
  const honestNodes = new Set<NodeName>();
  for (const { node, key, honest } of setting.nodes) {
    if (!names.has(key)) names.set(key, node);
    if (honest) honestNodes.add(node);
    else liars.add(key);
  }
  const nameOf = (key: Address): string => names.get(key) ?? `${key.slice(0, 10)}…`;
  return {
    members,
    bounds: bounds(members.length),
    indexOf: (key) => places.get(key),
    isHonestKey: (key) => names.has(key) && !liars.has(key),
    isHonestNode: (node) => honestNodes.has(node),
    nameOf,
    namesAt: (at) => at.map((place) => nameOf(members[place] as Address)),
    byzantine: members.filter((key) => liars.has(key)).length,
  };
}
