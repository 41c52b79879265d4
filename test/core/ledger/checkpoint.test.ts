/** Replays, roots, genesis and policy of checkpoints (protocol 6.1). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromHex } from "../../../src/core/base/encoding.ts";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../src/core/base/operation.ts";
import { type LedgerSlot, slotAt, slotKey, slotNumber } from "../../../src/core/base/slot.ts";
import { listRoot } from "../../../src/core/crypto/merkle-list.ts";
import { genesisCheckpoint, receiptBytes, type SlotToReplay } from "../../../src/core/ledger/checkpoint.ts";
import { policyFault } from "../../../src/core/ledger/epoch.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { CHECKPOINT_INTERVAL_MS, CHECKPOINT_LIMIT } from "../../../src/core/ledger/limits.ts";
import { effectSlotOf } from "../../../src/core/ledger/operations/kinds.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { isNext, type LedgerState } from "../../../src/core/ledger/state.ts";
import type { Draft } from "./support/operations.ts";
import { apply, check, replayLedger, skipFeeToken } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, LISTER, MASTER, MINTER, PAUSER } = w;

/** History as one validator applied it, in that order. */
interface History {
  state: LedgerState;
  readonly slots: SlotToReplay[];
  readonly receipts: OperationId[];
  /** Authorised and not yet executed, oldest first. */
  readonly later: SignedOperation[];
}

function took(history: History, slot: LedgerSlot, value: SlotToReplay["value"], operation?: SignedOperation): void {
  const applied = apply(history.state, slot, value, operation);
  if (applied.outcome !== "applied") throw new Error(`${slotKey(slot)} is ${applied.outcome}`);
  history.state = applied.state;
  history.slots.push({ slot, value, operation });
  history.receipts.push(...applied.receipts.map(({ id }) => id));
}

/** Executes the oldest waiting operation. */
function execute(history: History): void {
  const operation = history.later.shift();
  const effect = operation && w.effectOf(history.state, operation);
  if (effect !== undefined) took(history, effect.slot, effect.value);
}

interface Turn {
  readonly sender: Address;
  readonly fields: Draft;
  readonly isSkipped: boolean;
  readonly isDelayed: boolean;
}

function take(history: History, { sender, fields, isSkipped, isDelayed }: Turn): void {
  const operation = w.draft(history.state, sender, fields);
  if (check(history.state, [], operation).answer !== "accept") return;
  const slot = w.accountSlot(history.state, sender);
  const id = operationId(operation);
  if (isSkipped) {
    const feeToken = skipFeeToken(history.state, [operation]);
    took(history, slot, { type: "skip", by: "cancellation", id, displaced: [id], feeToken });
    return;
  }
  took(history, slot, { type: "operation", id }, operation);
  if (effectSlotOf(operation).kind === "own") return;
  history.later.push(operation);
  while (history.later.length > (isDelayed ? 2 : 0)) execute(history);
}

function historyOf(turns: readonly Turn[]): History {
  const history: History = { state: w.start(), slots: [], receipts: [], later: [] };
  for (const turn of turns) take(history, turn);
  return history;
}

const anyAccount = fc.constantFrom(ALICE, BOB, CAROL, MINTER, MASTER);
const token = fc.constantFrom(COIN, COIN, CLUB);
const value = fc.integer({ min: 1, max: 600 });
const anyDraft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(anyAccount, value, token).map((args) => w.pay(...args)) },
  { weight: 2, arbitrary: fc.tuple(anyAccount, value, token).map((args) => w.mint(...args)) },
  { weight: 2, arbitrary: fc.tuple(value, anyAccount, token).map((args) => w.burn(...args)) },
  fc.tuple(fc.constantFrom("Add", "Remove"), anyAccount).map(([action, one]) => w.list("blacklist", action, one)),
  fc.constantFrom(w.pause("Pause"), w.pause("Unpause")),
  fc.tuple(anyAccount, value).map(([one, allowance]) => w.grant("MintBurnTokens", one, allowance)),
);
const turn: fc.Arbitrary<Turn> = fc.record({
  sender: fc.oneof({ weight: 4, arbitrary: anyAccount }, fc.constantFrom(PAUSER, LISTER)),
  fields: anyDraft,
  isSkipped: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
  isDelayed: fc.boolean(),
});
const turns = fc.array(turn, { minLength: 4, maxLength: 30 });

