/** The payment network in examples/fastpay passes drawn worlds, and mistakes planted in it do not. */
import { describe, expect, test } from "vitest";
import { parsed } from "../run/support.ts";
import { COMPILED_NODES, fastpayNodes, firstFailure, HAS_PYTHON, hashOf, MIXED_NODES, SKIPPED } from "./fastpay.ts";
import { runWith } from "./nodes.ts";

const WORLDS = 10;

test("the network in WebAssembly passes drawn worlds", () => {
  expect(firstFailure(COMPILED_NODES, 1, 3 * WORLDS)?.result.reason).toBeUndefined();
});

describe.skipIf(!HAS_PYTHON)(`a small payment network in Python${SKIPPED}`, () => {
  test("passes drawn worlds", () => {
    expect(firstFailure(fastpayNodes(), 2, 4)?.result.reason).toBeUndefined();
  });

  test.each([5, 6, 7])("drawn world %i ends with the same hash in WebAssembly and in a mixed network", (seed) => {
    const hash = hashOf(fastpayNodes(), seed);
    expect(hashOf(COMPILED_NODES, seed)).toBe(hash);
    expect(hashOf(MIXED_NODES, seed)).toBe(hash);
  });

  test.each([
    ["signer-counted-twice", "agreement"],
    ["confirmation-applied-twice", "accounts"],
    ["client-told-twice", "answers"],
  ])("%s is found", (mistake, invariant) => {
    expect(firstFailure(fastpayNodes(mistake), 2, WORLDS + 1)?.signature?.invariant).toBe(invariant);
  });

  test.each([
    [
      "signature-not-checked",
      "signature: broken",
      /^authority: v1 applied payment .* which its sender has not signed$/m,
    ],
    [
      "foreign-chain-accepted",
      "chain_id: 7",
      /^authority: v1 applied payment .* which is for chain 7: this one is \d+$/m,
    ],
  ])("%s breaks the authority of an owner", (mistake, fault, words) => {
    const scenario = parsed(`name: a payment that nobody may apply
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "9" } } }
steps: [{ at: 0, submit: { id: a, nonce: 0, ${fault}, payment: { from: alice, to: bob, token: USD, value: "1" } } }]
`);
    const command = fastpayNodes(mistake).commands[""] ?? "";
    expect(runWith(command, scenario).reason).toMatch(words);
    expect(runWith(fastpayNodes().commands[""] ?? "", scenario).violations).toEqual([]);
  });
});
