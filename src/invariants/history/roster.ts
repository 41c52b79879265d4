/** Keys, honesty and names of the validators of a run, looked up from a `Setting`, and the committees of the keys. */
import type { Member } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { NodeName, Setting } from "../observation.ts";
import { type Bounds, bounds } from "./quorum.ts";

/** Validators of one epoch. */
export interface Committee {
  /** In committee order. A member without a node in the run has no index and counts as silent. */
  readonly validators: readonly Member[];
  readonly bounds: Bounds;
  /** Number of Byzantine members. */
  readonly byzantine: number;
  /** Returns true if the key at this index is a member. */
  isMember(place: number): boolean;
}

export interface Roster {
  /** All keys of the run: the committee of epoch 0 in its order, then the other keys of the nodes. */
  readonly keys: readonly Address[];
  /** Returns the index of a key, constant during a run; `undefined` for an unknown key. */
  placeOf(key: Address): number | undefined;
  keyAt(place: number): Address;
  /** Returns true if every node with this key is honest: one Byzantine twin makes the key Byzantine. */
  isHonestKey(key: Address): boolean;
  isHonestNode(node: NodeName): boolean;
  /** Returns a validator's name, else its short address. */
  nameOf(key: Address): string;
  /** Returns the names of the keys at these indices. */
  namesAt(places: readonly number[]): readonly string[];
  committeeOf(validators: readonly Member[]): Committee;
}

/** Returns the roster of a run. */
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
