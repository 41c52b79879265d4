/** Queue of disclosed operations: one Byzantine relay fills it, and no paying client loses anything. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Address, Millis, Nonce } from "../../../src/core/base/ids.ts";
import type { Submission } from "../../../src/core/base/operation.ts";
import {
  DISCLOSED,
  DISCLOSED_PER_NONCE,
  EVICTED_ACCOUNTS,
  PENDING_PER_ACCOUNT,
} from "../../../src/core/validator/limits.ts";
import { evictionPriority } from "../../../src/core/validator/mempool/bounds.ts";
import {
  addPending,
  mayHaveBeenEvicted,
  pendingFor,
  removePending,
} from "../../../src/core/validator/mempool/pending.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { forkValidator, type ValidatorState } from "../../../src/core/validator/state.ts";
import type { StepContext } from "../../../src/core/validator/step-context.ts";
import type { Pending } from "../../../src/core/validator/sub-states.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, idOf, mint, payment, recovery } from "./support/operations.ts";

const BYZANTINE = 3;
const HONEST = [0, 1, 2];
const BOTH = ["pending", "final"];

/** Discloses an operation as the Byzantine relay does. */
function disclose(cluster: Cluster, to: number, signed: ReturnType<typeof mint>, name: string): void {
  cluster.inject(BYZANTINE, to, { type: "offer", slot: accountSlot(name), content: contentOf(signed) });
}

/** More operations of keys that cost nothing than fit into the queues of these validators. */
function flood(cluster: Cluster, nodes = HONEST, count = DISCLOSED + 50): void {
  for (let at = 0; at < count; at++) {
    const name = `stranger ${at}`;
    for (const to of nodes) disclose(cluster, to, mint(name, 0, "bob", 1n), name);
    cluster.run(cluster.now);
  }
}

