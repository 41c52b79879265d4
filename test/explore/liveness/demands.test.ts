/** Goal: demands follow from the signed operations, and exclude what the protocol leaves open. */
import { describe, expect, it } from "vitest";
import { type Demands, demandsOf } from "../../../src/explore/liveness/demands.ts";
import { systemOf } from "../../../src/explore/model/system.ts";
import { GENESIS, parsed } from "../../run/support.ts";
import { scenarioOf } from "../support.ts";

const BOUNDS = { rounds: 0, crashes: 0 };

function owed(names: readonly string[], validators?: number): readonly string[] {
  return demandsOf(systemOf(scenarioOf(names, validators), { bounds: BOUNDS })).all.map(({ name }) => name);
}

function owedBy(steps: readonly string[]): Demands {
  const chosen = steps.map((step) => `  - { at: 0, submit: { ${step} } }\n`).join("");
  const scenario = parsed(`name: owed\n${GENESIS}steps:\n${chosen}expect: [{ nothing_final: true }]\n`);
  return demandsOf(systemOf(scenario, { bounds: BOUNDS }));
}

describe("demands", () => {
  it("include a decision for a nonce with one operation, a cancellation or a recovery", () => {
    expect(owed(["x"])).toEqual(["nonce 0 of alice (requested by x)"]);
    expect(owed(["x", "c"])).toEqual(["nonce 0 of alice (requested by x, c)"]);
    expect(owed(["x", "y", "c"])).toEqual(["nonce 0 of alice (requested by c)"]);
    expect(owed(["x", "y", "r"])).toEqual(["nonce 0 of alice (requested by r)"]);
  });

  it("include the closing that the operator requests, and a token operation with its nonce", () => {
    expect(owed(["x", "y", "g"])).toEqual(["the closing of epoch 0"]);
    expect(owed(["p"])).toEqual(["nonce 0 of issuer (requested by p)"]);
  });

  it("exclude conflicting operations alone, a cancellation without an operation, and committees with f = 0", () => {
    expect(owed(["x", "y"])).toEqual([]);
    expect(owed(["c"])).toEqual([]);
    expect(owed(["x"], 3)).toEqual([]);
  });

  it("exclude a nonce behind one that is not owed", () => {
    const pays = (id: string, to: string, nonce: number): string =>
      `id: ${id}, payment: { from: alice, to: ${to}, token: USD, value: '1' }, nonce: ${nonce}`;
    const names = (steps: readonly string[]): number => owedBy(steps).all.length;
    expect(names([pays("x", "bob", 0), pays("z", "bob", 1)])).toBe(2);
    expect(names([pays("x", "bob", 0), pays("y", "carol", 0), pays("z", "bob", 1)])).toBe(0);
    expect(names([pays("z", "bob", 1)])).toBe(0);
  });
});

describe("clients", () => {
  it("submit what they want decided, and a cancellation with its operation, but no conflicting operation", () => {
    const inputs = (names: readonly string[]): number =>
      demandsOf(systemOf(scenarioOf(names), { bounds: BOUNDS })).inputs.length;
    expect([inputs(["x"]), inputs(["x", "y"]), inputs(["x", "y", "r"]), inputs(["x", "y", "c"])]).toEqual([1, 0, 1, 2]);
    expect(inputs(["x", "y", "r", "c", "g"])).toBe(4);
  });

  it("are owed no payment that a final restriction bars", () => {
    const system = systemOf(scenarioOf(["x"]), { bounds: BOUNDS });
    const [demand] = demandsOf(system).all;
    const [participant] = system.honest;
    const state = participant?.program.start();
    if (demand === undefined || state === undefined) throw new Error("nothing is owed");
    const { tokens } = state.ledger;
    expect(demand.isMet(state)).toBe(false);
    const paused = [...tokens.entries()].reduce(
      (trie, [key, token]) => trie.set(key, { ...token, isPaused: true }),
      tokens,
    );
    expect(demand.isMet({ ...state, ledger: { ...state.ledger, tokens: paused } })).toBe(true);
  });
});
