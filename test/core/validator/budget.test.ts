/** Budget of each peer: what a Byzantine peer shows is bounded, and displaces nothing of others (protocol 9.2). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckpointNumber, Hash, Nonce, Round, Version } from "../../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../../src/core/base/operation.ts";
import { type AccountSlot, type Slot, type SlotKey, slotKey, type TokenSlot } from "../../../src/core/base/slot.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { ChainBase } from "../../../src/core/validator/check-chain.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { EVIDENCE_MS, PEER_BUDGET } from "../../../src/core/validator/limits.ts";
import {
  contentSize,
  isSigned,
  moveReasons,
  pruneBudgets,
  submissionSize,
} from "../../../src/core/validator/mempool/budget.ts";
import type { PeerMessage, SlotReason } from "../../../src/core/validator/message.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { operationsIn } from "../../../src/core/validator/slots/reason-check.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import type { BudgetItem } from "../../../src/core/validator/sub-states.ts";
import {
  accountSlot,
  by,
  certificateOf,
  changeBy,
  contentOf,
  decisionOf,
  EPOCH,
  envelope,
  NAMES,
  proposalOn,
  proposerIn,
  voteOn,
} from "./support/certificates.ts";
import { baseAfter, checkpointOf, checkpointSlot, decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import {
  addressOf,
  CHAIN,
  cancellation,
  idOf,
  keyOf,
  mint,
  payment,
  recovery,
  signed,
  USD,
} from "./support/operations.ts";
import { Single, signed as signedBy } from "./support/single.ts";

/** Room left in each peer's budget, so that little fills it. */
const LEFT = 24;
/** Counted as used by what no step drops. */
const RESERVED = PEER_BUDGET - LEFT;

/** A validator of which each peer has used all but `LEFT` of its budget. */
function almostUsed(state: ValidatorState): ValidatorState {
  for (const name of NAMES) state.mempool.budgets.set(addressOf(name), { oldest: 0, next: 0, used: RESERVED });
  return state;
}

/** Returns the part of that room that a peer has used. */
function usedBy({ mempool }: ValidatorState, name: string): number {
  return (mempool.budgets.get(addressOf(name))?.used ?? 0) - RESERVED;
}

const BYZANTINE = "v4";

const HONEST = "v2";
/** Size of what one message brings: in the step that shows it, a slot may come to depend on what its room displaced. */
const ONE_MESSAGE = 12;

const single = (): Single => new Single(almostUsed(new Cluster(4).node(0)));

/** A multisig account of one key: creating it costs nothing, so any key gets votes for it. */
function creation(name: string): SignedOperation {
  const signers = [name, BYZANTINE].map((one) => ({ key: keyedHash.publicKeyOf(keyOf(one)), weight: 1 }));
  const memo = { type: "", format: "", data: "" };
  const operation = { kind: "multisig", layout: "v2", chainId: CHAIN, nonce: 0 as Nonce, memo, signers, threshold: 1 };
  return signed(name, operation as unknown as Operation);
}

interface Shown {
  readonly key: string;
  readonly sequence: number;
  readonly amount: number;
  readonly isFree: boolean;
}

function operationIn({ key, amount, isFree }: Shown): SignedOperation {
  return isFree ? creation(key) : payment(key, 0, "bob", BigInt(amount));
}

function change(slot: AccountSlot, reason: SlotReason | undefined): PeerMessage {
  return envelope(changeBy(BYZANTINE, slot), [], reason);
}

function proof({ key, amount }: Shown): readonly [SignedOperation, SignedOperation] {
  return [payment(key, 0, "bob", BigInt(amount)), payment(key, 0, "carol", BigInt(amount))];
}

const slotOf = ({ key, sequence }: Shown): AccountSlot => accountSlot(key, sequence);
const cancelling = (shown: Shown): SlotReason => ({
  kind: "cancellation",
  cancellation: cancellation(shown.key, 0),
  displaced: operationIn(shown),
});
const equivocating = (shown: Shown): SlotReason => {
  const [first, second] = proof(shown);
  return { kind: "equivocation", proof: { first, second } };
};

