/** The queue of what others disclosed: one Byzantine relay fills it, and nobody who pays loses anything by that. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Address, Millis, Nonce } from "../../../src/core/base/ids.ts";
import type { Submission } from "../../../src/core/base/operation.ts";
import type { Turn } from "../../../src/core/validator/agenda.ts";
import { EVICTED_ACCOUNTS, PENDING_PER_ACCOUNT, SEEN, SEEN_PER_NONCE } from "../../../src/core/validator/limits.ts";
import { forget, keep, mayBeEvicted, pendingFor } from "../../../src/core/validator/mempool/pending.ts";
import { worthOf } from "../../../src/core/validator/mempool/worth.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { forkValidator, type ValidatorState } from "../../../src/core/validator/state.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, cancellation, idOf, mint, payment, recovery } from "./support/operations.ts";

const BYZANTINE = 3;
const HONEST = [0, 1, 2];
const BOTH = ["pending", "final"];

/** As the Byzantine relay discloses an operation. */
function disclose(cluster: Cluster, to: number, signed: ReturnType<typeof mint>, name: string): void {
  cluster.inject(BYZANTINE, to, { type: "offer", slot: accountSlot(name), content: contentOf(signed) });
}

/** More operations of keys that cost nothing than fit into the queues of these validators. */
function flood(cluster: Cluster, nodes = HONEST, count = SEEN + 50): void {
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

  it(`fills ${SEEN} places, and takes none of those that clients ask for`, () => {
    const cluster = again();
    for (const at of HONEST) expect(cluster.node(at)).toMatchObject({ asked: 0, seen: { size: SEEN } });
    const ids = HONEST.map((at, place) =>
      cluster.submit(at, payment(["alice", "bob", "carol"][place] as string, 0, "bob", 5n)),
    );
    cluster.run(2_000);
    expect(ids.map((id) => cluster.statuses(id))).toEqual([BOTH, BOTH, BOTH]);
  });

  it("keeps nobody from proving that an owner equivocates", () => {
    const cluster = again();
    cluster.cut = (from, to, message) => cluster.now < 100 && message.type === "offer" && from < 1 !== to < 1;
    const first = payment("alice", 0, "bob", 10n);
    const second = payment("alice", 0, "carol", 10n);
    const ids = [cluster.submit(0, first), cluster.submit(1, second)];
    cluster.run(300);
    const recovered = cluster.submit(2, recovery(first, second));
    cluster.run(10_000);
    expect(cluster.told(recovered)?.status).toBe("final");
    expect(ids.map((id) => cluster.told(id)?.status)).toEqual(["superseded", "superseded"]);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("keeps no owner from cancelling, wherever it asks for that", () => {
    const cluster = again();
    cluster.cut = (from, to, message) => cluster.now < 100 && message.type === "offer" && from < 1 !== to < 1;
    const ids = [
      cluster.submit(0, payment("alice", 0, "bob", 10n)),
      cluster.submit(1, payment("alice", 0, "carol", 10n)),
    ];
    cluster.run(20);
    const cancelled = cluster.submit(2, cancellation("alice", 0));
    cluster.run(10_000);
    expect(cluster.told(cancelled)?.status).toBe("final");
    expect(ids.map((id) => cluster.told(id)?.status)).toEqual(["superseded", "superseded"]);
    expect(cluster.marks.get("skip by cancellation")).toBeGreaterThan(0);
  });

  it("makes a validator say disclosed of what it evicted, and of nothing else", () => {
    const cluster = new Cluster(4);
    const ahead = payment("alice", 1, "bob", 1n);
    disclose(cluster, 0, ahead, "alice");
    cluster.run(0);
    flood(cluster, [0]);
    cluster.stop(BYZANTINE);
    expect(cluster.node(0).pending.has(idOf(ahead))).toBe(true);
    const paid = cluster.submit(1, payment("bob", 0, "carol", 1n));
    cluster.run(2_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.node(0).pending.has(idOf(ahead))).toBe(false);
    const refused = [ahead, payment("carol", 1, "bob", 1n), payment("alice", 2, "bob", 1n)];
    const ids = refused.map((one) => cluster.submit(0, one));
    cluster.run(2_100);
    expect(ids.map((id) => cluster.statuses(id))).toEqual([
      ["refused: business_nonce_gap"],
      ["refused unshown: business_nonce_gap"],
      ["refused unshown: business_nonce_gap"],
    ]);
  });
});

describe("what waits at a full queue of disclosed operations", () => {
  const poor = (at: number): Submission => mint(`poor ${at}`, 0, "bob", 1n);

  /** A validator whose queue of disclosed operations is full of what costs nothing; `rich` holds a role. */
  function full(rich: ReadonlySet<Address>, count = SEEN): Turn {
    const ledger = {
      ...rules.ledger,
      holdsRoleOfToken: (_: unknown, { sender }: { readonly sender: Address }) => rich.has(sender),
    };
    const state = new Cluster(4, 5, { ...rules, ledger }).node(0);
    const turn: Turn = {
      state,
      at: 0 as Millis,
      clock: 0 as Millis,
      from: state.environment.self,
      outputs: [],
      agenda: [],
    };
    for (let at = 0; at < count; at++) keep(turn, poor(at), { shown: true, asked: false });
    return turn;
  }

  const SHOWN = { shown: true, asked: false };

  /** Every index says the same of the same entries. */
  function expectSound(state: ValidatorState): void {
    const all = [...state.pending.entries()];
    const placed = all.flatMap(([id, { place }]) => (place === undefined ? [] : [[place, id]]));
    expect([...state.seen.entries()]).toEqual(placed.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
    expect(state.seen.size).toBeLessThanOrEqual(SEEN);
    expect(state.asked).toBe(all.filter(([, { asked }]) => asked).length);
    expect(all.every(([, { asked, place }]) => !asked || place === undefined)).toBe(true);
    const sums = [...state.tallies.values()].reduce((sum, { asked, seen }) => sum + asked + seen, 0);
    expect(sums).toBe(all.length);
    expect(state.pendingByNonce.size).toBe(all.length);
  }

  it("is not pushed out by what is worth as little", () => {
    const turn = full(new Set());
    keep(turn, poor(SEEN), SHOWN);
    expect(turn.state.pending.has(idOf(poor(SEEN)))).toBe(false);
    expect(turn.state.pending.has(idOf(poor(0)))).toBe(true);
    expect(mayBeEvicted(turn.state, addressOf(`poor ${SEEN}`), 0 as Nonce)).toBe(true);
    expect(mayBeEvicted(turn.state, addressOf("poor 0"), 0 as Nonce)).toBe(false);
    expectSound(turn.state);
  });

  it("gives way to what is worth more, the oldest first, and is judged again by what it is worth now", () => {
    const rich = new Set([addressOf("rich")]);
    const turn = full(rich);
    rich.add(addressOf("poor 0"));
    keep(turn, mint("rich", 0, "bob", 1n), SHOWN);
    expect([0, 1, 2].map((at) => turn.state.pending.has(idOf(poor(at))))).toEqual([true, false, true]);
    expectSound(turn.state);
  });

  it("is worth something up to a few operations of a nonce, and nothing where the nonce is ahead", () => {
    const turn = full(new Set([addressOf("rich")]));
    const own = Array.from({ length: SEEN_PER_NONCE + 1 }, (_, at) => mint("rich", 0, "bob", BigInt(at + 1)));
    for (const one of [...own, mint("rich", 1, "bob", 1n)]) keep(turn, one, SHOWN);
    const kept = own.filter((one) => turn.state.pending.has(idOf(one)));
    expect(kept).toEqual(own.slice(0, SEEN_PER_NONCE));
    expect(turn.state.pending.has(idOf(mint("rich", 1, "bob", 1n)))).toBe(false);
  });

  it("has room for a cancellation of what is admitted here, and of what is worth something", () => {
    const turn = full(new Set([addressOf("rich")]));
    keep(turn, mint("admitted", 0, "bob", 1n), { shown: false, asked: true });
    keep(turn, mint("rich", 0, "bob", 1n), SHOWN);
    for (const name of ["admitted", "rich", "nobody"]) keep(turn, cancellation(name, 0), SHOWN);
    const isKept = (name: string): boolean => turn.state.pending.has(idOf(cancellation(name, 0)));
    expect(["admitted", "rich", "nobody"].map(isKept)).toEqual([true, true, false]);
    expect(turn.state.pending.get(idOf(cancellation("admitted", 0)))?.place).toBeUndefined();
    expectSound(turn.state);
  });

  it(`is at most ${PENDING_PER_ACCOUNT} operations of one account`, () => {
    const turn = full(new Set(), 0);
    for (let nonce = 0; nonce < PENDING_PER_ACCOUNT + 5; nonce++) keep(turn, mint("poor", nonce, "bob", 1n), SHOWN);
    expect(turn.state.pending.size).toBe(PENDING_PER_ACCOUNT);
    expectSound(turn.state);
  });

  it(`is remembered by account up to ${EVICTED_ACCOUNTS} accounts, then of every account`, () => {
    const turn = full(new Set(), SEEN + EVICTED_ACCOUNTS - 1);
    expect(mayBeEvicted(turn.state, addressOf("alice"), 0 as Nonce)).toBe(false);
    keep(turn, poor(SEEN + EVICTED_ACCOUNTS), SHOWN);
    expect(mayBeEvicted(turn.state, addressOf("alice"), 0 as Nonce)).toBe(true);
    expect(turn.state.evicted.size).toBe(EVICTED_ACCOUNTS);
  });

  it("is never pushed out by what is worth less or as much, whatever comes, is asked for, ends or changes in worth", () => {
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
        const turn: Turn = {
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
          if (turns === "ended") forget(turn, idOf(one));
          const before = state.pending;
          const worth = worthOf(
            state,
            one,
            pendingFor(state, one.sender, one.operation.nonce).map(([, { submission }]) => submission),
          );
          const worths = new Map(
            before
              .differences(base.pending)
              .map(({ key, before: had }) => [key, had && worthOf(state, had.submission, [])]),
          );
          keep(turn, one, { shown: true, asked });
          for (const { key, after } of before.differences(state.pending))
            if (after === undefined) expect(worths.get(key) ?? 0).toBeLessThan(worth);
          if (asked) expect(state.pending.get(idOf(one))).toMatchObject({ asked: true, place: undefined });
        }
        expectSound(state);
      }),
      { numRuns: 60 },
    );
  });
});
