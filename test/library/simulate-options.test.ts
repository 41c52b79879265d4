import { expect, test } from "vitest";
import { type SimulateOptions, simulate } from "../../src/library/simulate.ts";

const FILE = `name: one payment
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "10" } }
steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 } }
expect:
  - { final: x }
`;

test.each([
  [{ sed: "7" }, /^simulate: there is no option sed; expected .*seed/],
  [{ seed: Number.NaN }, /^seed: expected a text or a whole number/],
  [{ seed: {} }, /^seed: expected a text or a whole number, got {}/],
])("an option that would do nothing is refused: %o", (options, words) =>
  expect(() => simulate(FILE, options as SimulateOptions)).toThrow(words),
);

test("rules that a function forgets to return end the run", () => {
  const { verdict, reason } = simulate(FILE, { rules: (() => undefined) as never });
  expect([verdict, reason]).toEqual([
    "error",
    expect.stringContaining("rules: expected a function that returns the rules"),
  ]);
});
