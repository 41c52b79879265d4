/** Batches of a node in a world: what it states at one virtual time it signs once, unless it crashes before. */
import { describe, expect, test } from "vitest";
import type { Hash } from "../../src/core/base/ids.ts";
import {
  BATCH_LIMIT,
  bareSignature,
  batchCount,
  batchRules,
  batchRulesOf,
  isPlain,
  type SignedRecord,
} from "../../src/core/crypto/batch.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../src/core/crypto/scheme.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { Signer } from "../../src/simulator/nodes/node.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { parsed } from "../run/support.ts";
import { copyOf } from "./support.ts";

const TEXT = `
name: two payments at one moment
network: { validators: 4, delay_ms: 10, batched_signatures: true }
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "10" }, bob: { USD: "10" } }
steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: carol, token: USD, value: "1" }, nonce: 0 } }
  - { at: 0, submit: { id: y, payment: { from: bob, to: carol, token: USD, value: "1" }, nonce: 0 } }
`;

interface Watched {
  readonly world: World;
  /** By node: what each of its signatures covers. */
  readonly sealed: readonly { readonly node: string; readonly at: number; readonly records: readonly SignedRecord[] }[];
  readonly taken: readonly { readonly node: string; readonly digest: Hash }[];
}

function watched(text: string, untilMs = 1_000): Watched {
  const { plan } = compile(parsed(text), { seed: "1", scheme: keyedHash });
  const sealed: { node: string; at: number; records: readonly SignedRecord[] }[] = [];
  const taken: { node: string; digest: Hash }[] = [];
  const world: World = createWorld(plan, {
    signed: ({ name }, _body, digest) => taken.push({ node: name, digest }),
    sealed: ({ name }, records) => sealed.push({ node: name, at: world.now, records }),
  });
  world.run({ at: untilMs as typeof world.now, quiet: false });
  return { world, sealed, taken };
}

describe("a node that signs in batches", () => {
  test("signs the votes of one moment once, then the commits of one", () => {
    const { sealed, world } = watched(TEXT);
    for (const { name, key } of world.nodes) {
      const own = sealed.filter(({ node }) => node === name);
      expect(own.map(({ records }) => records.length)).toEqual([2, 2]);
      for (const { records } of own) {
        expect(new Set(records.map(({ signature }) => bareSignature(signature))).size).toBe(1);
        for (const { digest, signature } of records)
          expect(batchRules.verifies(keyedHash, digest, signature, key)).toBe(true);
      }
    }
  });

  test("signs a single statement as without batches", () => {
    const alone = TEXT.split("\n").filter((line) => !line.includes("id: y"));
    const { sealed } = watched(alone.join("\n"));
    const plain = watched(alone.join("\n").replace(", batched_signatures: true", ""));
    const signatures = (all: Watched["sealed"]): readonly unknown[] => all.map(({ node, records }) => [node, records]);
    expect(sealed.length).toBe(8);
    expect(sealed.every(({ records: [one] }) => one !== undefined && isPlain(one.signature))).toBe(true);
    expect(new Set(signatures(sealed).map((one) => JSON.stringify(one)))).toEqual(
      new Set(signatures(plain.sealed).map((one) => JSON.stringify(one))),
    );
  });

  test("takes no virtual time", () => {
    const text = TEXT.replace(", batched_signatures: true", "");
    const ends = [TEXT, text].map((one) => {
      const finals: number[] = [];
      const { plan } = compile(parsed(one), { seed: "1", scheme: keyedHash });
      const world: World = createWorld(plan, {
        carriedOut: (_node, output) => {
          if (output.type === "event" && output.event.type === "decided") finals.push(world.now);
        },
      });
      world.run({ at: 1_000 as typeof world.now, quiet: false });
      return finals.sort((a, b) => a - b);
    });
    expect(ends[0]).toEqual(ends[1]);
    expect(ends[0]).toHaveLength(8);
  });

  test("leaves no signature behind if it crashes between a record and its batch", () => {
    const crash = "  - { after: { voted: x, by: v2 }, crash: { node: v2 } }\n";
    const { sealed, taken } = watched(`${TEXT}${crash}`, 20);
    expect(taken.filter(({ node }) => node === "v2")).toHaveLength(1);
    expect(sealed.filter(({ node }) => node === "v2")).toEqual([]);
  });

  test("has the same batches in a copy", () => {
    const { plan } = compile(parsed(TEXT), { seed: "1", scheme: keyedHash });
    const world = createWorld(plan);
    const hashes: string[] = [];
    for (let step = 0; step < 40 && world.step(); step++) {
      const copy = copyOf(world, plan);
      copy.run({ at: 1_000 as typeof world.now, quiet: false });
      hashes.push(copy.hash);
    }
    world.run({ at: 1_000 as typeof world.now, quiet: false });
    expect(hashes.length).toBeGreaterThan(30);
    expect(new Set(hashes)).toEqual(new Set([world.hash]));
  });

  test("comes to rest only when its batch is signed", () => {
    const { plan } = compile(parsed(TEXT), { seed: "1", scheme: keyedHash });
    const world = createWorld(plan);
    world.run({ quiet: () => true });
    expect(world.isQuiet()).toBe(true);
    expect(world.pending().filter(({ event }) => event.type === "batch")).toEqual([]);
  });
});

