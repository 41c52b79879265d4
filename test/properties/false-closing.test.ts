/** Goal: with more than f Byzantine validators an honest proposer still proposes only what it would vote for itself. */
import { expect, it } from "vitest";
import { simulate } from "../../src/library/simulate.ts";

/** Four of six lock a list that no ledger can apply. In these seeds the closes show it to an honest proposer. */
const LOCKED_LIST_NOBODY_CAN_APPLY = `
name: a locked list that nobody can apply
network: { validators: 6, duplicate: 1/3 }
genesis: { tokens: { USD: { decimals: 2, master: issuer } } }
clients: { issuer: { home: v3 } }
steps:
  - { at: 0, byzantine: { node: v6, strategy: double-vote } }
  - { at: 0, byzantine: { node: v4, strategy: double-vote } }
  - { at: 0, byzantine: { node: v3, strategy: mutate } }
  - { at: 0, byzantine: { node: v2, strategy: double-vote } }
  - { at: 0, submit: { id: o4, mint: { from: issuer, token: USD, to: yan, value: "1" }, nonce: 0 } }
  - { at: 0, cut: { from: [ v4 ], to: [ v1, v3, v6 ] } }
  - { at: 900, govern: { id: g0 } }
healing: { none: true }
allow_idle: true
expect: [{ epoch: { at_least: 0 } }]
`;

it.each([15, 44, 50])("leaves no settled value out of a closing, seed %i", (seed) => {
  const { verdict, violations } = simulate(LOCKED_LIST_NOBODY_CAN_APPLY, { seed });
  expect({ verdict, violations }).toEqual({ verdict: "pass", violations: [] });
});