/** Another order in which each slot is next, authorised and funded, as `draws` choose. */
function reordered(slots: readonly SlotToReplay[], draws: readonly number[]): readonly SlotToReplay[] {
  const left = [...slots];
  const order: SlotToReplay[] = [];
  let state = w.start();
  for (let step = 0; left.length > 0; step++) {
    const open = left.flatMap((one) => {
      if (!isNext(state, one.slot)) return [];
      const applied = apply(state, one.slot, one.value, one.operation);
      return applied.outcome === "applied" ? [{ one, after: applied.state }] : [];
    });
    const chosen = open[(draws[step % draws.length] ?? 0) % Math.max(open.length, 1)];
    if (chosen === undefined) throw new Error("no slot can go next");
    state = chosen.after;
    order.push(chosen.one);
    left.splice(left.indexOf(chosen.one), 1);
  }
  return order;
}

describe("a replay", () => {
  // holds: 6
  test("gives the state that was applied, and roots over its effects", () => {
    let effects = 0;
    fc.assert(
      fc.property(turns, (all) => {
        const { state, slots, receipts } = historyOf(all);
        const replayed = replayLedger(w.start(), slots);
        if (replayed.outcome === "broken") throw new Error(replayed.reason);
        effects += receipts.length;
        expect(replayed.roots).toEqual({
          stateRoot: stateRoot(state),
          transactionsRoot: listRoot(receipts.map((id) => fromHex(id))),
          receiptsRoot: listRoot(replayed.receipts.map(receiptBytes)),
        });
      }),
      { numRuns: 60 },
    );
    expect(effects).toBeGreaterThan(60);
  });

  test("gives the same state in every order that can be applied, and in pieces", () => {
    let moved = 0;
    fc.assert(
      fc.property(turns, fc.array(fc.nat(30), { minLength: 5, maxLength: 30 }), fc.nat(30), (all, draws, cut) => {
        const { state, slots } = historyOf(all);
        const order = reordered(slots, draws);
        if (order.some((one, place) => one !== slots[place])) moved++;
        const replayed = replayLedger(w.start(), order);
        expect(replayed.outcome === "replayed" && replayed.roots.stateRoot).toBe(stateRoot(state));
        const first = replayLedger(w.start(), order.slice(0, cut));
        const second = first.outcome === "replayed" ? replayLedger(first.state, order.slice(cut)) : first;
        expect(second.outcome === "replayed" && second.roots.stateRoot).toBe(stateRoot(state));
      }),
      { numRuns: 60 },
    );
    expect(moved).toBeGreaterThan(10);
  });

  test("names the first slot that is not next in its sequence", () => {
    fc.assert(
      fc.property(turns, fc.nat(30), (all, draw) => {
        const { slots } = historyOf(all);
        fc.pre(slots.length > 0);
        const place = draw % slots.length;
        const one = slots[place] as SlotToReplay;
        const later = { ...one, slot: slotAt(one.slot, slotNumber(one.slot) + 1) };
        const why = (list: readonly SlotToReplay[]): unknown => {
          const replayed = replayLedger(w.start(), list);
          return replayed.outcome === "broken" && replayed.reason;
        };
        const before = slots.slice(0, place);
        expect(why([...before, one, one])).toBe(`${slotKey(one.slot)} is not the next of its sequence`);
        expect(why([...before, later])).toBe(`${slotKey(later.slot)} is not the next of its sequence`);
      }),
      { numRuns: 60 },
    );
  });

  test("names a slot that lacks funds, or what would authorise it", () => {
    const poor = w.draft(w.start(), CAROL, w.pay(ALICE, 5));
    const own = {
      slot: w.accountSlot(w.start(), CAROL),
      value: { type: "operation", id: operationId(poor) },
      operation: poor,
    } as const;
    expect(replayLedger(w.start(), [own])).toEqual({
      outcome: "broken",
      reason: `${slotKey(own.slot)} lacks business_insufficient_funds`,
    });
    const minted = w.draft(w.start(), MINTER, w.mint(ALICE, 5));
    const listed = {
      slot: w.tokenSlot(w.start()),
      value: { type: "list", ids: [operationId(minted)] },
      operation: undefined,
    } as const;
    expect(replayLedger(w.start(), [listed])).toEqual({
      outcome: "broken",
      reason: `${slotKey(listed.slot)} lacks resource_authorisation_not_found`,
    });
  });

  test("names a slot whose value nobody could have decided there", () => {
    const [theirs, mine] = [w.draft(w.start(), BOB, w.pay(CAROL, 5)), w.draft(w.start(), ALICE, w.pay(CAROL, 5))];
    const slot = w.accountSlot(w.start(), ALICE);
    const wrong = { slot, value: { type: "operation", id: operationId(theirs) }, operation: theirs } as const;
    const broken = {
      outcome: "broken",
      reason: `${slotKey(slot)} contradicts the base: operation ${operationId(theirs)} is of ${BOB}`,
    };
    expect(replayLedger(w.start(), [wrong])).toEqual(broken);
    const right = { slot, value: { type: "operation", id: operationId(mine) }, operation: mine } as const;
    expect(replayLedger(w.start(), [right]).outcome).toBe("replayed");
  });
});

