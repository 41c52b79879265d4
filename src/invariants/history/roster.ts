/** Who takes part in a run: keys, honesty and names, looked up from a `Setting`, and the committees that keys make. */
import type { Member } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { NodeName, Setting } from "../observation.ts";
import { type Bounds, bounds } from "./quorum.ts";

/** The validators of one epoch. */
export interface Committee {
  /** In their order. One that no node of the run signs for has no place, and counts as a silent one. */
  readonly validators: readonly Member[];
  readonly bounds: Bounds;
  /** How many of them are Byzantine. */
  readonly byzantine: number;
  /** Whether the key at this place is one of them. */
  isMember(place: number): boolean;
}

export interface Roster {
  /** Every key of the run: the committee of epoch 0 in its order, then the others of the nodes. */
  readonly keys: readonly Address[];
  /** Place of a key among them, the same during the whole run; `undefined` for a stranger's. */
  placeOf(key: Address): number | undefined;
  keyAt(place: number): Address;
  /** Whether every node that runs with this key is honest: one Byzantine twin makes the key Byzantine. */
  isHonestKey(key: Address): boolean;
  isHonestNode(node: NodeName): boolean;
  /** A validator's name, else its short address. */
  nameOf(key: Address): string;
  /** Names of the keys at these places. */
  namesAt(places: readonly number[]): readonly string[];
  committeeOf(validators: readonly Member[]): Committee;
}

/** The roster of a run. */
export function roster(setting: Setting): Roster {
  const first = setting.genesis.validators.map(({ key }) => key);
  const keys = [...new Set([...first, ...setting.nodes.flatMap((node) => node.keys)])];
  const places = new Map(keys.map((key, place) => [key, place]));
  const names = new Map<Address, string>();
  const liars = new Set<Address>();
  const honestNodes = new Set<NodeName>();
  for (const { node, keys: own, honest } of setting.nodes) {
    if (honest) honestNodes.add(node);
    for (const key of own) {
      if (!names.has(key)) names.set(key, node);
      if (!honest) liars.add(key);
    }
  }
  const nameOf = (key: Address): string => names.get(key) ?? `${key.slice(0, 10)}…`;
  const keyAt = (place: number): Address => keys[place] as Address;
  return {
    keys,
    placeOf: (key) => places.get(key),
    keyAt,
    isHonestKey: (key) => names.has(key) && !liars.has(key),
    isHonestNode: (node) => honestNodes.has(node),
    nameOf,
    namesAt: (at) => at.map((place) => nameOf(keyAt(place))),
    committeeOf: (validators) => {
      const members = new Set(validators.map(({ key }) => places.get(key)));
      return {
        validators,
        bounds: bounds(validators.length),
        byzantine: validators.filter(({ key }) => liars.has(key)).length,
        isMember: (place) => members.has(place),
      };
    },
  };
}
