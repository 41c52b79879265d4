import { describe, expect, it } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import type { Version } from "../../../src/core/base/ids.ts";
import { type Slot, slotKey } from "../../../src/core/base/slot.ts";
import { balanceOf, tokenOf, versionOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress } from "../../../src/core/ledger/token.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { accountSlot, certificateOf, contentOf, decisionOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import {
  addressOf,
  blacklist,
  cancellation,
  grant,
  idOf,
  mint,
  order,
  pause,
  payment,
  USD,
} from "./support/operations.ts";

describe("operations on a token", () => {
  it("are final when the token's slot is decided, and grant what a minter needs", () => {
    const cluster = new Cluster(4);
    const granted = cluster.submit(0, grant("issuer", 0, "dave", 50n));
    cluster.run(2_000);
    const minted = cluster.submit(1, mint("dave", 0, "bob", 30n));
    cluster.run(4_000);
    expect([granted, minted].map((id) => cluster.statuses(id))).toEqual([
      ["pending", "final"],
      ["pending", "final"],
    ]);
    expect(cluster.balances("bob")).toEqual([1_030n]);
    for (const { ledger } of cluster.nodes)
      expect(tokenOf(ledger, USD)?.roles.MintBurnTokens.get(addressOf("dave"))).toBe(20n);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("are refused undisclosed without a role, or past an allowance", () => {
    const cluster = new Cluster(4);
    const bare = cluster.submit(0, mint("alice", 0, "alice", 1n));
    cluster.submit(0, grant("issuer", 0, "dave", 50n));
    cluster.run(2_000);
    const greedy = cluster.submit(1, mint("dave", 0, "bob", 51n));
    cluster.run(4_000);
    expect(cluster.statuses(bare)).toEqual(["refused undisclosed: business_missing_role"]);
    expect(cluster.statuses(greedy)).toEqual(["refused undisclosed: business_allowance_exceeded"]);
  });

  it("can lose a race after they were accepted: the failed one has used its nonce", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, grant("issuer", 0, "dave", 50n));
    cluster.run(2_000);
    const ids = [cluster.submit(1, mint("dave", 0, "bob", 40n)), cluster.submit(1, mint("dave", 1, "carol", 40n))];
    cluster.run(6_000);
    expect(ids.map((id) => cluster.statuses(id).at(-1))).toEqual(["final", "failed: business_allowance_exceeded"]);
    expect([cluster.balances("bob"), cluster.balances("carol")]).toEqual([[1_040n], [1_000n]]);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("of several signers at once all become final, in one order everywhere", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, grant("issuer", 0, "dave", 50n));
    cluster.submit(0, grant("issuer", 1, "erin", 50n));
    cluster.run(4_000);
    const minters = ["dave", "erin", "issuer"];
    const ids = minters.map((name, i) => cluster.submit(i, mint(name, name === "issuer" ? 2 : 0, "bob", 10n)));
    cluster.run(8_000);
    expect(ids.map((id) => cluster.statuses(id))).toEqual(minters.map(() => ["pending", "final"]));
    expect(cluster.balances("bob")).toEqual([1_030n]);
    expect(cluster.roots()).toHaveLength(1);
  });

  it("make a new token, whose master mints", () => {
    const cluster = new Cluster(4);
    const token = issuedTokenAddress(addressOf("issuer"), "EUR");
    const issue = {
      kind: "issue",
      symbol: "EUR",
      name: "Euro",
      decimals: 2,
      masterAuthority: addressOf("issuer"),
      isPrivate: false,
    } as const;
    const issued = cluster.submit(0, order("operator", 0, issue));
    cluster.run(2_000);
    const withToken = (nonce: number, draft: object) => order("issuer", nonce, { ...draft, token } as never);
    cluster.submit(2, withToken(0, { kind: "pause", action: "Unpause" }));
    cluster.run(4_000);
    const coined = cluster.submit(2, withToken(1, { kind: "mint", recipient: addressOf("dave"), value: 7n as Amount }));
    cluster.run(6_000);
    expect([cluster.statuses(issued), cluster.statuses(coined)]).toEqual([
      ["pending", "final"],
      ["pending", "final"],
    ]);
    for (const { ledger } of cluster.nodes) expect(balanceOf(ledger, addressOf("dave"), token)).toBe(7n);
  });
});

