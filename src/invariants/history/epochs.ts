/** Epochs of a run with their committees: keys, names and honesty of validators (protocol 6.3). */
import type { EpochParameters, Member } from "../../core/base/epoch.ts";
import type { Address, Epoch } from "../../core/base/ids.ts";
import type { NodeName, RunSetting } from "../observation.ts";
import { bounds, type QuorumBounds } from "./quorum.ts";

/** Validators of one epoch. */
export interface EpochCommittee {
  /** Members in committee order. A member without a node in the run has no index and counts as silent. */
  readonly validators: readonly Member[];
  readonly bounds: QuorumBounds;
  /** Number of Byzantine members. */
  readonly byzantine: number;
  /** Returns true if the key at this index is a member. */
  isMember(index: number): boolean;
}

export interface CommitteeDirectory {
  /**
   * Returns the index of a key, constant during a run: the committee of epoch 0 comes first in its order, then the other
   * keys of the nodes; `undefined` for an unknown key.
   */
  indexOf(key: Address): number | undefined;
  keyAt(index: number): Address;
  /** Returns true if every node with this key is honest: one Byzantine twin makes the key Byzantine. */
  isHonestKey(key: Address): boolean;
  isHonestNode(node: NodeName): boolean;
  /** Returns a validator's name, else its short address. */
  nameOf(key: Address): string;
  /** Returns the names of the keys at these indices. */
  namesAt(indices: readonly number[]): readonly string[];
  committeeOf(validators: readonly Member[]): EpochCommittee;
}

/** Returns the roster of a run. */
export function committeeDirectory(setting: RunSetting): CommitteeDirectory {
  const first = setting.genesis.validators.map(({ key }) => key);
  const keys = [...new Set([...first, ...setting.nodes.flatMap((node) => node.keys)])];
  const places = new Map(keys.map((key, index) => [key, index]));
  const names = new Map<Address, string>();
  const byzantineKeys = new Set<Address>();
  const honestNodes = new Set<NodeName>();
  for (const { node, keys: nodeKeys, honest } of setting.nodes) {
    if (honest) honestNodes.add(node);
    for (const key of nodeKeys) {
      if (!names.has(key)) names.set(key, node);
      if (!honest) byzantineKeys.add(key);
    }
  }
  const nameOf = (key: Address): string => names.get(key) ?? `${key.slice(0, 10)}…`;
  const keyAt = (index: number): Address => keys[index] as Address;
  return {
    indexOf: (key) => places.get(key),
    keyAt,
    isHonestKey: (key) => names.has(key) && !byzantineKeys.has(key),
    isHonestNode: (node) => honestNodes.has(node),
    nameOf,
    namesAt: (at) => at.map((index) => nameOf(keyAt(index))),
    committeeOf: (validators) => {
      const members = new Set(validators.map(({ key }) => places.get(key)));
      return {
        validators,
        bounds: bounds(validators.length),
        byzantine: validators.filter(({ key }) => byzantineKeys.has(key)).length,
        isMember: (index) => members.has(index),
      };
    },
  };
}

export interface OpenEpoch {
  readonly epoch: Epoch;
  /** Number of the chain link that opened it; 0 for the genesis. */
  readonly opened: number;
  readonly parameters: EpochParameters;
  readonly committee: EpochCommittee;
}

/** Returns an epoch with its committee. */
export function openEpoch(directory: CommitteeDirectory, epoch: Omit<OpenEpoch, "committee">): OpenEpoch {
  return { ...epoch, committee: directory.committeeOf(epoch.parameters.validators) };
}
