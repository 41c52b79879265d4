/** What one validator is given: its keys, the committee of its epoch, the rules, memories of pure functions. */
import { present } from "../base/assert.ts";
import type { Member } from "../base/epoch.ts";
import type { Genesis } from "../base/genesis.ts";
import type { Address, Epoch } from "../base/ids.ts";
import { Memo } from "../base/memo.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import { type Committee, committeeOf } from "../consensus/committee.ts";
import type { FinalityCertificate } from "../consensus/message.ts";
import { genesisState } from "../ledger/genesis-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import { COMMITTEES } from "./limits.ts";
import type { Rules } from "./rules.ts";
import type { Grounds, Hashes } from "./slots/grounds.ts";
import { createHashes } from "./slots/hashes.ts";

/** What one validator is given, its decision functions included. */
export interface Environment extends Grounds {
  readonly rules: Rules;
}

/** What the nodes of one world share. */
export interface Shared {
  /** Of epoch 0. */
  readonly committee: Committee;
  readonly genesis: LedgerState;
  readonly authenticator: Authenticator;
  readonly hashes: Hashes;
  /** The committee of these members; one record for each, by which judgements are remembered. */
  readonly committeeOf: (epoch: Epoch, members: readonly Member[]) => Committee;
}

/** Parts that all validators of one world share: they hold memories only, never state. @throws RangeError for an impossible genesis. */
export function sharedOf(genesis: Genesis, authenticator: Authenticator, rules: Rules): Shared {
  const { quorumOf, faultyOf } = rules.consensus;
  const known = new Memo<Committee>(COMMITTEES);
  const remembered: Shared["committeeOf"] = (epoch, members) => {
    const keys = members.map(({ key }) => key);
    return known.of(`${epoch} ${keys.join(" ")}`, () => committeeOf(genesis.chainId, epoch, keys, quorumOf, faultyOf));
  };
  const state = genesisState(genesis);
  return {
    committee: remembered(state.epoch, genesis.validators),
    genesis: state,
    authenticator,
    hashes: createHashes(rules.ledger),
    committeeOf: remembered,
  };
}

/** The environment of one validator in epoch 0, with all keys that it will ever sign with. It may be in no committee. */
export function environmentOf(shared: Shared, keys: readonly Address[], rules: Rules): Environment {
  return { ...shared, rules, ...placeIn(shared.committee, keys), opening: undefined };
}

/** The same validator in the epoch of this state, which `opening` opened. */
export function inEpoch(
  environment: Environment,
  state: LedgerState,
  opening: FinalityCertificate | undefined,
): Environment {
  const committee = environment.committeeOf(state.epoch, state.parameters.validators);
  return { ...environment, ...placeIn(committee, environment.keys), opening };
}

function placeIn(
  committee: Committee,
  keys: readonly Address[],
): Pick<Grounds, "keys" | "self" | "committee" | "others"> {
  const self = keys.find((key) => committee.index.has(key)) ?? present(keys[0], "a validator's key");
  return { keys, self, committee, others: committee.members.filter((member) => member !== self) };
}
