/**
 * Goal: the combinations of operations are counted as they occur. Method: a run in which each dimension takes several
 * values, and a fixed range of generated scenarios.
 */
import { describe, expect, test } from "vitest";
import { COMBINATIONS, combinationName } from "../../src/run/combinations.ts";
import { runScenario } from "../../src/run/run.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { drawScenario } from "../../src/search/fuzz/draw.ts";

const NAMES = COMBINATIONS.map(combinationName);

const USD = { decimals: 2, master: "issuer", roles: { Pause: ["guard"] }, blacklist: ["carol"] };
const RWA = { decimals: 2, master: "owner", private: true, whitelist: ["alice"] };
const SCENARIO: Scenario = {
  name: "combinations",
  genesis: { tokens: { USD, RWA }, balances: { alice: { USD: "9", RWA: "9" }, carol: { USD: "9" } } },
  // Each asks one validator once: a correct client would ask another when the token is paused.
  clients: { bob: { behaviour: "scripted" }, carol: { behaviour: "scripted" } },
  steps: [
    { at: 0, submit: { id: "a", payment: { from: "alice", to: "bob", token: "USD", value: "1" }, nonce: 0 } },
    { at: 0, submit: { id: "b", payment: { from: "carol", to: "carol", token: "USD", value: "1" }, nonce: 0 } },
    { at: 0, submit: { id: "c", mint: { from: "bob", to: "carol", token: "USD", value: "1" }, nonce: 0 } },
    { at: 0, submit: { id: "d", burn: { from: "owner", token: "RWA", value: "1", account: "alice" }, nonce: 0 } },
    { at: 0, submit: { id: "e", pause: { from: "guard", token: "USD" }, nonce: 0 } },
    { at: 0, submit: { id: "f", burn: { from: "issuer", token: "USD", value: "1" }, nonce: 7 } },
    { at: 900, submit: { id: "g", revoke: { from: "issuer", token: "USD", role: "Pause", to: "guard" }, nonce: 0 } },
    { at: 1800, submit: { id: "h", unpause: { from: "guard", token: "USD" }, nonce: 1 } },
  ],
};

describe("combinations of a run", () => {
  test("are those of operations with the next nonce, at the state that judges them", () => {
    const { combinations } = runScenario(SCENARIO, { seed: "1" });
    expect([...combinations].sort()).toEqual([
      "forced burn, held, nobody excluded, private",
      "mint, lacking, recipient excluded, public",
      "pause, held, public",
      "payment, nobody excluded, public",
      "payment, signer and recipient excluded, public",
      "revoke, held, nobody excluded, public paused",
      "unpause, lacking, public paused",
    ]);
  });

  test("are all in the list, which names each once", () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    const seen = new Set<string>();
    for (let seed = 1; seed <= 100; seed++) {
      const scenario = drawScenario(String(seed), "default");
      // A holder that only the scenarios have whose tokens are prepared for combinations.
      if (!JSON.stringify(scenario.genesis).includes('"hal"')) continue;
      for (const name of runScenario(scenario, { seed: String(seed) }).combinations) seen.add(name);
    }
    expect([...seen].filter((name) => !NAMES.includes(name))).toEqual([]);
    expect(seen.size).toBeGreaterThan(NAMES.length / 3);
    expect([...seen].filter((name) => name.includes("lapsed"))).not.toEqual([]);
  });
});