test("a signer makes one leaf of a repeated statement, and several batches beyond the limit", () => {
  const { plan, commons } = compile(parsed(TEXT), { seed: "1", scheme: keyedHash });
  const roots: Hash[] = [];
  const counting: Scheme = {
    ...keyedHash,
    sign: (key, digest, address) => {
      roots.push(digest);
      return keyedHash.sign(key, digest, address);
    },
  };
  const [node] = plan.nodes;
  if (node === undefined) throw new Error("no node");
  const signer = new Signer(counting, node.key, commons.authenticator);
  const body = (round: number) =>
    ({
      type: "roundChange",
      epoch: 0,
      round,
      slot: { kind: "checkpoint", number: 1 },
      lock: undefined,
    }) as unknown as Parameters<Signer["sign"]>[0];
  expect(signer.signAll([body(1), body(2), body(1)])).toHaveLength(2);
  expect(roots).toHaveLength(1);
  const many = signer.signAll(Array.from({ length: BATCH_LIMIT + 1 }, (_, round) => body(round + 1)));
  expect(roots).toHaveLength(3);
  expect(many.map(({ signature }) => batchCount(signature))).toEqual([...Array(BATCH_LIMIT).fill(BATCH_LIMIT), 1]);
});

/** Seals of v4 under a mode of `false-batches`, with the digests that they are sent for. */
function falseSeals(mode: string): readonly SignedRecord[] {
  const { sealed } = watched(`${TEXT}  - { at: 0, byzantine: { node: v4, strategy: false-batches, mode: ${mode} } }\n`);
  return sealed.filter(({ node }) => node === "v4").flatMap(({ records }) => records);
}

describe("the strategy false-batches", () => {
  const key = watched(TEXT).world.node("v4").key;
  const valid = ({ digest, signature }: SignedRecord): boolean =>
    batchRules.verifies(keyedHash, digest, signature, key);

  test.each(["crossed", "turned", "shortened", "lengthened", "deep"])("sends seals that prove nothing: %s", (mode) => {
    const records = falseSeals(mode);
    expect(records.length).toBeGreaterThan(0);
    expect(records.filter(valid)).toEqual([]);
  });

  test("deep: sends seals that hold but for the bound", () => {
    const rules = batchRulesOf({ limit: 2 * BATCH_LIMIT });
    for (const { digest, signature } of falseSeals("deep")) {
      expect(batchCount(signature)).toBeGreaterThan(BATCH_LIMIT);
      expect(rules.verifies(keyedHash, digest, signature, key)).toBe(true);
    }
  });

  test("doubled: sends seals of the second place of a statement, which are as good as the first", () => {
    const records = falseSeals("doubled");
    expect(records.every(valid)).toBe(true);
    expect(records.every(({ signature }) => batchCount(signature) === 4)).toBe(true);
  });

  test("hidden: signs another value beside each, and sends it to nobody", () => {
    const records = falseSeals("hidden");
    expect(records.every(valid)).toBe(true);
    expect(records.every(({ signature }) => batchCount(signature) === 4)).toBe(true);
  });

  test("leaves a plain signature alone where it misplaces paths", () => {
    const alone = TEXT.split("\n").filter((line) => !line.includes("id: y"));
    const text = `${alone.join("\n")}  - { at: 0, byzantine: { node: v4, strategy: false-batches, mode: turned } }\n`;
    const own = watched(text).sealed.filter(({ node }) => node === "v4");
    expect(own.flatMap(({ records }) => records).every(valid)).toBe(true);
  });
});
