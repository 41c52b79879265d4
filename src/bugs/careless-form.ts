/** Operations with unchecked form (bugs D15, F9). */
import type { Refusal } from "../core/base/refusal.ts";
import { checkRules } from "../core/ledger/check.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Zero is accepted as an amount. */
export const zeroAmounts: KnownBadVariant = {
  name: "zero-amounts",
  mistake: "a payment, mint or burn of amount 0 is accepted",
  source: "bugs D15",
  caughtBy: ["validity"],
  rules: without("validation_amount"),
};

/** A signature for one network is valid on all of them. */
export const anyChain: KnownBadVariant = {
  name: "any-chain",
  mistake: "the chain id of an operation is not checked: operations of another network can be replayed",
  source: "bugs F9",
  caughtBy: ["validity"],
  rules: without("validation_chain_id"),
};

/** Ignores refusals with this code. */
function without(code: Refusal["code"]): NonNullable<KnownBadVariant["rules"]> {
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