describe("a receipt's bytes", () => {
  test("change with each of its members", () => {
    const { receipts } = w.act(w.start(), ALICE, w.pay(BOB, 5));
    const [receipt] = receipts;
    if (receipt === undefined) throw new Error("no receipt");
    const all = [
      receipt,
      { ...receipt, id: `0x${"1".repeat(64)}` as OperationId },
      { ...receipt, success: false },
      { ...receipt, fee: w.amount(99) },
      { ...receipt, feeToken: CLUB },
      { ...receipt, feeToken: undefined },
      { ...receipt, error: { code: "business_burn_unfunded" } as never },
      { ...receipt, slot: `${receipt.slot.slice(0, -1)}9` },
    ];
    expect(new Set(all.map((one) => Buffer.from(receiptBytes(one)).toString("hex"))).size).toBe(all.length);
  });
});

describe("the genesis checkpoint", () => {
  test("is number 0 of the first state, with nothing before it and nothing in it", () => {
    const { header, listed } = genesisCheckpoint(w.start());
    expect(listed).toEqual([]);
    expect(header).toEqual({
      number: 0,
      parentHash: `0x${"0".repeat(64)}`,
      stateRoot: stateRoot(w.start()),
      transactionsRoot: listRoot([]),
      receiptsRoot: listRoot([]),
      timestamp: 0,
      size: 0,
      extraData: "",
    });
  });
});

describe("a policy", () => {
  const POLICY: CheckpointPolicy = { intervalMs: 1_000, slots: 5, limit: 5, periodSeconds: 1, empty: false };
  const bounds: readonly (readonly [keyof CheckpointPolicy, number, number, string])[] = [
    ["intervalMs", 1, CHECKPOINT_INTERVAL_MS, "interval"],
    ["slots", 1, CHECKPOINT_LIMIT, "slots"],
    ["limit", 1, CHECKPOINT_LIMIT, "limit"],
    ["periodSeconds", 0, CHECKPOINT_INTERVAL_MS / 1_000, "period"],
  ];

  test.each(bounds)("takes %s from %s to %s, and nothing else", (key, least, most, name) => {
    for (const good of [least, most]) expect(policyFault({ ...POLICY, [key]: good })).toBeUndefined();
    for (const bad of [least - 1, most + 1, least + 0.5, Number.NaN]) {
      expect(policyFault({ ...POLICY, [key]: bad })).toContain(`checkpoints: ${name}: expected ${least} to ${most}`);
    }
  });

  test("is part of the state that all agree on", () => {
    const roots = [
      undefined,
      POLICY,
      ...bounds.map(([key]) => ({ ...POLICY, [key]: 2 })),
      { ...POLICY, empty: true },
    ].map((checkpoints) => stateRoot(w.start({ checkpoints })));
    expect(new Set(roots).size).toBe(roots.length);
  });

  test("is checked before a ledger starts from it", () => {
    expect(() => w.start({ checkpoints: { ...POLICY, limit: 0 } })).toThrow("checkpoints: limit: expected 1 to");
  });
});
