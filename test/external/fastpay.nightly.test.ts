/** Every mistake planted in examples/fastpay is found by drawn worlds, explained, and reduced to a few steps. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  COMPILED,
  COMPILED_NODES,
  fastpayNodes,
  firstFailure,
  HAS_PYTHON,
  hashOf,
  MIXED_NODES,
  mistakeNames,
  SKIPPED,
  shrunk,
} from "./fastpay.ts";

const WORLDS = 2_000;
const STEPS_MAX = 5;
/** Steps of mistakes whose smallest scenario so far has more. */
const LONGER: Readonly<Record<string, number>> = {
  "lock-released-by-timeout": 6,
  "balance-checked-at-the-vote-only": 14,
};

/** Invariant that each mistake breaks first. */
const FOUND: Readonly<Record<string, string>> = {
  "lock-released-at-restart": "agreement",
  "lock-not-persisted": "agreement",
  "lock-released-by-timeout": "agreement",
  "second-vote-for-one-nonce": "agreement",
  "signer-counted-twice": "agreement",
  "quorum-of-two-f": "agreement",
  "quorum-of-all": "liveness",
  "balance-not-checked": "conservation",
  "balance-checked-without-the-fee": "conservation",
  "balance-checked-at-the-vote-only": "conservation",
  "nonce-compared-with-at-least": "accounts",
  "certificate-out-of-order": "accounts",
  "confirmation-applied-twice": "accounts",
  "fee-not-paid": "conservation",
  "fee-to-nobody": "conservation",
  "recipient-not-credited": "conservation",
  "self-payment-creates-money": "conservation",
  "final-before-applied": "answers",
  "superseded-told-as-final": "answers",
  "client-told-twice": "answers",
  "client-not-told": "answers",
  "sync-timer-not-set-again": "convergence",
  "payments-not-persisted": "liveness",
  "records-overwritten": "error",
  "order-of-a-set": "error",
};

/** Mistakes that too few drawn worlds reach: scenarios in fastpay.test.ts show them. */
const BY_SCENARIO = ["signature-not-checked", "foreign-chain-accepted"];

test("node.wasm is what its sources compile to", () => {
  const committed = readFileSync(COMPILED);
  try {
    execFileSync("npm", ["run", "examples"]);
    expect(readFileSync(COMPILED).equals(committed)).toBe(true);
  } finally {
    writeFileSync(COMPILED, committed);
  }
});

test("the network in WebAssembly passes 1,000 worlds", () => {
  expect(firstFailure(COMPILED_NODES, 1, 1_000)?.result.reason).toBeUndefined();
});

describe.skipIf(!HAS_PYTHON)(`mistakes in a small payment network${SKIPPED}`, () => {
  test("the network without a mistake passes 200 worlds", () => {
    expect(firstFailure(fastpayNodes(), 1, 200)?.result.reason).toBeUndefined();
  });

  test("100 worlds end with the same hashes in WebAssembly, and in a mixed network", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const hash = hashOf(fastpayNodes(), seed);
      expect([seed, hashOf(COMPILED_NODES, seed), hashOf(MIXED_NODES, seed)]).toEqual([seed, hash, hash]);
    }
  });

  test("every mistake is in the table", () => {
    expect([...mistakeNames()].sort()).toEqual([...Object.keys(FOUND), ...BY_SCENARIO].sort());
  });

  test.each(Object.entries(FOUND))("%s breaks %s", (mistake, invariant) => {
    const nodes = fastpayNodes(mistake);
    const failure = firstFailure(nodes, 1, WORLDS);
    expect(failure?.signature?.invariant).toBe(invariant);
    const small = failure && shrunk(failure, nodes);
    expect(small?.scenario.steps?.length).toBeLessThanOrEqual(LONGER[mistake] ?? STEPS_MAX);
    expect(small?.signature.invariant).toBe(invariant);
  });
});