const ZEROS = `0x${"00".repeat(32)}` as Hash;
const ROOTS = { stateRoot: ZEROS, transactionsRoot: ZEROS, receiptsRoot: ZEROS };
const FREE_HEADER = { parentHash: ZEROS, ...ROOTS, timestamp: 0, size: 0, extraData: "" };

/** Messages of one peer, by kind, about keys that cost nothing. */
const FLOODS: Readonly<Record<string, (shown: Shown) => PeerMessage>> = {
  offer: (shown) => ({ type: "offer", slot: slotOf(shown), content: contentOf(operationIn(shown)) }),
  change: (shown) => change(slotOf(shown), undefined),
  cancelling: (shown) => change(slotOf(shown), cancelling(shown)),
  equivocating: (shown) => change(slotOf(shown), equivocating(shown)),
  reason: (shown) => ({ type: "disclosure", slot: slotOf(shown), reason: cancelling(shown) }),
  recovery: (shown) => ({ type: "disclosure", slot: slotOf(shown), reason: equivocating(shown) }),
  decisions: (shown) => ({ type: "decisions", decided: [], contents: [contentOf(operationIn(shown))] }),
  lock: (shown) => {
    const content = contentOf(operationIn(shown));
    const lock = certificateOf("lock", slotOf(shown), valueHash(content.value));
    return envelope({ ...lock, seals: [] } as typeof lock, [content]);
  },
  decided: (shown) => {
    const certificate = decisionOf(payment("bob", 0, "carol", 1n), accountSlot("bob"));
    const header = { ...FREE_HEADER, number: (shown.amount * 1_000 + shown.sequence) as CheckpointNumber };
    const content: Content = { value: { type: "checkpoint", header, listed: [] }, operations: [], certificates: [] };
    return { type: "decisions", decided: [{ certificate, content }], contents: [] };
  },
  list: (shown) => {
    const slot = { kind: "token", token: addressOf(shown.key), version: 0 as Version } as const;
    const value = idOf(operationIn(shown));
    const body = { type: "proposal", epoch: EPOCH, slot, round: 0 as Round, value, justification: [] } as const;
    return envelope(by(proposerIn(slot), body));
  },
  vote: (shown) => voteOn(BYZANTINE, slotOf(shown), contentOf(operationIn(shown))),
  proposal: (shown) => proposalOn(BYZANTINE, slotOf(shown), contentOf(operationIn(shown)), 1),
};

function flooding(kind: string, shown: Shown): PeerMessage {
  return (FLOODS[kind] as (shown: Shown) => PeerMessage)(shown);
}

const ALICE: Shown = { key: "alice", sequence: 0, amount: 1, isFree: false };

const anyShown = fc.record({
  kind: fc.constantFrom(...Object.keys(FLOODS)),
  key: fc.nat(30).map((at) => `stranger ${at}`),
  sequence: fc.constantFrom(0, 0, 0, 1, 9),
  amount: fc.integer({ min: 1, max: 3 }),
  isFree: fc.boolean(),
  pause: fc.constantFrom(0, 0, 600),
});

const anyFlood = fc.array(anyShown, { minLength: 30, maxLength: 120, size: "max" });

/** Takes messages of the Byzantine peer, and the ends of the waits that they begin. */
function flood(one: Single, shown: readonly (Shown & { readonly kind: string; readonly pause: number })[]): void {
  for (const each of shown) {
    one.at += each.pause;
    one.take(flooding(each.kind, each), BYZANTINE);
    if (each.pause > 0) one.fire(`evidence ${slotKey(slotOf(each))}`);
  }
}

/** Sum of the sizes of what a validator keeps that no client submitted here. */
function sizeOfKept({ mempool, slots }: ValidatorState): number {
  const disclosed = mempool.pending.values().filter(({ isEntry }) => !isEntry);
  const reasons = slots.reasons.values().flat();
  return [
    ...disclosed.map(({ submission }) => submissionSize(submission)),
    ...slots.contents.values().map(contentSize),
    ...reasons.flatMap((reason) => operationsIn(reason).map(submissionSize)),
    slots.records.size,
    slots.waiting.size,
  ].reduce((sum, size) => sum + size, 0);
}

