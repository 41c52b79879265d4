import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import type { EpochParameters } from "../../../src/core/base/epoch.ts";
import { toHash } from "../../../src/core/base/ids.ts";
import {
  type CheckpointValue,
  type ClosingValue,
  type LedgerValue,
  type ListedDecision,
  slotAt,
  slotKey,
  slotNumber,
  type Value,
} from "../../../src/core/base/slot.ts";
import { slotKindOf, valueHash } from "../../../src/core/ledger/value.ts";
import { anyAddress } from "./support/operations.ts";

const id = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => toHash(`0x${Buffer.from(bytes).toString("hex")}`));
const anyLedgerValue: fc.Arbitrary<LedgerValue> = fc.oneof(
  fc.record({ type: fc.constant("operation" as const), id }),
  fc.record({ type: fc.constant("burn" as const), id, outcome: fc.constantFrom("burned" as const, "failed" as const) }),
  fc.record({
    type: fc.constant("skip" as const),
    by: fc.constantFrom("cancellation" as const, "recovery" as const),
    id,
    displaced: fc.array(id, { minLength: 1, maxLength: 2 }),
    feeToken: anyAddress,
  }),
  fc.record({
    type: fc.constant("skip" as const),
    by: fc.constantFrom("cancellation" as const, "recovery" as const),
    id,
    displaced: fc.array(id, { minLength: 1, maxLength: 2 }),
    feeToken: fc.constant(undefined),
  }),
  fc.record({ type: fc.constant("list" as const), ids: fc.array(id, { maxLength: 5 }) }),
);
const count = fc.oneof(fc.nat(300), fc.maxSafeNat());
const anyListed: fc.Arbitrary<ListedDecision> = fc
  .tuple(fc.constantFrom("account", "token"), anyAddress, count, anyLedgerValue, fc.array(id, { maxLength: 3 }))
  .map(([kind, owner, number, value, copies]) => ({
    slot: (kind === "account"
      ? { kind, address: owner, sequence: number }
      : { kind, token: owner, version: number }) as ListedDecision["slot"],
    value,
    copies,
  }));
const anyCheckpoint: fc.Arbitrary<CheckpointValue> = fc
  .record({
    header: fc.record({
      number: count,
      parentHash: id,
      stateRoot: id,
      transactionsRoot: id,
      receiptsRoot: id,
      timestamp: count,
      size: count,
      extraData: fc.string({ unit: "grapheme", maxLength: 12 }),
    }),
    listed: fc.array(anyListed, { maxLength: 4 }),
  })
  .map((parts) => ({ type: "checkpoint", ...parts }) as unknown as CheckpointValue);
const anyAmount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) as fc.Arbitrary<Amount>;
const anyFee = fc.record({ payment: anyAmount, cancellation: anyAmount, recovery: anyAmount });
const anyParameters: fc.Arbitrary<EpochParameters> = fc.record({
  validators: fc.array(fc.record({ key: anyAddress, reward: anyAddress }), { maxLength: 4 }),
  fees: fc.record({
    default: anyFee,
    tokens: fc
      .uniqueArray(fc.tuple(anyAddress, anyFee), { maxLength: 3, selector: ([token]) => token })
      .map((entries) => new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))),
  }),
  checkpoints: fc.option(
    fc.record({ intervalMs: count, slots: count, limit: count, periodSeconds: count, empty: fc.boolean() }),
    { nil: undefined },
  ),
  epochLength: fc.option(count, { nil: undefined }),
});
const anyClosing = fc
  .record({ of: anyCheckpoint, epoch: count, next: anyParameters, warrant: id })
  .map(({ of: { header, listed }, ...parts }) => ({ type: "closing", header, listed, ...parts }) as ClosingValue);
const anyValue: fc.Arbitrary<Value> = fc.oneof({ weight: 3, arbitrary: anyLedgerValue }, anyCheckpoint, anyClosing);

/** The same text or hash with something else at its end. */
function changed(text: string): string {
  return text.startsWith("0x") ? `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}` : `${text}!`;
}

describe("a value", () => {
  test("has a hash of its own", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        // The clones have the same prototype, where fast-check draws records with and without one.
        expect(valueHash(a) === valueHash(b)).toBe(isDeepStrictEqual(structuredClone(a), structuredClone(b)));
        expect(valueHash(a)).toBe(valueHash(structuredClone(a)));
      }),
    );
  });

  test("of a checkpoint changes with each of its members, and with the order of what it lists", () => {
    const distinct = fc.uniqueArray(anyListed, { minLength: 2, maxLength: 4, selector: ({ slot }) => slotKey(slot) });
    fc.assert(
      fc.property(anyCheckpoint, distinct, (one, listed) => {
        const { header } = one;
        const value: CheckpointValue = { ...one, listed };
        const [first, ...rest] = listed as [ListedDecision, ...ListedDecision[]];
        const headers = Object.entries(header).map(([key, member]) => ({
          ...value,
          header: { ...header, [key]: typeof member === "number" ? (member === 0 ? 1 : member - 1) : changed(member) },
        }));
        const lists: readonly ListedDecision[][] = [
          rest,
          [...rest, first],
          [{ ...first, copies: [...first.copies, header.stateRoot] }, ...rest],
          [{ ...first, slot: slotAt(first.slot, slotNumber(first.slot) === 0 ? 1 : 0) }, ...rest],
        ];
        const all = [value, ...headers, ...lists.map((other) => ({ ...value, listed: other }))];
        expect(new Set(all.map(valueHash)).size).toBe(all.length);
      }),
    );
  });

  test("belongs in a token's slot if it is a list, in the chain's if it is a link, else in an account's", () => {
    const kinds: Partial<Record<Value["type"], string>> = { closing: "epoch", list: "token", checkpoint: "checkpoint" };
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(slotKindOf(value)).toBe(kinds[value.type] ?? "account");
      }),
    );
  });
});