describe("a flood by a Byzantine relay", () => {
  let flooded: Cluster;

  beforeAll(() => {
    flooded = new Cluster(4);
    flood(flooded);
    flooded.stop(BYZANTINE);
  });

  /** The flooded network once more. */
  function again(): Cluster {
    const cluster = new Cluster(4);
    for (const at of HONEST) cluster.nodes[at] = forkValidator(flooded.node(at));
    cluster.stop(BYZANTINE);
    return cluster;
  }

  it(`fills ${DISCLOSED} entries, and none of the clients' queue`, () => {
    const cluster = again();
    for (const at of HONEST) {
      const { entryCount, evictable } = cluster.node(at).mempool;
      expect([entryCount, evictable.flatMap((queue) => queue.values()).length]).toEqual([0, DISCLOSED]);
    }
    const ids = HONEST.map((at, place) =>
      cluster.submit(at, payment(["alice", "bob", "carol"][place] as string, 0, "bob", 5n)),
    );
    cluster.run(2_000);
    expect(ids.map((id) => cluster.statuses(id))).toEqual([BOTH, BOTH, BOTH]);
  });

  it("does not prevent a proof that an owner equivocates", () => {
    const cluster = again();
    cluster.cut = (from, to, message) => cluster.now < 100 && message.type === "offer" && from < 1 !== to < 1;
    const first = payment("alice", 0, "bob", 10n);
    const second = payment("alice", 0, "carol", 10n);
    const ids = [cluster.submit(0, first), cluster.submit(1, second)];
    cluster.run(300);
    const recovered = cluster.submit(2, recovery(first, second));
    cluster.run(10_000);
    expect(cluster.replyTo(recovered)?.status).toBe("final");
    expect(ids.map((id) => cluster.replyTo(id)?.status)).toEqual(["superseded", "superseded"]);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("prevents no owner from cancelling, at any entry validator", () => {
    const cluster = again();
    cluster.cut = (from, to, message) => cluster.now < 100 && message.type === "offer" && from < 1 !== to < 1;
    const ids = [
      cluster.submit(0, payment("alice", 0, "bob", 10n)),
      cluster.submit(1, payment("alice", 0, "carol", 10n)),
    ];
    cluster.run(20);
    const cancelled = cluster.submit(2, cancellation("alice", 0));
    cluster.run(10_000);
    expect(cluster.replyTo(cancelled)?.status).toBe("final");
    expect(ids.map((id) => cluster.replyTo(id)?.status)).toEqual(["superseded", "superseded"]);
    expect(cluster.coverage.get("skip by cancellation")).toBeGreaterThan(0);
  });

  it("makes a validator reply disclosed about evicted operations only", () => {
    const cluster = new Cluster(4);
    const ahead = payment("alice", 1, "bob", 1n);
    disclose(cluster, 0, ahead, "alice");
    cluster.run(0);
    flood(cluster, [0]);
    cluster.stop(BYZANTINE);
    expect(cluster.node(0).mempool.pending.has(idOf(ahead))).toBe(true);
    const paid = cluster.submit(1, payment("bob", 0, "carol", 1n));
    cluster.run(2_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.node(0).mempool.pending.has(idOf(ahead))).toBe(false);
    const refused = [ahead, payment("carol", 1, "bob", 1n), payment("alice", 2, "bob", 1n)];
    const ids = refused.map((one) => cluster.submit(0, one));
    cluster.run(2_100);
    expect(ids.map((id) => cluster.statuses(id))).toEqual([
      ["refused: business_nonce_gap"],
      ["refused undisclosed: business_nonce_gap"],
      ["refused undisclosed: business_nonce_gap"],
    ]);
  });
});

describe("what waits at a full queue of disclosed operations", () => {
  const poor = (at: number): Submission => mint(`poor ${at}`, 0, "bob", 1n);

  /** A validator whose queue of disclosed operations is full of costless ones; `rich` holds a role. */
  function full(rich: ReadonlySet<Address>, count = DISCLOSED): StepContext {
    const ledger = {
      ...rules.ledger,
      holdsRoleOfToken: (_: unknown, { sender }: { readonly sender: Address }) => rich.has(sender),
    };
    const state = new Cluster(4, 5, { ...rules, ledger }).node(0);
    const context: StepContext = {
      state,
      at: 0 as Millis,
      clock: 0 as Millis,
      from: state.environment.self,
      outputs: [],
      agenda: [],
    };
    for (let at = 0; at < count; at++) addPending(context, poor(at), { disclosed: true, isEntry: false });
    return context;
  }

  const SHOWN = { disclosed: true, isEntry: false };

  const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

  /** All indices agree about the same entries. */
  function expectSound(state: ValidatorState): void {
    const all = state.mempool.pending.values();
    const queued = state.mempool.evictable.flatMap((queue, priority) =>
      queue.entries().map(([number, id]) => ({ id, place: { priority, number } })),
    );
    const placed = all.flatMap(({ id, place }) => (place === undefined ? [] : [{ id, place }]));
    expect(queued.sort(byId)).toEqual(placed.sort(byId));
    for (const queue of state.mempool.evictable) expect(queue.first).toEqual(queue.entries()[0]);
    expect(queued.length).toBeLessThanOrEqual(DISCLOSED);
    expect(state.mempool.entryCount).toBe(all.filter(({ isEntry }) => isEntry).length);
    expect(all.every(({ isEntry, place }) => !isEntry || place === undefined)).toBe(true);
    const byNonce = (a: Pending, b: Pending): number => a.nonce - b.nonce || byId(a, b);
    for (const [account, pending] of state.mempool.pendingByAccount.entries())
      expect(pending).toEqual(all.filter((one) => one.account === account).sort(byNonce));
    expect(state.mempool.pendingByAccount.values().flat()).toHaveLength(all.length);
  }

  it("is not evicted for an equal priority", () => {
    const context = full(new Set());
    addPending(context, poor(DISCLOSED), SHOWN);
    expect(context.state.mempool.pending.has(idOf(poor(DISCLOSED)))).toBe(false);
    expect(context.state.mempool.pending.has(idOf(poor(0)))).toBe(true);
    expect(mayHaveBeenEvicted(context.state, addressOf(`poor ${DISCLOSED}`), 0 as Nonce)).toBe(true);
    expect(mayHaveBeenEvicted(context.state, addressOf("poor 0"), 0 as Nonce)).toBe(false);
    expectSound(context.state);
  });

  it("is evicted for a higher priority, the oldest first, by its present priority", () => {
    const rich = new Set([addressOf("rich")]);
    const context = full(rich);
    rich.add(addressOf("poor 0"));
    addPending(context, mint("rich", 0, "bob", 1n), SHOWN);
    expect([0, 1, 2].map((at) => context.state.mempool.pending.has(idOf(poor(at))))).toEqual([true, false, true]);
    expectSound(context.state);
  });

  it("has a priority above 0 up to a few operations of a nonce, and 0 for later nonces", () => {
    const context = full(new Set([addressOf("rich")]));
    const own = Array.from({ length: DISCLOSED_PER_NONCE + 1 }, (_, at) => mint("rich", 0, "bob", BigInt(at + 1)));
    for (const one of [...own, mint("rich", 1, "bob", 1n)]) addPending(context, one, SHOWN);
    const kept = own.filter((one) => context.state.mempool.pending.has(idOf(one)));
    expect(kept).toEqual(own.slice(0, DISCLOSED_PER_NONCE));
    expect(context.state.mempool.pending.has(idOf(mint("rich", 1, "bob", 1n)))).toBe(false);
  });

  it("has room for a cancellation of an admitted operation, and of one with a priority above 0", () => {
    const context = full(new Set([addressOf("rich")]));
    addPending(context, mint("admitted", 0, "bob", 1n), { disclosed: false, isEntry: true });
    addPending(context, mint("rich", 0, "bob", 1n), SHOWN);
    for (const name of ["admitted", "rich", "nobody"]) addPending(context, cancellation(name, 0), SHOWN);
    const isKept = (name: string): boolean => context.state.mempool.pending.has(idOf(cancellation(name, 0)));
    expect(["admitted", "rich", "nobody"].map(isKept)).toEqual([true, true, false]);
    expect(context.state.mempool.pending.get(idOf(cancellation("admitted", 0)))?.place).toBeUndefined();
    expectSound(context.state);
  });

  it(`is at most ${PENDING_PER_ACCOUNT} operations of one account`, () => {
    const context = full(new Set(), 0);
    for (let nonce = 0; nonce < PENDING_PER_ACCOUNT + 5; nonce++)
      addPending(context, mint("poor", nonce, "bob", 1n), SHOWN);
    expect(context.state.mempool.pending.size).toBe(PENDING_PER_ACCOUNT);
    expectSound(context.state);
  });

  it(`is recorded by account up to ${EVICTED_ACCOUNTS} accounts, then for every account`, () => {
    const context = full(new Set(), DISCLOSED + EVICTED_ACCOUNTS - 1);
    expect(mayHaveBeenEvicted(context.state, addressOf("alice"), 0 as Nonce)).toBe(false);
    addPending(context, poor(DISCLOSED + EVICTED_ACCOUNTS), SHOWN);
    expect(mayHaveBeenEvicted(context.state, addressOf("alice"), 0 as Nonce)).toBe(true);
    expect(context.state.mempool.evicted.size).toBe(EVICTED_ACCOUNTS);
  });

  it("is never evicted for a lower or equal priority, in any sequence of events", () => {
    const names = ["a", "b", "c", "d"];
    const arrival = fc.record({
      name: fc.constantFrom(...names),
      nonce: fc.constantFrom(0, 0, 0, 1),
      value: fc.integer({ min: 1, max: 6 }),
      kind: fc.constantFrom("mint", "mint", "cancellation"),
      asked: fc.boolean(),
      turns: fc.constantFrom("rich", "poor", "same", "ended"),
    });
    const base = full(new Set()).state;
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 40 }), (arrivals) => {
        const rich = new Set<Address>();
        const state = forkValidator(base);
        const ledger = {
          ...rules.ledger,
          holdsRoleOfToken: (_: unknown, { sender }: { readonly sender: Address }) => rich.has(sender),
        };
        state.environment = { ...state.environment, rules: { ...state.environment.rules, ledger } };
        const context: StepContext = {
          state,
          at: 0 as Millis,
          clock: 0 as Millis,
          from: state.environment.self,
          outputs: [],
          agenda: [],
        };
        for (const { name, nonce, value, kind, asked, turns } of arrivals) {
          if (turns === "rich") rich.add(addressOf(name));
          if (turns === "poor") rich.delete(addressOf(name));
          const one = kind === "mint" ? mint(name, nonce, "bob", BigInt(value)) : cancellation(name, nonce);
          if (turns === "ended") removePending(context, idOf(one));
          const before = state.mempool.pending.values();
          const worth = evictionPriority(state, one, pendingFor(state, one.sender, one.operation.nonce));
          addPending(context, one, { disclosed: true, isEntry: asked });
          for (const { id, submission } of before)
            if (!state.mempool.pending.has(id)) expect(evictionPriority(state, submission, [])).toBeLessThan(worth);
          if (asked) expect(state.mempool.pending.get(idOf(one))).toMatchObject({ isEntry: true, place: undefined });
        }
        expectSound(state);
      }),
      { numRuns: 60 },
    );
  });
});
