/** Each policy of a genesis binds ledger and oracles alike (specification 12.1): a ledger that decides otherwise is seen. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Policies } from "../../src/core/base/policies.ts";
import type { LedgerState } from "../../src/core/ledger/state.ts";
import type { Rules } from "../../src/core/validator/rules.ts";
import { simulate } from "../../src/library/simulate.ts";

/** Rules of a ledger that judges and applies by other choices than its genesis names. */
function deciding(choices: Partial<Policies>): (real: Rules) => Rules {
  const under = (state: LedgerState): LedgerState => ({ ...state, policies: { ...state.policies, ...choices } });
  return (real) => {
    const { check, checkVote, apply } = real.ledger;
    const ledger: Rules["ledger"] = {
      ...real.ledger,
      check: (state, ...more) => check(under(state), ...more),
      checkVote: (state, ...more) => checkVote(under(state), ...more),
      apply: (state, ...more) => {
        const result = apply(under(state), ...more);
        return "state" in result ? { ...result, state: { ...result.state, policies: state.policies } } : result;
      },
    };
    return { ...real, ledger };
  };
}

function textOf(name: string): string {
  return readFileSync(`scenarios/rules/${name}.yaml`, "utf8");
}

test.each<[file: string, other: Partial<Policies>, oracle: string]>([
  ["tokens/token-issued", { issuedTokens: "open" }, "validity"],
  ["tokens/issued-tokens-open-at-once", { issuedTokens: "paused" }, "validity"],
  ["policies/excluded-minter-mints", { excludedMinters: "refused" }, "validity"],
  ["policies/excluded-minter-is-refused", { excludedMinters: "allowed" }, "validity"],
  ["policies/excluded-burner-burns", { excludedBurners: "refused" }, "validity"],
  ["policies/excluded-burner-is-refused", { excludedBurners: "allowed" }, "validity"],
  ["clawbacks/clawback", { clawbacks: "excluded" }, "validity"],
  ["policies/clawback-from-excluded-accounts-only", { clawbacks: "any" }, "validity"],
  ["roles/allowance-is-set-not-added", { allowances: "added" }, "validity"],
  ["policies/allowance-is-added", { allowances: "set" }, "validity"],
  ["payments/batch", { batchFees: "operator" }, "fees"],
  ["policies/batch-fee-to-the-operator", { batchFees: "pool" }, "fees"],
  ["policies/deposit-spelled-in-three-ways", { deposits: "bytes" }, "validity"],
  ["policies/deposit-compared-as-bytes", { deposits: "text" }, "validity"],
])("%s, by a ledger with %o, violates %s", (file, other, oracle) => {
  expect(simulate(textOf(file)).verdict).toBe("pass");
  const { verdict, violations } = simulate(textOf(file), { rules: deciding(other) });
  expect([verdict, violations.map(({ invariant }) => invariant)]).toEqual([
    "violation",
    expect.arrayContaining([oracle]),
  ]);
});
