/** Memories of pure functions of immutable records, by identity: they go when the records do. */
import { present } from "../base/assert.ts";
import type { Operation, SignedOperation } from "../base/operation.ts";
import type { Listed, OperationValue, Value } from "../base/slot.ts";
import { applyRules } from "../ledger/apply.ts";
import { genesisCheckpoint, type Replay, replay } from "../ledger/checkpoint.ts";
import { copyOf, idFrom, operationId } from "../ledger/identity.ts";
import { digestOf } from "../ledger/layout.ts";
import type { LedgerRules } from "../ledger/rules.ts";
import type { LedgerState } from "../ledger/state.ts";
import { valueHash } from "../ledger/value.ts";
import { partsOf } from "./checkpoint-content.ts";
import type { Hashes } from "./grounds.ts";

/** Hashes of which each is computed once, with memories of their own. */
export function createHashes(rules: Pick<LedgerRules, "operationId" | "apply">): Hashes {
  const replays = memoised((_base: LedgerState) => new WeakMap<readonly Listed[], Replay>());
  const digest = memoised((operation: Operation) => digestOf(operation));
  const isReal = rules.operationId === operationId;
  const idOf = memoised(
    isReal ? (signed: SignedOperation) => idFrom(signed, digest(signed.operation)) : rules.operationId,
  );
  return {
    digest,
    copy: memoised(copyOf),
    genesisCheckpoint: memoised(genesisCheckpoint),
    operationId: idOf,
    operationValue: memoised((signed: SignedOperation): OperationValue => ({ type: "operation", id: idOf(signed) })),
    replay: (base, listed, operations) => {
      const known = replays(base).get(listed);
      if (known !== undefined) return known;
      const made = replayListed(base, listed, operations, rules.apply, idOf);
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
  apply: LedgerRules["apply"],
  idOf: Hashes["operationId"],
): Replay {
  const parts = present(partsOf(listed, operations), "operations of the listed slots");
  const slots = parts.map(({ slot, value, operations: [operation] }) => ({ slot, value, operation }));
  const rules = { ...applyRules, operationId: idOf };
  return replay(base, slots, (state, slot, value, operation) => apply(state, slot, value, operation, rules));
}

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
