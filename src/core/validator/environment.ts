/** Inputs of a validator that do not change within an epoch: keys, committee, rules, caches of pure functions. */
import { requireDefined } from "../base/assert.ts";
import type { Genesis } from "../base/epoch.ts";
import type { Address } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import { type Committee, committeeOf } from "../consensus/committee.ts";
import { genesisState } from "../ledger/genesis-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { DecisionInputs } from "./decision-inputs.ts";
import { createHashCache } from "./hash-cache.ts";
import { COMMITTEES } from "./limits.ts";
import type { Rules } from "./rules.ts";

/** Environment of one validator, its decision functions included. */
export interface Environment extends DecisionInputs {
  readonly rules: Rules;
}

/** Environment that the nodes of one world share; its committee is that of epoch 0. */
export type SharedEnvironment = Pick<
  DecisionInputs,
  "committee" | "committeeOf" | "genesis" | "authenticator" | "hashes"
>;

/**
 * Returns the parts that all validators of one world share: caches only, never state.
 * @throws RangeError for an invalid genesis.
 */
export function sharedEnvironment(genesis: Genesis, authenticator: Authenticator, rules: Rules): SharedEnvironment {
  const committees = new MemoTable<string, Committee>(COMMITTEES);
  const cachedCommittee: SharedEnvironment["committeeOf"] = (epoch, members) => {
    const keys = members.map(({ key }) => key);
    return committees.getOrCompute(`${epoch} ${keys.join(" ")}`, () =>
      committeeOf(genesis.chainId, epoch, keys, rules.consensus),
    );
  };
  const state = genesisState(genesis);
  return {
    committee: cachedCommittee(state.epoch, genesis.validators),
    genesis: state,
    authenticator,
    hashes: createHashCache(rules.ledger),
    committeeOf: cachedCommittee,
  };
}

/**
 * Returns the environment of one validator in epoch 0. `keys`: all keys that it will ever sign with; it may be in no
 * committee.
 */
export function environmentOf(shared: SharedEnvironment, keys: readonly Address[], rules: Rules): Environment {
  return environmentInCommittee({ ...shared, rules, keys }, shared.committee);
}

/** Returns the environment of the same validator in the epoch of `state`. */
export function environmentInEpoch(environment: Environment, state: LedgerState): Environment {
  return environmentInCommittee(environment, environment.committeeOf(state.epoch, state.parameters.validators));
}

/** Returns the environment of the same validator beside a committee. */
export function environmentInCommittee(
  environment: Omit<Environment, "self" | "peers">,
  committee: Committee,
): Environment {
  const { keys } = environment;
  const self = keys.find((key) => committee.index.has(key)) ?? requireDefined(keys[0], "a validator's key");
  return { ...environment, self, committee, peers: committee.members.filter((member) => member !== self) };
}
