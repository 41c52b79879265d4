/** Caches of pure functions of immutable records, by identity. */
import { requireDefined } from "../base/assert.ts";
import { entryOf } from "../base/entry.ts";
import type { Hash, Sequence, Version } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import type { Operation, OperationId, SignedOperation } from "../base/operation.ts";
import { type ListedDecision, type OperationValue, sequencePrefix, slotNumber, type Value } from "../base/slot.ts";
import {
  type ClosingTransition,
  genesisCheckpoint,
  type LedgerReplay,
  type ReplayRules,
  replayLedger,
} from "../ledger/checkpoint.ts";
import { copyOf, operationId, operationIdOfDigest } from "../ledger/identity.ts";
import { digestOf } from "../ledger/layout.ts";
import { multisigAddress } from "../ledger/multisig.ts";
import { effectSlotOf, tokenOfOperation } from "../ledger/operations/kinds.ts";
import { isNext, type LedgerState } from "../ledger/state.ts";
import { valueHash } from "../ledger/value.ts";
import { listedSlots } from "./content.ts";

/** Hashes of immutable records, each computed once per world. Results depend on the records alone. */
export interface HashCache {
  /** Replays the slots of a verified chain link on a state (protocol 6.1). `listed` fixes operations and closing. */
  readonly replay: (
    base: LedgerState,
    listed: readonly ListedDecision[],
    operations: readonly SignedOperation[],
    closing?: ClosingTransition,
  ) => LedgerReplay;
  /** Returns the slots in an order in which they can be replayed on a state, without those that cannot. */
  readonly inOrder: <T extends ListedDecision & { readonly operations: readonly SignedOperation[] }>(
    base: LedgerState,
    slots: readonly T[],
  ) => readonly T[];
  readonly digest: (operation: Operation) => Hash;
  /** Returns one copy as clients see it, and as a checkpoint counts it. */
  readonly copy: typeof copyOf;
  /** Returns the checkpoint that a genesis counts as. */
  readonly genesisCheckpoint: typeof genesisCheckpoint;
  readonly operationId: (signed: SignedOperation) => OperationId;
  /** Returns the account slot value of an operation: one record for each, so that its hash is cached too. */
  readonly operationValue: (signed: SignedOperation) => OperationValue;
  readonly value: (value: Value) => Hash;
}

/** Returns hash functions with caches of their own: each hash is computed once. */
export function createHashCache(rules: ReplayRules): HashCache {
  const replays = memoizeWeakly((_base: LedgerState) => new WeakMap<readonly ListedDecision[], LedgerReplay>());
  const digest = memoizeRecent((operation: Operation) => digestOf(operation));
  const isReal = rules.operationId === operationId;
  const idOf = memoizeRecent(
    isReal ? (signed: SignedOperation) => operationIdOfDigest(signed, digest(signed.operation)) : rules.operationId,
  );
  const hashedRules = { ...rules, operationId: idOf };
  return {
    digest,
    copy: memoizeRecent(copyOf),
    genesisCheckpoint: memoizeWeakly(genesisCheckpoint),
    operationId: idOf,
    operationValue: memoizeRecent(
      (signed: SignedOperation): OperationValue => ({ type: "operation", id: idOf(signed) }),
    ),
    replay: (base, listed, operations, closing) => {
      const known = replays(base).get(listed);
      if (known !== undefined) return known;
      const parts = requireDefined(listedSlots(listed, operations), "operations of the listed slots");
      const slots = parts.map(({ slot, value, operations: [operation] }) => ({ slot, value, operation }));
      const replayed = replayLedger(base, slots, hashedRules, closing);
      replays(base).set(listed, replayed);
      return replayed;
    },
    inOrder: (base, slots) => replayOrder(base, slots, hashedRules),
    value: memoizeRecent((value: Value) => valueHash(value)),
  };
}

/**
 * Applies each sequence as far as it goes, and again once an effect may have credited its account or authorised for it.
 * O(slots and effects), so that no chain of payments makes it the square.
 */
function replayOrder<T extends ListedDecision & { readonly operations: readonly SignedOperation[] }>(
  base: LedgerState,
  slots: readonly T[],
  rules: ReplayRules,
): readonly T[] {
  const ordered: T[] = [];
  const sequences = new Map<string, T[]>();
  for (const item of slots) entryOf(sequences, sequencePrefix(item.slot), () => []).push(item);
  for (const items of sequences.values()) items.sort((a, b) => slotNumber(b.slot) - slotNumber(a.slot));
  let state = base;
  const waiting = new Set(sequences.keys());
  // Visits the sequences that are added meanwhile, too.
  for (const prefix of waiting) {
    waiting.delete(prefix);
    const items = sequences.get(prefix) ?? [];
    for (let item = items.at(-1); item !== undefined && isNext(state, item.slot); item = items.at(-1)) {
      const applied = rules.apply(state, item.slot, item.value, item.operations[0], rules);
      if (applied.outcome !== "applied") break;
      state = applied.state;
      ordered.push(item);
      items.pop();
      for (const affected of affectedSequences(state, item.operations))
        if (affected !== prefix && sequences.has(affected)) waiting.add(affected);
    }
  }
  return ordered;
}

/** Returns the prefixes of the sequences in which an effect of these operations may let a slot be applied. */
function affectedSequences(state: LedgerState, operations: readonly SignedOperation[]): readonly string[] {
  return operations.flatMap((signed) => {
    const { operation, sender } = signed;
    const token = tokenOfOperation(operation);
    const accounts = [sender, state.operator, ...("recipient" in operation ? [operation.recipient] : [])];
    if (operation.kind === "batch") accounts.push(...operation.legs.map(({ recipient }) => recipient));
    if (operation.kind === "multisig") accounts.push(multisigAddress(operation));
    const effect = effectSlotOf(signed);
    if (effect.kind === "account") accounts.push(effect.address);
    const prefixes = accounts.map((address) => sequencePrefix({ kind: "account", address, sequence: 0 as Sequence }));
    if (token !== undefined) prefixes.push(sequencePrefix({ kind: "token", token, version: 0 as Version }));
    return prefixes;
  });
}

/** For records that come with every operation. */
function memoizeRecent<K extends object, T extends {}>(compute: (key: K) => T): (key: K) => T {
  const known = new MemoTable<K, T>();
  return (key) => known.getOrCompute(key, compute);
}

/** For records that are few, or large: an entry ends with its record. */
function memoizeWeakly<K extends object, T extends {}>(compute: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => entryOf(known, key, compute);
}
