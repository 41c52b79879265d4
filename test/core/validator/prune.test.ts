/**
 * Bounded memory: a validator keeps only what happened since the last checkpoints, however long it runs (protocol 6.2).
 * Each test checks every collection of every node, so that a collection that is added later and grows is detected as
 * well.
 */
import { describe, expect, it } from "vitest";
import { Table } from "../../../src/core/base/table.ts";
import { CHECKPOINTS_KEPT } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { Cluster } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";

const NAMES = ["alice", "bob", "carol"] as const;
/** Each checkpoint lists one payment of each account. */
const POLICY = { slots: NAMES.length, intervalMs: 60_000, limit: 64, periodSeconds: 0, empty: false };

function isOfCheckpoint({ body }: Extract<PeerMessage, { type: "consensus" }>): boolean {
  return body.slot.kind === "checkpoint";
}

class Run {
  readonly cluster = new Cluster(4, 5, rules, POLICY);
  private nonce = 0;

  /** Each account pays the next one, again and again, until so many checkpoints are final at `node`; then all rest. */
  upTo(checkpoints: number, node = 0): void {
    const { cluster } = this;
    while (this.numberAt(node) < checkpoints) {
      for (const [at, name] of NAMES.entries())
        cluster.submit(node, payment(name, this.nonce, NAMES[(at + 1) % NAMES.length] as string, 1n));
      this.nonce++;
      cluster.run(cluster.now + 100);
    }
    cluster.run(cluster.now + 20_000);
  }

  numberAt(node: number): number {
    return this.cluster.node(node).checkpoints.last.header.number;
  }

  /** Number of entries of each non-empty collection in a sub-state of a node, and of its disk. */
  kept(node: number): Readonly<Record<string, number>> {
    const { mempool, slots, checkpoints, epochs, sync } = this.cluster.node(node);
    const sizes = [mempool, slots, checkpoints, epochs, sync].flatMap(sizesIn);
    return { ...Object.fromEntries(sizes), disk: this.cluster.disks[node]?.size ?? 0 };
  }
}

/** Tables that the budgets of peers bound, not the checkpoints, and marks of contents that are counted themselves. */
const BUDGETED: ReadonlySet<string> = new Set(["served", "chargedItems", "budgets", "pinned"]);

/** Returns the sizes of the non-empty collections in a record, by name. */
function sizesIn(part: object): readonly (readonly [name: string, size: number])[] {
  return Object.entries(part).flatMap(([name, one]) =>
    one instanceof Table && one.size > 0 && !BUDGETED.has(name) ? [[name, one.size] as const] : [],
  );
}

describe("memory of a validator", () => {
  it("is the same after 20 and after 60 checkpoints", () => {
    const run = new Run();
    run.upTo(20);
    const early = NAMES.map((_, node) => run.kept(node));
    run.upTo(60);
    expect(NAMES.map((_, node) => run.kept(node))).toEqual(early);
    expect(run.kept(0)).toEqual({
      records: CHECKPOINTS_KEPT,
      contents: CHECKPOINTS_KEPT,
      states: CHECKPOINTS_KEPT,
      outcomes: CHECKPOINTS_KEPT * NAMES.length,
      // The snapshot beside the checkpoints.
      disk: CHECKPOINTS_KEPT + 1,
    });
    // Of hundreds of contents and records that peers have shown, only those of the present checkpoint count.
    for (const node of NAMES.keys()) expect(run.cluster.node(node).mempool.chargedItems.size).toBeLessThan(16);
  });

  it("has nothing of the checkpoints that it missed once it took a state over, nor of timers for them", () => {
    const run = new Run();
    const { cluster } = run;
    run.upTo(3);
    for (let away = 1; away <= 2; away++) {
      // It votes for a checkpoint and does not receive its decision; then it receives nothing at all.
      cluster.cut = (_, to, message) => {
        if (to !== 3 || message.type === "offer") return false;
        return message.type !== "consensus" || (isOfCheckpoint(message) && message.body.type !== "proposal");
      };
      run.upTo(run.numberAt(0) + 1);
      expect(run.kept(3)["retries"]).toBe(1);
      cluster.cut = (_, to) => to === 3;
      run.upTo(run.numberAt(0) + CHECKPOINTS_KEPT + 4);
      cluster.cut = () => false;
      cluster.run(cluster.now + 60_000);
      expect(cluster.coverage.get("state installed")).toBe(away);
      run.upTo(run.numberAt(0) + 2 * CHECKPOINTS_KEPT);
      // Clients submit only to the first one, and only admitted operations have their digests recorded.
      const { digests: _, ...others } = run.kept(0);
      expect(run.kept(3)).toEqual(others);
    }
  });
});
