import { expect, test } from "vitest";
import type { CheckpointNumber, Epoch, Hash, Round, Sequence, Signature, Version } from "../../src/core/base/ids.ts";
import { Trie } from "../../src/core/base/trie.ts";
import type { AnyCertificate } from "../../src/core/consensus/certificate.ts";
import type { Seal } from "../../src/core/consensus/message.ts";
import { Digester } from "../../src/simulator/digest.ts";
import { lanesHex, Mix } from "../../src/simulator/random.ts";
import { addressOf } from "./support.ts";

const hexOf = (value: unknown): string => lanesHex(new Digester().digestOf(value));

test("equal data has one digest, whether or not it was met before", () => {
  const digester = new Digester();
  const make = (): object => ({ a: 1, operations: [{ b: [2n, "x", undefined] }], certificates: [certificate()] });
  const first = make();
  expect(digester.digestOf(first)).toBe(digester.digestOf(first));
  expect(lanesHex(digester.digestOf(make()))).toBe(hexOf(first));
});

test("different data has different digests", () => {
  const values = [
    ...[undefined, 0, 1, -1, 2 ** 40, 2 ** 32, "", "0", "1", true, false, 5n],
    ...[[], {}, [1], [[1]], [1, 2], [2, 1], { a: 1 }, { b: 1 }, { a: { b: 1 } }, { a: "b" }, ["ab", "c"], ["a", "bc"]],
    ...[{ a: {}, b: 1 }, Trie.of([["a", 1]]), Trie.of([["a", 2]])],
  ];
  expect(new Set(values.map(hexOf)).size).toBe(values.length);
});

test("a certificate has another digest with any member changed", () => {
  const plain = certificate();
  const seal = plain.seals[0] as Seal;
  const other: readonly Partial<AnyCertificate>[] = [
    { type: "finality" },
    { epoch: 1 as Epoch },
    { slot: { kind: "account", address: addressOf("alice"), sequence: 2 as Sequence } },
    { slot: { kind: "token", token: addressOf("alice"), version: 1 as Version } },
    { slot: { kind: "checkpoint", number: 1 as CheckpointNumber } },
    { slot: { kind: "epoch", epoch: 1 as Epoch } },
    { round: 1 as Round },
    { value: hashOf("b") },
    { seals: [] },
    { seals: [seal, seal] },
    { seals: [{ ...seal, signer: addressOf("bob") }] },
    { seals: [{ ...seal, signature: `0x${"12".repeat(65)}` as Signature }] },
  ];
  const all = [{}, ...other].map((change) => hexOf({ ...plain, ...change }));
  expect(new Set(all).size).toBe(all.length);
});

function certificate(): AnyCertificate {
  const slot = { kind: "account", address: addressOf("alice"), sequence: 1 as Sequence } as const;
  const seals = [{ signer: addressOf("v1"), signature: `0x${"1".repeat(130)}` as Signature }];
  return { type: "lock", epoch: 0 as Epoch, slot, round: 0 as Round, value: hashOf("a"), seals };
}

function hashOf(digit: string): Hash {
  return `0x${digit.repeat(64)}` as Hash;
}

test("what is no data is refused", () => {
  expect(() => hexOf({ a: () => 1 })).toThrow("expected plain data, got a function");
});

test("every bit of an event moves the hash", () => {
  const hashes = new Set<string>();
  for (let word = 0; word < 4; word++) {
    for (let bit = 0; bit < 32; bit++) {
      const words: [number, number, number, number] = [1, 2, 3, 4];
      words[word] = (words[word] as number) ^ (1 << bit);
      const mix = new Mix();
      mix.block(...words);
      hashes.add(lanesHex(mix.finish()));
    }
  }
  expect(hashes.size).toBe(128);
});
