import { describe, expect, it } from "vitest";
import { Table } from "../../../src/core/base/table.ts";
import type { Trie } from "../../../src/core/base/trie.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { forkValidator, type ValidatorState } from "../../../src/core/validator/state.ts";
import { step } from "../../../src/core/validator/step.ts";
import { Cluster } from "./support/cluster.ts";
import { burn, cancellation, grant, mint, payment } from "./support/operations.ts";

/** Every kind of slot, round changes and a gap, over all four validators. */
function eventful(): Cluster {
  const cluster = new Cluster(4);
  cluster.cut = (from, to, message) => message.type === "offer" && cluster.now < 400 && from < 2 !== to < 2;
  cluster.submit(0, payment("alice", 0, "bob", 100n));
  cluster.submit(2, payment("alice", 0, "carol", 100n));
  cluster.submit(1, grant("issuer", 0, "dave", 50n));
  cluster.submit(3, burn("burner", 0, "bob", 20n));
  cluster.run(900);
  cluster.submit(1, cancellation("alice", 0));
  cluster.submit(0, mint("dave", 0, "bob", 50n));
  for (const nonce of [0, 1, 2]) cluster.submit(2, payment("carol", nonce, "bob", 5n));
  cluster.run(12_000);
  return cluster;
}

/** All of a state except the environment, which it shares and never writes. */
function snapshot({ environment: _, ledger, transfer, halted, checkpoints, ...rooms }: ValidatorState): unknown {
  const collections = Object.entries(rooms).flatMap(([room, fields]) =>
    Object.entries(fields).map(([name, part]) => {
      const isMap = typeof part === "object" && part !== null && "entries" in part;
      return [`${room}.${name}`, isMap ? JSON.stringify([...(part as Trie<unknown>).entries()], plain) : part];
    }),
  );
  const { last, states } = checkpoints;
  return structuredClone({
    ...Object.fromEntries(collections),
    root: stateRoot(ledger),
    chain: JSON.stringify([last, [...states.entries()]], plain),
    transfer: JSON.stringify(transfer, plain),
    halted,
  });
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Table) return value.entries();
  return typeof value === "object" && value !== null && "root" in value && "size" in value && "entries" in value
    ? [...(value as Trie<unknown>).entries()]
    : value;
}

describe("a validator", () => {
  const cluster = eventful();

  it("is driven through every kind of slot here", () => {
    expect(cluster.roots()).toHaveLength(1);
    for (const mark of ["forced burn", "skip by cancellation"] as const)
      expect(cluster.coverage.get(mark)).toBeGreaterThan(0);
    expect(cluster.balances("bob")).toEqual([1_045n]);
  });

  it("keeps nothing of operations with an outcome", () => {
    for (const { mempool, slots } of cluster.nodes) {
      const { pending, pendingByAccount, subscribers } = mempool;
      const { waiting, reasons, dueSince, barriers, retries, timers } = slots;
      const left = { pending, pendingByAccount, subscribers, waiting, reasons, dueSince };
      for (const [name, trie] of Object.entries({ ...left, barriers, retries, timers }))
        expect([name, [...trie.entries()]]).toEqual([name, []]);
    }
  });

  it("does the same again from the same inputs: equal outputs, equal root, equal memory", () => {
    for (const [at, recorded] of cluster.recorded.entries()) {
      const again = cluster.fresh(at);
      for (const { input, outputs } of recorded) expect(step(again, input)).toEqual(outputs);
      expect(stateRoot(again.ledger)).toBe(stateRoot(cluster.node(at).ledger));
      expect(snapshot(again)).toEqual(snapshot(cluster.node(at)));
    }
  });

  it("changes no input", () => {
    const again = cluster.fresh(0);
    for (const { input } of cluster.recorded[0] ?? []) {
      const before = JSON.stringify(input, plain);
      step(again, input);
      expect(JSON.stringify(input, plain)).toBe(before);
    }
  });
});

describe("a fork", () => {
  const { recorded } = eventful();
  const inputs = (recorded[1] ?? []).map(({ input }) => input);
  const fork = new Cluster(4);

  it("that continues leaves the original unchanged, and the original can follow it", () => {
    const original = fork.fresh(1);
    const half = Math.floor(inputs.length / 2);
    for (const input of inputs.slice(0, half)) step(original, input);
    const before = snapshot(original);
    const ahead = forkValidator(original);
    const outputs = inputs.slice(half).map((input) => step(ahead, input));
    expect(snapshot(original)).toEqual(before);
    expect(snapshot(ahead)).not.toEqual(before);
    expect(inputs.slice(half).map((input) => step(original, input))).toEqual(outputs);
    expect(snapshot(original)).toEqual(snapshot(ahead));
  });

  it("is not touched by what the original does, at any point", () => {
    const original = fork.fresh(1);
    for (const input of inputs) {
      const before = forkValidator(original);
      const seen = before.slots.records;
      const root = stateRoot(before.ledger);
      step(original, input);
      expect(before.slots.records).toBe(seen);
      expect(stateRoot(before.ledger)).toBe(root);
    }
  });
});
