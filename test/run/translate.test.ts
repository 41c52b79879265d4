/** Records that the translator makes of world events. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import { GENESIS, only, PAYMENT, recordsOf } from "./support.ts";

const RUN = `name: n\n${GENESIS}${PAYMENT}`;

describe("the translator", () => {
  const records = recordsOf(RUN);

  it("reports every vote and commit at its signer, with key and round", () => {
    const votes = only(records, "signed").filter(({ statement }) => statement.kind === "vote");
    expect(votes.map(({ node }) => node).sort()).toEqual(["v1", "v2", "v3", "v4"]);
    expect(new Set(votes.map(({ key }) => key)).size).toBe(4);
    expect(votes.every(({ honest }) => honest)).toBe(true);
  });

  it("reports the content of a value once, before the first signature on it", () => {
    const contents = only(records, "content");
    expect(new Set(contents.map(({ hash }) => hash)).size).toBe(contents.length);
    const first = records.findIndex((record) => record.type === "signed");
    const known = records.findIndex((record) => record.type === "content");
    expect(known).toBeGreaterThanOrEqual(0);
    expect(known).toBeLessThan(first);
  });

  it("reports each application with its receipts", () => {
    expect(only(records, "applied").map(({ receipts }) => receipts.length)).toEqual([1, 1, 1, 1]);
  });

  it("reads changes from the state: both balances, the pool and the nonce", () => {
    const changes = only(records, "applied").flatMap((record) => (record.node === "v2" ? record.changes : []));
    expect(changes.map((change) => change.of).sort()).toEqual(["account", "balance", "balance", "pool"]);
  });

  it("reports the signers of a decision, a quorum", () => {
    for (const { signers } of only(records, "decided")) expect(new Set(signers).size).toBe(3);
  });

  it("reports submissions and responses, with the number of verified commits", () => {
    expect(only(records, "submitted")[0]).toMatchObject({ client: "alice", to: "v1", correct: true });
    const final = only(records, "replyReceived").find(({ answer }) => answer.status === "final");
    expect(final).toMatchObject({ quorum: 3, from: "v1" });
  });

  it("reports requests and replies at validators apart from responses at clients", () => {
    expect(only(records, "submissionReceived").map(({ node }) => node)).toEqual(["v1"]);
    const replies = only(records, "replied").map(({ node, honest, answer }) => [node, honest, answer.status]);
    expect(replies).toEqual([
      ["v1", true, "pending"],
      ["v1", true, "final"],
    ]);
    expect(
      new Set([...only(records, "submissionReceived"), ...only(records, "replied")].map(({ id }) => id)).size,
    ).toBe(1);
  });

  it("splits several applications of one step, each with its own changes", () => {
    // v4 receives two payments only after both are decided, and applies them in one step.
    const late = recordsOf(`name: n\n${GENESIS}clients: { alice: { window: 2 } }\nsteps:
  - { at: 0, partition: [[v1, v2, v3], [v4]] }
  - { at: 1, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 1, submit: { id: y, payment: { from: alice, to: carol, token: USD, value: "20" }, nonce: 1 } }
  - { at: 300, crash: { node: v1, restart_after_ms: 50 } }
  - { at: 400, heal: true }\n`);
    const v1 = late.filter((record) => "node" in record && record.node === "v1");
    const restart = v1.findIndex(({ type }) => type === "restarted");
    const again = only(v1.slice(restart), "applied");
    const shapes = again.map(({ changes }) => changes.map((change) => change.of).join(" "));
    expect(shapes).toEqual(["balance balance account pool", "balance balance account pool"]);
    expect(new Set(again.map(({ step }) => step)).size).toBe(1);
    const pools = again.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.of === "pool" ? [change.after] : [])),
    );
    expect(pools).toEqual([10_000n, 20_000n]);
  });

  it("reports decisions when they are carried out: no vote of a slow disk follows the application of its slot", () => {
    const slow = recordsOf(readFileSync("scenarios/workloads/every-kind-of-operation.yaml", "utf8"), "4");
    let applied: string[] = [];
    const late: string[] = [];
    for (const record of slow) {
      if (record.type === "crashed") applied = applied.filter((one) => !one.startsWith(`${record.node} `));
      if (record.type === "applied") applied.push(`${record.node} ${slotKey(record.slot)}`);
      if (record.type !== "signed" || record.statement.kind !== "vote" || !record.honest) continue;
      const vote = `${record.node} ${record.statement.slot}`;
      if (applied.includes(vote)) late.push(vote);
    }
    expect(applied.length).toBeGreaterThan(900);
    expect(late).toEqual([]);
  });

  it("starts a restarted node from the genesis", () => {
    const crashed = recordsOf(`${RUN}  - { at: 300, crash: { node: v2, restart_after_ms: 50 } }\n`);
    const after = crashed.slice(crashed.findIndex(({ type }) => type === "restarted"));
    const applied = only(after, "applied").find(({ node }) => node === "v2");
    expect(applied?.changes.find((change) => change.of === "pool")).toMatchObject({ before: 0n, after: 10_000n });
    expect(only(crashed, "crashed").map(({ node }) => node)).toEqual(["v2"]);
  });
});