describe("a restriction", () => {
  // holds: 66, 67
  it("stops payments once it is final, until it is lifted", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, pause("issuer", 0, "Pause"));
    cluster.run(2_000);
    const early = [0, 1, 2, 3].map((at) => cluster.submit(at, payment("alice", 0, "bob", at === 0 ? 5n : BigInt(at))));
    cluster.run(3_000);
    cluster.submit(0, pause("issuer", 1, "Unpause"));
    cluster.run(5_000);
    const late = cluster.submit(0, payment("alice", 0, "bob", 10n));
    cluster.run(7_000);
    for (const id of early) expect(cluster.statuses(id)).toEqual(["refused undisclosed: business_token_paused"]);
    expect(cluster.statuses(late)).toEqual(["pending", "final"]);
  });

  // holds: 86
  it("names one account: no payment from or to a blacklisted one", () => {
    const cluster = new Cluster(4);
    cluster.submit(0, blacklist("issuer", 0, "bob"));
    cluster.run(2_000);
    const ids = [payment("alice", 0, "bob", 1n), payment("bob", 0, "alice", 1n)].map((one) => cluster.submit(1, one));
    const other = cluster.submit(1, payment("alice", 0, "carol", 1n));
    cluster.run(4_000);
    for (const id of ids) expect(cluster.statuses(id)).toEqual(["refused undisclosed: business_blacklisted"]);
    expect(cluster.statuses(other)).toEqual(["pending", "final"]);
  });

  it("binds a validator from its commit on, before it is applied", () => {
    const cluster = new Cluster(4);
    // No commit is delivered: all have committed to the pause, none has applied it.
    let isCut = true;
    cluster.cut = (_, __, message) =>
      isCut && message.type === "consensus" && message.body.type === "commit" && message.body.slot.kind === "token";
    cluster.submit(0, pause("issuer", 0, "Pause"));
    cluster.run(300);
    expect(cluster.coverage.get("barrier raised")).toBe(4);
    const paid = cluster.submit(1, payment("alice", 0, "bob", 1n));
    cluster.run(400);
    expect(cluster.statuses(paid)).toEqual(["refused undisclosed: business_token_paused"]);
    isCut = false;
    cluster.run(20_000);
    for (const {
      ledger,
      slots: { barriers },
    } of cluster.nodes) {
      expect(tokenOf(ledger, USD)?.isPaused).toBe(true);
      expect(barriers.size).toBe(0);
    }
  });

  it("restricts until its version is applied, and no longer, for any delay and decision", () => {
    const cluster = new Cluster(4);
    // The pause was authorised behind a payment that the first validator lacks; alice may not pause at all.
    const paid = payment("alice", 0, "bob", 10n);
    const paused = pause("alice", 1, "Pause");
    const content: Content = {
      value: { type: "list", ids: [idOf(paused)] },
      operations: [paused],
      certificates: [decisionOf(paused, accountSlot("alice", 1))],
    };
    const dollar: Slot = { kind: "token", token: USD, version: 0 as Version };
    for (const kind of ["lock", "finality"] as const) {
      const body = certificateOf(kind, dollar, valueHash(content.value));
      cluster.inject(1, 0, { type: "consensus", body, contents: [content], reason: undefined });
    }
    cluster.run(1);
    expect(cluster.node(0).slots.records.get(slotKey(dollar))?.decided).toBeDefined();
    const barred = cluster.submit(0, payment("bob", 0, "carol", 1n));
    cluster.run(2);
    expect(cluster.statuses(barred)).toEqual(["refused undisclosed: business_token_paused"]);
    const decided = [paid, paused].map((signed, sequence) => ({
      certificate: decisionOf(signed, accountSlot("alice", sequence)),
      content: contentOf(signed),
    }));
    cluster.inject(1, 0, { type: "decisions", decided, contents: [] });
    cluster.run(3);
    expect(versionOf(cluster.node(0).ledger, USD)).toBe(1);
    expect(cluster.node(0).slots.barriers.size).toBe(0);
    cluster.run(4_000);
    const free = cluster.submit(0, payment("bob", 0, "carol", 1n));
    cluster.run(8_000);
    expect(cluster.statuses(free).at(-1)).toBe("final");
  });

  it("holds a payment that only some had voted for, until its owner cancels it", () => {
    const cluster = new Cluster(4);
    cluster.cut = (_, to, message) => message.type === "offer" && to >= 2;
    const paid = cluster.submit(0, payment("alice", 0, "bob", 1n));
    cluster.run(100);
    cluster.submit(2, pause("issuer", 0, "Pause"));
    cluster.cut = (_, to, message) =>
      message.type === "offer" &&
      message.slot.kind === "account" &&
      message.slot.address === addressOf("alice") &&
      to >= 2;
    cluster.run(500);
    cluster.cut = () => false;
    cluster.run(5_000);
    expect(new Set(cluster.statuses(paid))).toEqual(new Set(["pending", "barred: business_token_paused"]));
    const cancelled = cluster.submit(3, cancellation("alice", 0));
    cluster.run(10_000);
    expect(cluster.statuses(cancelled)).toEqual(["pending", "final"]);
    expect(cluster.statuses(paid).at(-1)).toBe("superseded");
    expect(cluster.balances("alice")).toEqual([998n]);
  });
});
