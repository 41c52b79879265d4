/** Goal: no number of slots that one input applies ends a validator (protocol 11.2, 12). */
import { expect, test } from "vitest";
import { simulate } from "../../../src/library/simulate.ts";

test("a validator starts again from 2,000 decided batches of 256 legs", () => {
  const legs = Array.from({ length: 256 }, (_, at) => ({ to: `r${at + 1}`, value: "0.01" }));
  const batch = { from: "alice", token: "USD", legs };
  const result = simulate(
    JSON.stringify({
      name: "a validator starts again from 2,000 decided batches",
      network: { validators: 1 },
      genesis: {
        tokens: { USD: { decimals: 6, master: "issuer" } },
        balances: { alice: { USD: "100000" }, dave: { USD: "10" } },
        fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
      },
      clients: { alice: { window: 50 } },
      steps: [
        { at: 0, workload: { accounts: ["alice"], count: 2_000, every_ms: 1, mix: [{ batch }] } },
        { at: 6_000, crash: { node: "v1", restart_after_ms: 100 } },
        { at: 8_000, submit: { id: "x", payment: { from: "dave", to: "bob", token: "USD", value: "1" }, nonce: 0 } },
      ],
      healing: { at: 7_000 },
      events: 20_000_000,
      expect: [{ all_final: true }, { final: "x", within_ms: 2_000 }],
    }),
  );
  expect(result.reason).toBe("");
  expect(result.verdict).toBe("pass");
});
