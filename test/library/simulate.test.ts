/**
 * Goal: `simulate` returns the run as plain records, and `scenario` rejects invalid input with the position. Method:
 * one payment with known amounts; a custom rule, a custom program, and invalid scenarios.
 */
import { describe, expect, expectTypeOf, test } from "vitest";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import {
  type NetworkRule,
  type Rules,
  type Scenario,
  ScenarioError,
  type SimulationResult,
  scenario,
  scenarioText,
  simulate,
  type ValidatorProgram,
} from "../../src/index.ts";
import { proofRefusal } from "../../src/proofs/verify.ts";
import { trustingCommand } from "../external/nodes.ts";
import { ran } from "../run/support.ts";

const TEXT = `name: one payment
network: { validators: 4, delay_ms: 10 }
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "100" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
expect:
  - { final: x }
`;

describe("simulate", () => {
  test("returns the run as plain records", () => {
    const run = simulate(TEXT);
    expect(run).toMatchObject({ verdict: "pass", reason: "", seed: "1", violations: [], unmet: [] });
    expect(run.balances).toMatchObject({ alice: { USD: 8_999n }, bob: { USD: 1_000n }, issuer: { USD: 0n } });
    expect([run.nonces["alice"], run.pools]).toEqual([1, { USD: 1n }]);
    expect(run.validators.map(({ validator }) => validator)).toEqual(["v1", "v2", "v3", "v4"]);
    expect(new Set(run.validators.map(({ root }) => root)).size).toBe(1);
    expect(run.finals.map(({ name }) => name)).toEqual(["x"]);
    expect(run.transcript).toContainEqual(
      expect.objectContaining({
        kind: "signed",
        party: "v1",
        statement: "vote",
        value: { type: "operation", operation: "x" },
      }),
    );
  });

  test("equals the run of the command, for a seed as number or text", () => {
    const { hash } = ran(TEXT, { seed: "7" });
    expect([simulate(TEXT, { seed: 7 }).hash, simulate(scenario(TEXT), { seed: "7" }).hash]).toEqual([hash, hash]);
  });

  test("returns certificates that are valid offline, with real signatures", () => {
    const { finals, committees } = simulate(TEXT, { crypto: "real" });
    expect(committees.map(({ crypto }) => crypto)).toEqual(["real"]);
    const [committee] = committees as [(typeof committees)[number]];
    expect(finals).toHaveLength(1);
    for (const { certificate } of finals) {
      expect(proofRefusal(certificate, committee)).toBeUndefined();
      const few = { ...certificate, signatures: certificate.signatures.slice(1) };
      expect(proofRefusal(few, committee)).toBe("too few signatures");
    }
  });

  test("runs custom rules and programs instead of the real ones", () => {
    const rules = (real: Rules): Rules => ({ ...real, consensus: { ...real.consensus, quorumOf: () => 1 } });
    expect(simulate(TEXT, { rules }).violations.map(({ invariant }) => invariant)).toContain("agreement");
    const seen = new Set<string>();
    const program = (real: ValidatorProgram, validator: string): ValidatorProgram => ({
      ...real,
      step: (state, input) => {
        seen.add(validator);
        return validator <= "v2" ? [] : real.step(state, input);
      },
    });
    expect(simulate(TEXT, { program }).finals).toEqual([]);
    expect(seen.size).toBe(4);
  });

  test("rejects custom rules for a scenario with a known-bad variant", () => {
    const bad = { ...scenario(TEXT), bug: "hasty-refusal" };
    expect(() => simulate(bad, { rules: (real) => real })).toThrow(RangeError);
    expect(simulate(bad).verdict).not.toBe("error");
  });
});

test("runs validators that others wrote, and names what a mistaken one does", () => {
  const run = simulate(TEXT, { nodes: { "": trustingCommand() } });
  expect([run.verdict, run.balances["bob"]]).toEqual(["pass", { USD: 1_000n }]);
  expect(simulate(TEXT, { nodes: { "": trustingCommand("mints") } }).verdict).toBe("violation");
});

describe("scenario", () => {
  test("reports the position in a text and the expected value", () => {
    expect(() => scenario(TEXT.replace("value:", "vaule:"))).toThrow(/scenario:8:\d+: the key "value" is missing/);
  });

  test("reports the path in data and the expected value", () => {
    const steps = [{ at: 0, crash: { node: "v9" } }];
    expect(() => scenario({ name: "x", steps })).toThrow(/^scenario\.steps\[0\]\.crash\.node: .*v9/);
    expect(() => scenario({ name: "x", network: { validators: 0 } })).toThrow(/^scenario\.network\.validators: /);
    expect(() => simulate({ name: "x", steps } as Scenario)).toThrow(ScenarioError);
    expect(() => scenario([])).toThrow(ScenarioError);
  });

  test("reads what scenarioText writes", () => {
    const read = scenario(TEXT);
    expect(scenario(scenarioText(read))).toEqual(read);
  });
});

test("the types are the ones that users rely on", () => {
  expectTypeOf(simulate).parameter(0).toEqualTypeOf<string | Scenario>();
  expectTypeOf(simulate).returns.toEqualTypeOf<SimulationResult>();
  expectTypeOf(scenario).returns.toEqualTypeOf<Scenario>();
  expectTypeOf<SimulationResult["balances"]>().toEqualTypeOf<
    Readonly<Record<string, Readonly<Record<string, bigint>>>>
  >();
  expectTypeOf<SimulationResult["verdict"]>().toEqualTypeOf<"pass" | "violation" | "stalled" | "unmet" | "error">();
});

describe("a stricter network is judged by its own rule", () => {
  const FILE = `name: payments of a unit and of more
genesis:
  tokens: { USD: { decimals: 0, master: issuer } }
  balances: { alice: { USD: "100" } }
  checkpoints: none
clients: { alice: { on_refusal: reuse } }
steps:
  - { at: 0,   submit: { id: small, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 900, submit: { id: large, payment: { from: alice, to: bob, token: USD, value: "11" }, nonce: 1 } }
expect:
  - { refused: { large: business_blacklisted } }
`;
  const isTooMuch = ({ operation }: SignedOperation): boolean => operation.kind === "payment" && operation.value > 10n;
  const code = "business_blacklisted";
  /** The validators refuse payments above 10 units. */
  const rules = (real: Rules): Rules => {
    const stricter: Rules["ledger"]["checkVote"] = (state, barrier, signed, more) => {
      if (!isTooMuch(signed)) return real.ledger.checkVote(state, barrier, signed, more);
      const { sender } = signed;
      return { answer: "refuse", refusal: { code, token: sender, address: sender } };
    };
    return { ...real, ledger: { ...real.ledger, checkVote: stricter, check: stricter } };
  };
  const networkRule: NetworkRule = (signed) => (isTooMuch(signed) ? code : undefined);

  test("which both have", () => {
    const { verdict, violations, finals } = simulate(FILE, { rules, networkRule });
    expect([verdict, violations, finals.map(({ name }) => name)]).toEqual(["pass", [], ["small"]]);
  });

  test("and seen where only one has it", () => {
    for (const one of [{ rules }, { networkRule }]) {
      const { verdict, violations } = simulate(FILE, one);
      expect([verdict, violations.some(({ invariant }) => invariant === "validity")]).toEqual(["violation", true]);
    }
  });
});
