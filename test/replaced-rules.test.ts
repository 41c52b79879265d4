/** Each decision function is reached: to replace one is to see another run (architecture law 6). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Amount } from "../src/core/base/amount.ts";
import { type Rules, rules } from "../src/core/validator/rules.ts";
import { scenario, simulate } from "../src/index.ts";

/** Files that reach every decision function between them, those that reach most of them first. */
const FILES = [
  "rules/cancellation/cancellation-while-blacklisted",
  "rules/epochs/epoch-burn-offered-before-arrives-after",
  "attacks/agreement/conflicting-payments-of-a-multisig-account",
  "rules/recovery/recovery-that-moves-nothing",
  "regressions/state-that-only-the-last-committee-has",
].map((name) => scenario(readFileSync(join(import.meta.dirname, `../scenarios/${name}.yaml`), "utf8")));

const names = Object.entries(rules).flatMap(([part, functions]) =>
  Object.keys(functions).map((name) => [part as keyof Rules, name] as const),
);

test.each(names)("%s.%s: a run ends where another function in its place fails", (part, name) => {
  const failing = (): never => {
    throw new RangeError(`${name} is replaced`);
  };
  const replaced = (real: Rules): Rules => ({ ...real, [part]: { ...real[part], [name]: failing } });
  const isReached = FILES.some((file) => {
    try {
      return simulate(file, { rules: replaced }).reason.includes(`${name} is replaced`);
    } catch (error) {
      return String(error).includes(`${name} is replaced`);
    }
  });
  expect(isReached).toBe(true);
});

const ONE_PAYMENT = {
  name: "one payment",
  genesis: {
    tokens: { USD: { decimals: 0, master: "issuer" } },
    balances: { alice: { USD: "1000" } },
    fees: { payment: "1", cancellation: "2", recovery: "2" },
  },
  steps: [{ at: 0, submit: { id: "x", payment: { from: "alice", to: "bob", token: "USD", value: "10" }, nonce: 0 } }],
  expect: [{ final: "x" }],
};

test("a replaced fee is the one that the ledger takes", () => {
  const paymentFee = (): Amount => 500n as Amount;
  const run = simulate(ONE_PAYMENT, { rules: (real) => ({ ...real, ledger: { ...real.ledger, paymentFee } }) });
  expect([run.balances["alice"], run.pools]).toEqual([{ USD: 490n }, { USD: 500n }]);
  expect(run.violations.map(({ invariant }) => invariant)).toContain("fees");
});
