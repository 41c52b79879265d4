/** Operations whose form nobody looks at (bugs D15, F9). */
import type { Refusal } from "../core/base/refusal.ts";
import { checkRules } from "../core/ledger/check.ts";
import type { Bug } from "./bug.ts";

/** Nothing is an amount like any other. */
export const zeroAmounts: Bug = {
  name: "zero-amounts",
  wrong: "a payment, mint or burn of nothing is an operation like any other",
  source: "bugs D15",
  caughtBy: ["validity"],
  rules: without("validation_amount"),
};

/** A signature for one network is good on all of them. */
export const anyChain: Bug = {
  name: "any-chain",
  wrong: "the chain that an operation was signed for is not compared with this one: it can be replayed from another",
  source: "bugs F9",
  caughtBy: ["validity"],
  rules: without("validation_chain_id"),
};

/** No operation is refused for this reason. */
function without(code: Refusal["code"]): NonNullable<Bug["rules"]> {
  return (real) => {
    const wellFormed: typeof checkRules.wellFormed = (operation, chainId) => {
      const fault = real.ledger.wellFormed(operation, code === "validation_chain_id" ? operation.chainId : chainId);
      return fault?.code === code ? undefined : fault;
    };
    const parts = { ...checkRules, wellFormed };
    return {
      ...real,
      ledger: {
        ...real.ledger,
        wellFormed,
        check: (state, barrier, signed) => real.ledger.check(state, barrier, signed, parts),
        checkVote: (state, barrier, signed) => real.ledger.checkVote(state, barrier, signed, parts),
      },
    };
  };
}
