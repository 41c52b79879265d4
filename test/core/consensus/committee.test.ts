import { describe, expect, it } from "vitest";
import { text } from "../../../src/core/base/encoding.ts";
import type { Address, Epoch, Sequence } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import { committeeOf, faultyOf, proposerOf, quorumOf } from "../../../src/core/consensus/committee.ts";
import { taggedHash } from "../../../src/core/crypto/hash.ts";
import { Kit, round } from "./support/kit.ts";

describe("quorums of 1 to 200 validators", () => {
  const sizes = Array.from({ length: 200 }, (_, i) => i + 1);

  it("share an honest validator with each other", () => {
    for (const n of sizes) expect(2 * quorumOf(n) - n).toBeGreaterThanOrEqual(faultyOf(n) + 1);
  });

  it("can be made by the honest ones alone, and hold f + 1 of them", () => {
    for (const n of sizes) {
      expect(n - faultyOf(n)).toBeGreaterThanOrEqual(quorumOf(n));
      expect(quorumOf(n) - faultyOf(n)).toBeGreaterThanOrEqual(faultyOf(n) + 1);
    }
  });

  // holds: 4
  it("are those of protocol 1.1", () => {
    expect([4, 6, 7].map((n) => [faultyOf(n), quorumOf(n)])).toEqual([
      [1, 3],
      [1, 4],
      [2, 5],
    ]);
  });
});

describe("a committee", () => {
  it("knows the position of each member", () => {
    const { members, index } = new Kit(4).committee;
    expect([...index]).toEqual(members.map((member, at) => [member, at]));
  });

  it("has at least one member, and each once", () => {
    const kit = new Kit(4);
    expect(() => committeeOf(1, 0 as Epoch, [])).toThrow("at least one validator");
    expect(() => committeeOf(1, 0 as Epoch, [kit.member(0), kit.member(0)])).toThrow("listed twice");
  });

  it("lets validator (hash(slot) + r) mod N propose", () => {
    const kit = new Kit(7);
    const start = Number(BigInt(taggedHash("slot", text(slotKey(kit.slot)))) % 7n);
    for (let r = 0; r < 10; r++) expect(kit.proposer(r)).toBe((start + r) % 7);
  });

  it("lets every member propose in turn", () => {
    const kit = new Kit(4);
    const proposers = [0, 1, 2, 3].map((number) => kit.proposer(number));
    expect(new Set(proposers).size).toBe(4);
    expect([4, 5, 6, 7].map((number) => kit.proposer(number))).toEqual(proposers);
  });

  it("starts with different members in different slots", () => {
    const kit = new Kit(4);
    const first = (sequence: number): Address =>
      proposerOf(kit.committee, { ...kit.slot, sequence: sequence as Sequence } as typeof kit.slot, round(0));
    const counts = new Map<Address, number>();
    for (let i = 0; i < 400; i++) counts.set(first(i), (counts.get(first(i)) ?? 0) + 1);
    for (const member of kit.committee.members) expect(counts.get(member)).toBeGreaterThan(50);
  });
});
