import { describe, expect, it } from "vitest";
import { accountOf } from "../../../src/core/ledger/state.ts";
import { OWNERS_TURN_MS } from "../../../src/core/validator/limits.ts";
import { rules as realRules } from "../../../src/core/validator/rules.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, mint, payment } from "./support/operations.ts";

const BOTH = ["pending", "final"];

/** Offers in Alice's account reach the first two validators only, so that half vote. */
const OFFERS_TO_TWO: Cluster["cut"] = (_, to, message) =>
  message.type === "offer" && message.slot.kind === "account" && message.slot.address === addressOf("alice") && to >= 2;

/** Alice's payment has half the votes when a burn takes its funds: after 8 s it is pending, and waits for them. */
function withoutFunds(): { readonly cluster: Cluster; readonly paid: ReturnType<Cluster["submit"]> } {
  const cluster = new Cluster(4);
  cluster.cut = OFFERS_TO_TWO;
  const paid = cluster.submit(0, payment("alice", 0, "bob", 800n));
  cluster.run(20);
  cluster.submit(3, burn("burner", 0, "alice", 300n));
  cluster.run(250);
  cluster.cut = () => false;
  cluster.run(8_000);
  expect(cluster.statuses(paid)).toEqual(["pending"]);
  return { cluster, paid };
}

