/** Caches of pure functions of immutable records, by identity. */
import { required } from "../base/assert.ts";
import { entryOf } from "../base/entry.ts";
import { IdentityMemo } from "../base/identity-memo.ts";
import type { Hash } from "../base/ids.ts";
import type { Operation, OperationId, SignedOperation } from "../base/operation.ts";
import type { Listed, OperationValue, Value } from "../base/slot.ts";
import { applyRules } from "../ledger/apply.ts";
import { type ClosingTransition, genesisCheckpoint, type Replay, replay } from "../ledger/checkpoint.ts";
import { copyOf, idFrom, operationId } from "../ledger/identity.ts";
import { digestOf } from "../ledger/layout.ts";
import type { LedgerRules } from "../ledger/rules.ts";
import { isNext, type LedgerState } from "../ledger/state.ts";
import { valueHash } from "../ledger/value.ts";
import { listedSlots } from "./content.ts";

/** Hashes of immutable records, each computed once per world. Results depend on the records alone. */
export interface HashCache {
  /**
   * Replays the slots of a verified chain link on a state (protocol 6.1): `listed` fixes the operations, and the
   * closing.
   */
  readonly replay: (
    base: LedgerState,
    listed: readonly Listed[],
    operations: readonly SignedOperation[],
    closing?: ClosingTransition,
  ) => Replay;
  /** Returns the slots in an order in which they can be replayed on a state, without those that cannot. */
  readonly inOrder: <T extends Listed & { readonly operations: readonly SignedOperation[] }>(
    base: LedgerState,
    slots: readonly T[],
  ) => readonly T[];
  readonly digest: (operation: Operation) => Hash;
  /** Returns one copy as clients see it, and as a checkpoint counts it. */
  readonly copy: typeof copyOf;
  /** Returns the checkpoint that a genesis counts as. */
  readonly genesisCheckpoint: typeof genesisCheckpoint;
  readonly operationId: (signed: SignedOperation) => OperationId;
  /** Functions that the application of a slot calls, with the ids from this cache. */
  readonly applyRules: typeof applyRules;
  /** Returns the account slot value of an operation: one record for each, so that its hash is cached too. */
  readonly operationValue: (signed: SignedOperation) => OperationValue;
  readonly value: (value: Value) => Hash;
}

/** Returns hash functions with caches of their own: each hash is computed once. */
export function createHashCache(rules: Pick<LedgerRules, "operationId" | "apply" | "openNext">): HashCache {
  const replays = memoised((_base: LedgerState) => new WeakMap<readonly Listed[], Replay>());
  const digest = remembered((operation: Operation) => digestOf(operation));
  const isReal = rules.operationId === operationId;
  const idOf = remembered(
    isReal ? (signed: SignedOperation) => idFrom(signed, digest(signed.operation)) : rules.operationId,
  );
  const memoisedRules = { ...applyRules, operationId: idOf };
  const apply: Apply = (state, slot, value, operation) => rules.apply(state, slot, value, operation, memoisedRules);
  return {
    applyRules: memoisedRules,
    digest,
    copy: remembered(copyOf),
    genesisCheckpoint: memoised(genesisCheckpoint),
    operationId: idOf,
    operationValue: remembered((signed: SignedOperation): OperationValue => ({ type: "operation", id: idOf(signed) })),
    replay: (base, listed, operations, closing) => {
      const known = replays(base).get(listed);
      if (known !== undefined) return known;
      const parts = required(listedSlots(listed, operations), "operations of the listed slots");
      const slots = parts.map(({ slot, value, operations: [operation] }) => ({ slot, value, operation }));
      const made = replay(base, slots, apply, closing, rules.openNext);
      replays(base).set(listed, made);
      return made;
    },
    inOrder: (base, slots) => inOrder(base, slots, apply),
    value: remembered((value: Value) => valueHash(value)),
  };
}

type Apply = LedgerRules["apply"];

/** Repeats over the remaining slots while one of them can be applied: credits and authorisations may be anywhere. */
function inOrder<T extends Listed & { readonly operations: readonly SignedOperation[] }>(
  base: LedgerState,
  slots: readonly T[],
  apply: Apply,
): readonly T[] {
  const ordered: T[] = [];
  let state = base;
  for (let left = slots, count = -1; count !== left.length; ) {
    count = left.length;
    left = left.filter((one) => {
      if (!isNext(state, one.slot)) return true;
      const applied = apply(state, one.slot, one.value, one.operations[0]);
      if (applied.outcome !== "applied") return true;
      state = applied.state;
      ordered.push(one);
      return false;
    });
  }
  return ordered;
}

/** For records that come with every operation. */
function remembered<K extends object, T extends {}>(compute: (key: K) => T): (key: K) => T {
  const known = new IdentityMemo<K, T>();
  return (key) => known.of(key, compute);
}

/** For records that are few, or large: an entry ends with its record. */
function memoised<K extends object, T extends {}>(compute: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => entryOf(known, key, compute);
}
