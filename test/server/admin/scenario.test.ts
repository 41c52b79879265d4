import { expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { type Administered, administered } from "./support.ts";

const FAULTS = `name: faults under real clients
network: { validators: 4, delay_ms: 100 }
steps:
  - { at: 0, byzantine: { node: v4, strategy: double-vote } }
  - { at: 400, crash: { node: v2, restart_after_ms: 3000 } }
  - { at: 5000, hold: { rule: late, kinds: [commit] } }
expect:
  - { nothing_final: true }
`;

async function run(network: Administered) {
  const { host } = network.served;
  expect(host.network.ledgerOf("v2")).toBeDefined();
  const first = await network.pay("alice", "1000000");
  runToEnd(host.advance(300));
  const early = await network.receipt(first.hash);
  runToEnd(host.advance(200));
  expect(host.network.ledgerOf("v2")).toBeUndefined();
  runToEnd(host.advance(4_000));
  expect(host.network.ledgerOf("v2")).toBeDefined();
  const finalized = await network.client.finalized(first.hash);
  runToEnd(host.advance(1_000));
  const second = await network.pay("alice", "1000000");
  runToEnd(host.advance(900));
  const held = await network.receipt(second.hash);
  // A live step may name a rule of the file.
  await network.done("/admin/step", { release: "late" });
  runToEnd(host.advance(20_000));
  return { early, finalized, held, released: await network.receipt(second.hash), hash: host.network.hash };
}

test("the faults of a scenario happen at their times under real clients, and twice alike", async () => {
  const [a, b] = [
    await administered({ scenario: { file: "f.yaml", text: FAULTS } }),
    await administered({ scenario: { file: "f.yaml", text: FAULTS } }),
  ];
  const [first, second] = [await run(a), await run(b)];
  expect(first).toMatchObject({ early: 404, held: 404, released: 200, finalized: { success: true } });
  expect((first.finalized["counter_signatures"] as readonly unknown[]).length).toBeGreaterThanOrEqual(3);
  expect(second.hash).toBe(first.hash);
  expect(a.served.host.network.findings).toEqual([]);
  await Promise.all([a.stop(), b.stop()]);
});
