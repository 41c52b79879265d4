/** What one validator is given and never changes: its key's address, the committee, the rules, memories of pure functions. */
import { present } from "../base/assert.ts";
import type { Genesis } from "../base/genesis.ts";
import type { Address, Epoch } from "../base/ids.ts";
import type { SignedOperation } from "../base/operation.ts";
import type { Listed, Value } from "../base/slot.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import { type Committee, committeeOf } from "../consensus/committee.ts";
import { applyRules } from "../ledger/apply.ts";
import { type Replay, replay } from "../ledger/checkpoint.ts";
import { genesisState } from "../ledger/genesis-state.ts";
import { digestOf } from "../ledger/layout.ts";
import type { LedgerState } from "../ledger/state.ts";
import { valueHash } from "../ledger/value.ts";
import { partsOf } from "./checkpoint-content.ts";
import type { Grounds, Hashes } from "./grounds.ts";
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
    hashes: createHashes(rules),
  };
}

/** The environment of one validator. @throws RangeError when `self` is no member of the committee. */
export function environmentOf(shared: Shared, self: Address, rules: Rules): Environment {
  if (!shared.committee.index.has(self)) throw new RangeError(`environment: ${self} is not in the committee`);
  return { ...shared, self, others: shared.committee.members.filter((member) => member !== self), rules };
}

function createHashes(rules: Rules): Hashes {
  const operation = memoised(rules.ledger.operationId);
  const replays = memoised((_base: LedgerState) => new WeakMap<readonly Listed[], Replay>());
  const digest = memoised((signed: SignedOperation) => digestOf(signed.operation));
  return {
    operationId: operation,
    digest,
    replay: (base, listed, operations) => {
      const known = replays(base).get(listed);
      if (known !== undefined) return known;
      const made = replayListed(base, listed, operations, rules, operation);
      replays(base).set(listed, made);
      return made;
    },
    value: memoised((value: Value) => valueHash(value)),
  };
}

/** The slots of a checkpoint that has proved itself, applied in their order. */
function replayListed(
  base: LedgerState,
  listed: readonly Listed[],
  operations: readonly SignedOperation[],
  rules: Rules,
  operationId: Hashes["operationId"],
): Replay {
  const parts = present(partsOf(listed, operations), "operations of the listed slots");
  const slots = parts.map(({ slot, value, operations: [operation] }) => ({ slot, value, operation }));
  const applied = { ...applyRules, operationId };
  return replay(base, slots, (state, slot, value, operation) =>
    rules.ledger.apply(state, slot, value, operation, applied),
  );
}

/** Remembers by identity: the records are immutable, and the memory goes when they do. */
function memoised<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = compute(key);
    known.set(key, made);
    return made;
  };
}