describe("a forced burn", () => {
  it("is authorised in the authority's account and takes effect in the debited one", () => {
    const cluster = new Cluster(4);
    const burned = cluster.submit(0, burn("burner", 0, "alice", 300n));
    cluster.run(4_000);
    expect(cluster.statuses(burned)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([700n]);
    for (const { ledger } of cluster.nodes) {
      expect(accountOf(ledger, addressOf("alice"))).toEqual({ nonce: 0, sequence: 1 });
      expect(ledger.authorised.size).toBe(0);
    }
    expect(cluster.roots()).toHaveLength(1);
  });

  it("is refused undisclosed if the account does not hold the amount", () => {
    const cluster = new Cluster(4);
    const burned = cluster.submit(0, burn("burner", 0, "alice", 1_001n));
    cluster.run(1_000);
    expect(cluster.statuses(burned)).toEqual(["refused undisclosed: business_insufficient_funds"]);
  });

  it("fails, decided so, where the funds went before it came to the account", () => {
    const cluster = new Cluster(4);
    // The payment is half-way when the burn is authorised: it has its lock and comes first.
    const paid = cluster.submit(0, payment("alice", 0, "bob", 900n));
    const burned = cluster.submit(1, burn("burner", 0, "alice", 300n));
    cluster.run(8_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.statuses(burned)).toEqual(["pending", "failed: business_burn_unfunded"]);
    expect(cluster.balances("alice")).toEqual([99n]);
    expect(cluster.coverage.get("forced burn failed")).toBe(4);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("displaces a payment that has half the votes, which is tried again behind it", () => {
    const cluster = new Cluster(4);
    cluster.cut = OFFERS_TO_TWO;
    const paid = cluster.submit(0, payment("alice", 0, "bob", 600n));
    cluster.run(20);
    const burned = cluster.submit(3, burn("burner", 0, "alice", 300n));
    cluster.run(250);
    cluster.cut = () => false;
    cluster.run(15_000);
    expect(cluster.statuses(burned)).toEqual(BOTH);
    expect(cluster.coverage.get("round change by due burn")).toBeGreaterThan(0);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([99n]);
    expect(cluster.contradictions()).toEqual([]);
  });

  it("that takes the funds of a payment that was half voted leaves it pending, never refused", () => {
    const { cluster, paid } = withoutFunds();
    cluster.submit(1, mint("issuer", 0, "alice", 500n));
    cluster.run(16_000);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([399n]);
  });

  it("gives the owner a turn before the next one", () => {
    const cluster = new Cluster(4);
    cluster.cut = OFFERS_TO_TWO;
    const paid = cluster.submit(0, payment("alice", 0, "bob", 500n));
    cluster.run(20);
    cluster.cut = () => false;
    const burns = [0, 1].map((nonce) => cluster.submit(3, burn("burner", nonce, "alice", 400n)));
    while (cluster.statuses(paid).length < 2 && cluster.step(10_000));
    cluster.run(cluster.now + 50);
    expect(cluster.coverage.get("operation displaced")).toBeGreaterThan(0);
    expect(cluster.statuses(paid)).toEqual(BOTH);
    expect(cluster.balances("alice")).toEqual([99n]);
    cluster.run(20_000);
    expect(burns.map((id) => cluster.statuses(id).at(-1))).toEqual(["final", "failed: business_burn_unfunded"]);
  });

  it("is followed by the next one where the owner does nothing", () => {
    const cluster = new Cluster(4);
    const burns = [0, 1, 2].map((nonce) => cluster.submit(nonce === 0 ? 0 : 0, burn("burner", nonce, "alice", 100n)));
    cluster.run(20_000);
    expect(burns.map((id) => cluster.statuses(id))).toEqual([BOTH, BOTH, BOTH]);
    expect(cluster.balances("alice")).toEqual([700n]);
  });

  it("is not held up by an owner who waits for funds", () => {
    const { cluster } = withoutFunds();
    const burns = [1, 2, 3, 4].map((nonce) => cluster.submit(0, burn("burner", nonce, "alice", 1n)));
    cluster.run(8_000 + burns.length * 500);
    expect(burns.map((id) => cluster.statuses(id))).toEqual([BOTH, BOTH, BOTH, BOTH]);
  });

  it("follows another at once if the rules give the owner no turn", () => {
    const rules = { ...realRules, validator: { ...realRules.validator, isOwnersTurn: () => false } };
    const cluster = new Cluster(4, 5, rules);
    for (const nonce of [0, 1]) cluster.submit(0, burn("burner", nonce, "alice", 400n));
    cluster.run(OWNERS_TURN_MS);
    expect(cluster.balances("alice")).toEqual([200n]);
  });

  it("is relayed by the others if the entry validator crashes once it is authorised", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, burn("burner", 0, "alice", 100n));
    cluster.crash = (node, output) =>
      node === 0 &&
      output.type === "send" &&
      output.message.type === "offer" &&
      output.message.content.value.type === "burn";
    cluster.run(8_000);
    expect(cluster.down.has(0)).toBe(true);
    expect(cluster.balances("alice")).toEqual([900n]);
  });

  it("of one's own balance needs no second slot", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, mint("issuer", 0, "burner", 100n));
    cluster.run(2_000);
    const burned = cluster.submit(0, burn("burner", 0, "burner", 40n));
    cluster.run(4_000);
    expect(cluster.statuses(burned)).toEqual(BOTH);
    expect(cluster.balances("burner")).toEqual([60n]);
  });

  it("refuses a queued, undisclosed payment that it leaves without funds", () => {
    const cluster = new Cluster(4);
    cluster.submit(3, burn("burner", 0, "alice", 300n));
    cluster.run(12);
    cluster.submit(0, payment("alice", 0, "bob", 100n));
    const queued = cluster.submit(0, payment("alice", 1, "bob", 700n));
    cluster.run(30_000);
    expect(cluster.balances("alice")).toEqual([599n]);
    expect(cluster.statuses(queued)).toEqual(["pending", "refused undisclosed: business_insufficient_funds"]);
  });
});

describe("burns of two authorities", () => {
  it.each([
    ["issuer", "burner"],
    ["burner", "issuer"],
  ])("take turns: many of %s do not keep one of %s waiting", (many, one) => {
    const cluster = new Cluster(4);
    cluster.cut = (_, __, message) => message.type === "offer" && message.content.value.type === "burn";
    const first = [0, 1, 2, 3, 4, 5].map((nonce) => cluster.submit(0, burn(many, nonce, "bob", 1n)));
    cluster.run(600);
    const later = cluster.submit(1, burn(one, 0, "bob", 2n));
    cluster.run(700);
    cluster.cut = () => false;
    while (cluster.statuses(later).length < 2 && cluster.step(30_000));
    expect(cluster.statuses(later)).toEqual(BOTH);
    expect(first.filter((id) => cluster.statuses(id).length < 2).length).toBeGreaterThanOrEqual(2);
    cluster.run(30_000);
    expect(first.map((id) => cluster.statuses(id))).toEqual(first.map(() => BOTH));
    expect(cluster.roots()).toHaveLength(1);
  });
});
