/** What one validator is given and never changes: its key's address, the committee, the rules, memories of pure functions. */
import type { Genesis } from "../base/genesis.ts";
import type { Address, Epoch } from "../base/ids.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import { type Committee, committeeOf } from "../consensus/committee.ts";
import { genesisState } from "../ledger/genesis-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Grounds, Hashes } from "./grounds.ts";
import { createHashes } from "./hashes.ts";
import type { Rules } from "./rules.ts";

/** What one validator is given, its decision functions included. */
export interface Environment extends Grounds {
  readonly rules: Rules;
}

/** What the nodes of one world share. */
export interface Shared {
  readonly committee: Committee;
  readonly genesis: LedgerState;
  readonly authenticator: Authenticator;
  readonly hashes: Hashes;
}

/** Parts that all validators of one world share: they hold memories only, never state. @throws RangeError for an impossible genesis. */
export function sharedOf(genesis: Genesis, authenticator: Authenticator, rules: Rules): Shared {
  const { quorumOf, faultyOf } = rules.consensus;
  return {
    committee: committeeOf(genesis.chainId, 0 as Epoch, genesis.validators, quorumOf, faultyOf),
    genesis: genesisState(genesis),
    authenticator,
    hashes: createHashes(rules.ledger),
  };
}

/** The environment of one validator. @throws RangeError when `self` is no member of the committee. */
export function environmentOf(shared: Shared, self: Address, rules: Rules): Environment {
  if (!shared.committee.index.has(self)) throw new RangeError(`environment: ${self} is not in the committee`);
  return { ...shared, self, others: shared.committee.members.filter((member) => member !== self), rules };
}
