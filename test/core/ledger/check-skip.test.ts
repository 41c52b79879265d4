import { describe, expect, test } from "vitest";
import type { Nonce } from "../../../src/core/base/ids.ts";
import type { Recovery, SignedOperation } from "../../../src/core/base/operation.ts";
import { checkCancellation, checkRecovery } from "../../../src/core/ledger/check.ts";
import { CHAIN, signed } from "./support/operations.ts";
import { ALICE, BOB, mint, pay, play, start } from "./support/world.ts";

const cancel = (nonce: number): SignedOperation => signed(ALICE, nonce, { kind: "cancellation" });
const first = signed(ALICE, 0, pay(BOB, 1));
const second = signed(ALICE, 0, pay(BOB, 2));

/** The same for another network. */
function elsewhere(of: SignedOperation): SignedOperation {
  return { ...of, operation: { ...of.operation, chainId: 1 } };
}

function recovery(changes: Partial<Recovery> = {}): Recovery {
  return {
    kind: "recovery",
    chainId: CHAIN,
    account: ALICE,
    nonce: 0 as Nonce,
    evidence: { first, second },
    ...changes,
  };
}

describe("a cancellation", () => {
  test("is paired with another operation of its signer, chain and nonce", () => {
    expect(checkCancellation(start(), cancel(0), [first])).toEqual({ answer: "accept" });
    const others = [signed(BOB, 0, pay(BOB, 1)), signed(ALICE, 1, pay(BOB, 1)), cancel(0), elsewhere(first)];
    for (const displaced of [[], others]) {
      const missing = { code: "business_nothing_to_cancel", nonce: 0 };
      expect(checkCancellation(start(), cancel(0), displaced)).toEqual({ answer: "wait", missing });
    }
  });

  test("has exactly the next nonce and the right form", () => {
    const state = play(start(), [ALICE, pay(BOB, 1)]);
    expect(checkCancellation(state, cancel(0), [first])).toMatchObject({ refusal: { code: "business_nonce_too_low" } });
    expect(checkCancellation(state, cancel(2), [first])).toMatchObject({ missing: { code: "business_nonce_gap" } });
    expect(checkCancellation(start(), elsewhere(cancel(0)), [first])).toMatchObject({
      refusal: { code: "validation_chain_id" },
    });
    expect(checkCancellation(start(), first, [second])).toMatchObject({ refusal: { code: "validation_evidence" } });
  });
});

describe("a recovery", () => {
  test("is accepted for an equivocation at the account's next nonce", () => {
    expect(checkRecovery(start(), recovery())).toEqual({ answer: "accept" });
    expect(checkRecovery(start(), recovery({ evidence: { first: second, second: first } }))).toEqual({
      answer: "accept",
    });
  });

  test.each<readonly [string, Partial<Recovery>]>([
    ["one operation twice", { evidence: { first, second: first } }],
    ["one digest read as two kinds", { evidence: { first, second: signed(ALICE, 0, mint(BOB, 1)) } }],
    ["a cancellation", { evidence: { first, second: cancel(0) } }],
    ["another account's operations", { account: BOB }],
    ["another nonce's operations", { nonce: 1 as Nonce }],
    ["another chain's operations", { evidence: { first: elsewhere(first), second: elsewhere(second) } }],
  ])("is refused for %s", (_, changes) => {
    expect(checkRecovery(start(), recovery(changes))).toMatchObject({
      answer: "refuse",
      refusal: { code: "validation_evidence" },
    });
  });

  test("waits ahead of the account's nonce and is refused behind it and on another chain", () => {
    const ahead = recovery({
      nonce: 1 as Nonce,
      evidence: { first: signed(ALICE, 1, pay(BOB, 1)), second: signed(ALICE, 1, pay(BOB, 2)) },
    });
    expect(checkRecovery(start(), ahead)).toMatchObject({ answer: "wait", missing: { code: "business_nonce_gap" } });
    const later = play(start(), [ALICE, pay(BOB, 1)]);
    expect(checkRecovery(later, recovery())).toMatchObject({
      answer: "refuse",
      refusal: { code: "business_nonce_too_low" },
    });
    expect(checkRecovery(start(), recovery({ chainId: 1 }))).toMatchObject({
      refusal: { code: "validation_chain_id" },
    });
  });
});
