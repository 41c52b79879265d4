/** Each expectation can fail: what is unmet says what the run did instead (scenarios 12). */
import { expect, test } from "vitest";
import { GENESIS, ran } from "./support.ts";

/** x is final, and r is refused for good. */
const STEPS = `steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 900, submit: { id: r, pause: { from: bob, token: USD }, nonce: 0 } }
`;
const BASE = `name: n\n${GENESIS}${STEPS}`;

const FINAL_AT = "it is final at \\d+ ms";

test.each([
  ["{ final: r }", "r is not final with effect: it was refused with business_missing_role"],
  ["{ final: x, within_ms: 1 }", "x took \\d+ ms, expected at most 1"],
  ["{ all_final: true }", "r is not final with effect: .*"],
  ["{ superseded: x }", `.*${FINAL_AT}`],
  ["{ pending: x }", `.*${FINAL_AT}`],
  ["{ undecided: x }", "x is final at \\d+ ms"],
  ["{ refused: { x: business_nonce_gap } }", `x was not refused with business_nonce_gap: ${FINAL_AT}`],
  ["{ failed: { x: business_missing_role } }", `x did not fail with business_missing_role: ${FINAL_AT}`],
  ["{ fee: { x: '5' } }", "fee of x: expected 5, got 0.01"],
  ["{ fee: { r: '0' } }", "r has no receipt"],
  ["{ balance: { alice: { USD: '90' } } }", "balance of alice in USD: expected 90, got 89.99 .*"],
  ["{ nonce: { alice: 7 } }", "nonce of alice: expected 7, got 1 .*"],
  ["{ pool: { USD: '7' } }", "fee pool of USD: expected 7, got 0.01 .*"],
  ["{ epoch: 3 }", "epoch: expected 3, got 0 .*"],
  ["{ committee: [v1] }", "committee: expected v1, got v1, v2, v3, v4 .*"],
  ["{ token: { USD: { paused: true } } }", "USD is paused: expected true, got false .*"],
  ["{ token: { USD: { exists: false } } }", "token USD exists .*"],
  ["{ token: { USD: { supply: '7' } } }", "USD's supply: expected 7, got 100 .*"],
  ["{ token: { USD: { blacklist: [bob] } } }", "USD's blacklist: expected \\[bob\\], got \\[\\] .*"],
  ["{ token: { USD: { roles: { Pause: [bob] } } } }", "USD's Pause: expected \\[bob\\], got \\[\\] .*"],
  ["{ token: { USD: { allowance: { bob: '1' } } } }", "bob's allowance of USD: expected 1, got no role .*"],
  ["{ blocked: alice }", "alice has no open slot with votes"],
  ["{ violation: fees }", "fees was not violated"],
  ["{ stalled: true }", "nothing is stalled"],
  ["{ stalled: x }", `x is not stalled: ${FINAL_AT}`],
  ["{ nothing_final: true }", "x is final"],
  ["{ coverage: queue full }", '"queue full" was not reached'],
  ["{ reported: { v1: any } }", "no honest validator reported v1"],
])("%s is unmet", (expectation, words) => {
  const run = ran(`${BASE}expect:\n  - { final: x }\n  - ${expectation}\n`);
  expect([run.verdict, run.unmet]).toEqual([
    "unmet",
    expect.arrayContaining([expect.stringMatching(new RegExp(`^[a-z_]+: ${words}$`))]),
  ]);
});

test("a violation where the file expects none is named", () => {
  const broken = `bug: fee-not-told\n${BASE}`;
  expect(ran(`${broken}expect: [{ violation: none }]\n`).unmet).toEqual(["violation: expected none, got answers"]);
});

test("an operation that no closing voids is named", () => {
  const closing = `${BASE}  - { at: 1500, govern: {} }\nexpect: [{ final: x }, { void: x }]\n`;
  expect(ran(closing).unmet).toEqual([
    expect.stringMatching(new RegExp(`^void: no client received void for x: ${FINAL_AT}$`)),
  ]);
});

test("a token that is not issued, and a ledger that nobody holds, are named", () => {
  const issue = "issue: { from: alice, symbol: EUR, name: Euro, decimals: 2, master: alice }";
  const unissued = `${BASE}  - { at: 10, submit: { id: i, ${issue}, nonce: 1 } }\n`;
  expect(ran(`${unissued}expect: [{ token: { EUR: { paused: true } } }]\n`).unmet[0]).toMatch(
    /^token: token EUR does not exist/,
  );
  const down = [1, 2, 3, 4].map((number) => `  - { at: 2000, crash: { node: v${number} } }\n`).join("");
  expect(ran(`${BASE}${down}healing: { none: true }\nexpect: [{ nonce: { alice: 1 } }]\n`).unmet).toEqual([
    "nonce: no honest validator is running",
  ]);
});
