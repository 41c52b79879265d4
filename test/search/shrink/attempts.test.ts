/** Demands on a smaller scenario: it stays within f where the failing one does, and stalls alike. */
import { describe, expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { failureSignatureOf } from "../../../src/search/fuzz/failure-signature.ts";
import { Attempts } from "../../../src/search/shrink/attempts.ts";
import { parsed } from "../../run/support.ts";

const parser = createParser();
const SEED = "1";

/** Returns true if a smaller scenario is accepted in place of one that fails. */
function isAccepted(failing: Scenario, smaller: Scenario): boolean {
  const signature = failureSignatureOf(failing, runScenario(failing, { seed: SEED }));
  if (signature === undefined) throw new Error("it passes");
  const attempts = new Attempts({ scenario: failing, seed: SEED }, signature, parser, { runs: 9, events: 200_000 });
  return runToEnd(attempts.accept({ scenario: smaller, seed: SEED }));
}

/** One validator forgets a vote in a crash, which it must not whatever the Byzantine ones do. */
function forgotten(validators: number, byzantine: readonly string[]): Scenario {
  return parsed(`name: forgotten
bug: vote-before-persist
network: { validators: ${validators}, delay_ms: 10, write_ms: 1 }
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "9" } }
clients: { alice: { behaviour: scripted } }
steps:
${byzantine.map((node) => `  - { at: 0, byzantine: { node: ${node}, strategy: careless-relay } }\n`).join("")}\
  - { at: 1, crash: { node: v2, after_output: send, restart_after_ms: 100 } }
  - { at: 2, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 }, only: [v2] }
  - { at: 200, submit: { id: y, payment: { from: alice, to: carol, token: USD, value: "1" }, nonce: 0 }, only: [v2] }
`);
}

/** Operations that their relays give up before the network heals, so that nobody decides them. */
function givenUp(...operations: readonly string[]): Scenario {
  return parsed(`name: given up
bug: gives-up
network: { delay_ms: 10 }
genesis:
  tokens: { USD: { decimals: 0, master: issuer } }
  balances: { alice: { USD: "100" }, issuer: { USD: "100" } }
clients: { alice: { give_up_after: 1 }, issuer: { give_up_after: 1 } }
steps:
  - { at: 0, partition: [[v1], [v2, v3, v4]] }
${operations
  .map(
    (operation) => `  - { at: 1, submit: { ${operation}, nonce: 0 }, only: [v1] }
`,
  )
  .join("")}  - { at: 30000, heal: true }
healing: { at: 30000 }
`);
}

describe("a smaller scenario", () => {
  test("has the stall of an operation of the same kind, not that of another one", () => {
    const payment = 'id: x, payment: { from: alice, to: bob, token: USD, value: "5" }';
    const mint = 'id: y, mint: { from: issuer, to: bob, token: USD, value: "5" }';
    // The first violation of the whole file is the mint's.
    expect(isAccepted(givenUp(payment, mint), givenUp(mint))).toBe(true);
    expect(isAccepted(givenUp(payment, mint), givenUp(mint.replace("5", "6")))).toBe(true);
    expect(isAccepted(givenUp(payment, mint), givenUp(payment))).toBe(false);
  });

  test("may have fewer validators, and fewer Byzantine ones", () => {
    expect(isAccepted(forgotten(7, ["v6", "v7"]), forgotten(4, ["v4"]))).toBe(true);
  });

  test("has more than f Byzantine validators only where the failing one has", () => {
    expect(isAccepted(forgotten(7, ["v6", "v7"]), forgotten(4, ["v3", "v4"]))).toBe(false);
    expect(isAccepted(forgotten(7, ["v5", "v6", "v7"]), forgotten(4, ["v3", "v4"]))).toBe(true);
  });
});
