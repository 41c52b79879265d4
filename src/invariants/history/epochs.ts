/** Epochs of a run with their committees: keys, names and honesty of validators (protocol 6.3). */
import type { EpochParameters, Member } from "../../core/base/epoch.ts";
import type { Address, Epoch } from "../../core/base/ids.ts";
import type { NodeName, RunSetting } from "../observation.ts";
import { bounds } from "./quorum.ts";

/** Keys, names and honesty of the validators of a run. */
export type CommitteeDirectory = ReturnType<typeof committeeDirectory>;

/** Validators of one epoch. */
export type EpochCommittee = ReturnType<CommitteeDirectory["committeeOf"]>;

/** Returns the roster of a run. */
export function committeeDirectory(setting: RunSetting) {
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
    /**
     * Returns the index of a key, constant during a run: the committee of epoch 0 comes first in its order, then the other
     * keys of the nodes; `undefined` for an unknown key.
     */
    indexOf: (key: Address) => places.get(key),
    keyAt,
    /** Returns true if every node with this key is honest: one Byzantine twin makes the key Byzantine. */
    isHonestKey: (key: Address) => names.has(key) && !byzantineKeys.has(key),
    isHonestNode: (node: NodeName) => honestNodes.has(node),
    /** Returns a validator's name, else its short address. */
    nameOf,
    /** Returns the names of the keys at these indices. */
    namesAt: (at: readonly number[]) => at.map((index) => nameOf(keyAt(index))),
    /** Members in committee order. A member without a node in the run has no index and counts as silent. */
    committeeOf: (validators: readonly Member[]) => {
      const members = new Set(validators.map(({ key }) => places.get(key)));
      return {
        validators,
        bounds: bounds(validators.length),
        /** Number of Byzantine members. */
        byzantine: validators.filter(({ key }) => byzantineKeys.has(key)).length,
        /** Returns true if the key at this index is a member. */
        isMember: (index: number) => members.has(index),
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
