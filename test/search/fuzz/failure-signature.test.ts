/** Failures that count as one: those of one invariant in one kind of slot. */
import { expect, test } from "vitest";
import type { RunResult, Verdict } from "../../../src/run/verdict.ts";
import { hasSignature, signatureOfViolation } from "../../../src/search/fuzz/failure-signature.ts";
import { parsed } from "../../run/support.ts";

const SCENARIO = parsed(`name: any
genesis: { tokens: { USD: { decimals: 2, master: issuer } } }
`);
const OF_ACCOUNT = "v1 voted twice in slot 0 of account alice";

function failed(verdict: Verdict, invariant: string, detail: string): RunResult {
  return { verdict, reason: detail, violations: [{ invariant, detail }] } as unknown as RunResult;
}

test.each([
  ["slot 3 of account alice", "account"],
  ["the USD balance of account alice", "account"],
  ["version 2 of token USD", "token"],
  ["checkpoint 4", "checkpoint"],
  ["the closing of epoch 2", "epoch"],
  ["slot 3 of epoch 2 of account alice", "account"],
  ["v1", "none"],
])("a violation in %s is one of kind %s", (place, slot) => {
  const detail = `v1 voted twice in ${place}`;
  expect(signatureOfViolation(SCENARIO, { invariant: "agreement", detail } as never).slot).toBe(slot);
});

test.each<readonly [what: string, result: RunResult, isSame: boolean]>([
  ["the same failure", failed("violation", "agreement", OF_ACCOUNT), true],
  ["it in other words", failed("violation", "agreement", "v2 forgot slot 7 of account bob"), true],
  ["another invariant", failed("violation", "amnesia", OF_ACCOUNT), false],
  ["another kind of slot", failed("violation", "agreement", "v1 voted twice in version 0 of token USD"), false],
  ["a run that stalls first", failed("stalled", "agreement", OF_ACCOUNT), false],
  ["a run that passes", failed("pass", "agreement", OF_ACCOUNT), false],
])("compared with %s", (_what, result, isSame) => {
  const signature = signatureOfViolation(SCENARIO, { invariant: "agreement", detail: OF_ACCOUNT } as never);
  expect(hasSignature(SCENARIO, result, signature)).toBe(isSame);
});