function has({ mempool, slots }: ValidatorState, item: BudgetItem): boolean {
  switch (item.of) {
    case "pending":
      return mempool.pending.has(item.id);
    case "content":
      return slots.contents.has(item.value);
    case "reason":
      return slots.reasons.has(item.slot);
    case "record":
      return slots.records.has(item.slot);
    case "waiting":
      return slots.waiting.has(item.key);
  }
}

const shownBy = ({ mempool }: ValidatorState, name: string): readonly BudgetItem[] =>
  mempool.chargedItems.entriesWithPrefix(`${addressOf(name)} `).map(([, { item }]) => item);

describe(`with ${LEFT} left of the budget of each peer, a validator`, () => {
  it("charges a reason that outlives its slot for the next one, to the same peer", () => {
    const one = single();
    flood(one, [{ kind: "equivocating", key: "carol", sequence: 0, amount: 1, isFree: false, pause: 0 }]);
    const [first, next] = [0, 1].map((sequence) => slotKey(accountSlot("carol", sequence)));
    const before = shownBy(one.state, BYZANTINE);
    const used = usedBy(one.state, BYZANTINE);
    expect(before).toContainEqual(expect.objectContaining({ of: "reason", slot: first }));
    moveReasons(one.state, first as SlotKey, next as SlotKey);
    const moved = before.map((item) => (item.of === "reason" && item.slot === first ? { ...item, slot: next } : item));
    expect(shownBy(one.state, BYZANTINE)).toEqual(moved);
    expect(usedBy(one.state, BYZANTINE)).toBe(used);
  });

  it("drops nothing that a client submits after another peer showed it", () => {
    const one = single();
    const paid = payment("alice", 0, "bob", 1n);
    one.take({ type: "offer", slot: accountSlot("alice"), content: contentOf(paid) }, BYZANTINE);
    expect(shownBy(one.state, BYZANTINE)).toContainEqual({ of: "pending", id: idOf(paid) });
    one.submit(paid);
    for (let at = 0; at < 2 * LEFT; at++) one.take(change(accountSlot(`stranger ${at}`), undefined), BYZANTINE);
    expect(shownBy(one.state, BYZANTINE)).not.toContainEqual({ of: "pending", id: idOf(paid) });
    expect(one.state.mempool.pending.get(idOf(paid))?.isEntry).toBe(true);
  });

  it("gives no room back for what it keeps", () => {
    const one = single();
    for (const key of ["alice", "bob"]) one.take(change(accountSlot(key), undefined), BYZANTINE);
    const gone = slotKey(accountSlot("alice"));
    pruneBudgets(one.state, (item) => item.of === "record" && item.slot === gone);
    expect(shownBy(one.state, BYZANTINE)).toEqual([{ of: "record", slot: slotKey(accountSlot("bob")) }]);
    expect(usedBy(one.state, BYZANTINE)).toBe(1);
  });

  it("counts no more what the open slot of an account needs that has something", () => {
    const one = single();
    one.take(flooding("offer", ALICE), BYZANTINE);
    const kept = [...one.state.slots.contents.values()];
    for (let at = 0; at < LEFT; at++) {
      one.take(change(accountSlot(`stranger ${at}`), undefined), BYZANTINE);
      expect(one.state.slots.records.has(slotKey(accountSlot(`stranger ${at}`)))).toBe(true);
    }
    expect(one.state.slots.contents.values()).toEqual(kept);
    expect(
      shownBy(one.state, BYZANTINE).filter((item) => "slot" in item && item.slot === slotKey(accountSlot("alice"))),
    ).toEqual([]);
  });

  it("keeps nothing of a reason for which its peer has no room, though other items of the peer may go", () => {
    const one = single();
    const [held, paid] = [creation("somebody"), payment("carol", 0, "bob", 1n)];
    one.take({ type: "offer", slot: accountSlot("somebody"), content: contentOf(held) }, BYZANTINE);
    while (usedBy(one.state, BYZANTINE) < LEFT)
      one.take(change(accountSlot(`stranger ${one.state.slots.records.size}`), undefined), BYZANTINE);
    const reason = { kind: "cancellation", cancellation: cancellation("carol", 0), displaced: paid } as const;
    one.take({ type: "disclosure", slot: accountSlot("carol"), reason }, BYZANTINE);
    expect(one.state.slots.reasons.size).toBe(0);
    expect(one.state.mempool.pending.has(idOf(paid))).toBe(false);
  });

  it("keeps no more than that for one peer, whatever it sends", () => {
    fc.assert(
      fc.property(anyFlood, (shown) => {
        const one = single();
        for (const each of shown) {
          flood(one, [each]);
          const { slots, mempool, sync } = one.state;
          expect(sizeOfKept(one.state)).toBeLessThanOrEqual(LEFT + ONE_MESSAGE);
          const charged = mempool.chargedItems.values().reduce((sum, { size }) => sum + size, 0);
          expect(usedBy(one.state, BYZANTINE)).toBe(charged);
          // An item without a size of its own belongs to one that has a size.
          expect(slots.timers.size).toBeLessThanOrEqual(slots.reasons.size);
          expect(slots.retries.size).toBeLessThanOrEqual(slots.records.size);
          const unasked = slots.records.values().filter((record) => !isSigned(record));
          expect(unasked.flatMap(({ ballots }) => ballots)).toEqual([]);
          expect(mempool.pendingByAccount.size).toBeLessThanOrEqual(mempool.pending.size);
          expect([mempool.digests.size, mempool.outcomes.size, sync.missingContents.size]).toEqual([0, 0, 0]);
        }
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("drops nothing that another peer showed or a client submitted before", () => {
    fc.assert(
      fc.property(anyFlood, fc.integer({ min: 0, max: 5 }), (shown, count) => {
        const one = single();
        const paid = payment("alice", 0, "bob", 1n);
        one.submit(paid);
        for (let at = 0; at < count; at++) {
          const each = { key: `stranger ${at}`, sequence: 0, amount: 1, isFree: at % 2 === 0 };
          one.take((FLOODS["offer"] as (shown: Shown) => PeerMessage)(each), HONEST);
        }
        const before = shownBy(one.state, HONEST);
        flood(one, shown);
        expect(before.filter((item) => !has(one.state, item))).toEqual([]);
        expect(one.state.mempool.pending.get(idOf(paid))?.isEntry).toBe(true);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("drops no reason of a slot in which it has voted, so that the wait of its proof ends", () => {
    const one = single();
    const wait = `evidence ${slotKey(slotOf(ALICE))}`;
    const reasonsOf = (): unknown => one.state.slots.reasons.get(slotKey(slotOf(ALICE)));
    const show = (kind: string, key = ALICE.key): void => void one.take(flooding(kind, { ...ALICE, key }), BYZANTINE);
    const fill = (): void => {
      for (let at = 0; at <= PEER_BUDGET; at++) show("offer", `stranger ${at}`);
    };
    show("recovery");
    fill();
    expect([reasonsOf(), one.state.slots.timers.has(wait)]).toEqual([undefined, false]);
    one.take({ type: "offer", slot: slotOf(ALICE), content: contentOf(proof(ALICE)[0]) }, HONEST);
    show("recovery");
    const kept = reasonsOf();
    fill();
    show("recovery");
    expect([reasonsOf(), one.state.slots.timers.has(wait)]).toEqual([kept, true]);
    one.fire(wait);
    expect(one.state.slots.records.get(slotKey(slotOf(ALICE)))?.round).toBe(1);
  });

  it("drops no proof of a recovery that a client submits after a peer showed it, so that its wait ends", () => {
    const one = single();
    const slot = slotKey(slotOf(ALICE));
    const show = (kind: string, key = ALICE.key): void => void one.take(flooding(kind, { ...ALICE, key }), BYZANTINE);
    show("recovery");
    one.submit(recovery(...proof(ALICE)));
    const kept = one.state.slots.reasons.get(slot);
    for (let at = 0; at < LEFT; at++) show("offer", `stranger ${at}`);
    expect(one.state.slots.reasons.get(slot)).toBe(kept);
    expect(shownBy(one.state, BYZANTINE)).not.toContainEqual(expect.objectContaining({ slot }));
    one.fire(`evidence ${slot}`);
    expect(one.state.slots.records.get(slot)?.round).toBe(1);
  });

  it("drops nothing that an undecided slot with its own signatures needs", () => {
    fc.assert(
      fc.property(anyFlood, (shown) => {
        const one = single();
        for (const each of shown) {
          flood(one, [{ ...each, sequence: 0 }]);
          const { records, contents, reasons } = one.state.slots;
          for (const { slot, round, votes } of records.values()) {
            expect(votes.filter(({ value }) => !contents.has(value))).toEqual([]);
            if (round > 0) expect(reasons.has(slotKey(slot))).toBe(true);
          }
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

const POLICY = { intervalMs: 60_000, slots: 500, limit: 500, periodSeconds: 0, empty: false };

describe("the content of an applied slot", () => {
  const NUMBER = { kind: "checkpoint", number: 1 as CheckpointNumber } as const;
  /** A validator that applied two payments of alice, the second one's content shown as if another slot needed it. */
  function applied(self: number): Single {
    const one = new Single(almostUsed(new Cluster(4, 5, rules, POLICY).node(self)));
    const [first, second] = [payment("alice", 0, "bob", 1n), payment("alice", 1, "bob", 1n)];
    const [certificate, content] = [decisionOf(second, accountSlot("alice", 1)), contentOf(second)];
    const lock = certificateOf("lock", accountSlot("stranger"), certificate.value);
    one.take(envelope(certificate), BYZANTINE);
    one.take(envelope({ ...lock, seals: [] } as typeof lock, [content]), BYZANTINE);
    one.take(decisionOn(accountSlot("alice"), contentOf(first)));
    return one;
  }

  it("stays until a checkpoint lists the slot, whatever its peer shows later", () => {
    const one = applied(NAMES.indexOf(proposerIn(NUMBER, 1)));
    for (let at = 0; at < 2 * LEFT; at++) one.take(change(accountSlot(`stranger ${at}`), undefined), BYZANTINE);
    const changes = NAMES.map((name) => envelope(changeBy(name, NUMBER)));
    const proposed = changes.flatMap((message) => signedBy(one.take(message), "proposal"));
    expect(one.state.sync.applied).toBe(2);
    expect(proposed).toHaveLength(1);
  });
});

describe("the content of a checkpoint", () => {
  const node = new Cluster(4, 5, rules, POLICY).node(0);
  const [NEXT, LATER] = [checkpointSlot(1), checkpointSlot(2)];
  const proposer = proposerIn(NEXT);
  const contents = [1n, 2n].map((amount) =>
    checkpointOf(node, node.checkpoints.last, [[accountSlot("alice"), payment("alice", 0, "bob", amount)]]),
  );
  const shown = (type: "proposal" | "lock", content: Content, slot: Slot = NEXT): PeerMessage => {
    if (type === "proposal") return proposalOn(proposerIn(slot), slot, content);
    const lock = certificateOf("lock", slot, valueHash(content.value));
    return envelope({ ...lock, seals: [] } as typeof lock, [content]);
  };

  it("is kept for the first proposal of a round, and for no false certificate", () => {
    const self = NAMES.findIndex((name) => name !== proposer);
    const one = new Single(almostUsed(new Cluster(4, 5, rules, POLICY).node(self)));
    const kept = (["lock", "proposal"] as const).flatMap((type) =>
      contents.map((content) => {
        one.take(shown(type, content), proposer);
        return one.state.slots.contents.size;
      }),
    );
    expect(kept).toEqual([0, 0, 1, 1]);
  });

  it.each<[string, readonly PeerMessage[], Slot]>([
    ["in a slot that is not the next one", [], LATER],
    ["of a round that is over", ["v2", "v3"].map((name) => envelope(changeBy(name, NEXT))), NEXT],
  ])("is not kept for a proposal %s", (_, before, slot) => {
    const one = new Single(new Cluster(4, 5, rules, POLICY).node(0));
    for (const message of before) one.take(message);
    expect(one.state.slots.records.get(slotKey(slot))?.round).toBe(before.length > 0 ? 1 : undefined);
    one.take(shown("proposal", contents[0] as Content, slot), proposerIn(slot));
    expect(one.state.slots.contents.size).toBe(0);
  });
});

describe("a checkpoint's number that its proposer made up", () => {
  it("keeps the content no longer than its slot is open", () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const number = numbers.find((one) => proposerIn(checkpointSlot(one)) === BYZANTINE) as number;
    const one = new Single(new Cluster(4, 5, rules, POLICY).node(0));
    let base: ChainBase = one.state.checkpoints.last;
    for (let next = 1; next <= number; next++) {
      const content = checkpointOf(one.state, base, [
        [accountSlot("alice", next - 1), payment("alice", next - 1, "bob", 1n)],
      ]);
      const certificate = certificateOf("finality", checkpointSlot(next), valueHash(content.value));
      const junk = [1, 2].map((add) =>
        checkpointOf(one.state, base, [], { number: (Number.MAX_SAFE_INTEGER - add) as CheckpointNumber }),
      );
      const show = (made: Content): void => void one.take(proposalOn(BYZANTINE, checkpointSlot(next), made), BYZANTINE);
      const kept = (): number =>
        one.state.slots.contents.values().filter(({ value }) => value.type === "checkpoint").length;
      if (next === number) show(junk[0] as Content);
      // Decided, and its content is not here yet: no proposal is looked at any more.
      one.take(envelope(certificate));
      if (next === number) {
        expect(kept()).toBe(number);
        show(junk[1] as Content);
        expect(kept()).toBe(number);
      }
      base = baseAfter(one.state, base, content);
      one.take(decisionOn(checkpointSlot(next), content));
      expect(kept()).toBe(next);
    }
  });
});

describe("a checkpoint that lists more than is left of a budget", () => {
  it("is decided while slots are open that its proposer showed", () => {
    const cluster = new Cluster(4, 5, rules, { ...POLICY, intervalMs: 300 });
    cluster.nodes.forEach(almostUsed);
    cluster.begin();
    for (let at = 0; at < 300; at++) {
      cluster.submit(at % 4, creation(`stranger ${at}`));
      cluster.run(cluster.now + 2);
    }
    const [last] = cluster.nodes.map(({ checkpoints }) => checkpoints.last);
    expect(last?.header.number).toBeGreaterThan(0);
    expect(
      cluster.events.some(({ event }) => event.type === "checkpointed" && event.content.value.listed.length > LEFT),
    ).toBe(true);
  });
});

describe("the work of a token slot", () => {
  /** Judgements of reasons while five mints take effect, where this many recoveries of other accounts are kept. */
  function judgementsBeside(count: number): number {
    let judged = 0;
    const isReasonValid: typeof rules.validator.isReasonValid = (state, slot, reason) => {
      judged += 1;
      return rules.validator.isReasonValid(state, slot, reason);
    };
    const cluster = new Cluster(4, 5, { ...rules, validator: { ...rules.validator, isReasonValid } });
    for (let at = 0; at < count; at++) {
      cluster.inject(3, 0, flooding("recovery", { ...ALICE, key: `stranger ${at}` }));
    }
    cluster.run(0);
    expect(cluster.node(0).slots.reasons.size).toBe(count);
    judged = 0;
    for (let nonce = 0; nonce < 5; nonce++) cluster.submit(1, mint("issuer", nonce, "bob", 1n));
    // Before the wait of the proofs ends: each is then judged once.
    cluster.run(EVIDENCE_MS - 50);
    expect(cluster.balances("bob")).toEqual([1_005n]);
    return judged;
  }

  it("judges no reasons of other accounts again", () => {
    expect(judgementsBeside(5)).toBe(judgementsBeside(0));
  });
});

it("keeps no lists of later versions of a token beyond the budget of their proposer", () => {
  const one = single();
  const slots = Array.from({ length: 400 }, (_, at) => ({ kind: "token", token: USD, version: at + 1 }) as TokenSlot);
  for (const [at, slot] of slots.filter((each) => proposerIn(each) === BYZANTINE).entries()) {
    const minted = mint("issuer", at, "bob", 1n);
    const certificates = [decisionOf(minted, accountSlot("issuer", at))];
    const content: Content = { value: { type: "list", ids: [idOf(minted)] }, operations: [minted], certificates };
    one.take(proposalOn(BYZANTINE, slot, content), BYZANTINE);
  }
  // Room for 24: records of 1 and contents of 6.
  expect(one.state.slots.contents.size).toBeLessThanOrEqual(LEFT);
  expect(one.state.slots.records.size).toBeLessThanOrEqual(LEFT);
});
