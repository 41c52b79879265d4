/** Variants that count the signers of a multisig account wrongly (specification 4.1). */
import type { Nonce, Sequence } from "../core/base/ids.ts";
import { type MultisigRules, multisigAddress, multisigRules } from "../core/ledger/multisig.ts";
import { accountOf } from "../core/ledger/state.ts";
import { alterStateAfterApply } from "./altered-rules.ts";
import { type RulesChange, replaceRules, type VariantTable } from "./known-bad-variant.ts";

export const MULTISIG: VariantTable = {
  "multisig-counts-twice": {
    mistake: "a signer whose signature stands there twice counts twice for its multisig account",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceMultisigRules({ follows: (before, key) => before <= key }),
  },
  "multisig-threshold-less-one": {
    mistake: "a multisig account has signed with a weight of one less than its threshold",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceMultisigRules({ isEnough: (weight, threshold) => weight >= threshold - 1 }),
  },
  "multisig-verifies-the-first": {
    mistake: "the first signature of a multisig account is verified, those behind it only by their keys",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceRules("ledger", (real) => ({
      multisigFault: (verifier, digest, signed) => {
        let verified = 0;
        const ofFirst: typeof verifier = {
          recover: (of, signature) => (verified === 0 ? verifier.recover(of, signature) : signed.sender),
          addressOfPublic: (key) => (verified++ === 0 ? verifier.addressOfPublic(key) : signed.sender),
        };
        return real.multisigFault(ofFirst, digest, signed);
      },
    })),
  },
  "multisig-weights-are-one": {
    mistake: "every signer of a multisig account counts for one, whatever its weight",
    source: "specification 4.1",
    caughtBy: ["validity", "liveness"],
    rules: replaceMultisigRules({
      weightOf: (set, key) => (multisigRules.weightOf(set, key) === undefined ? undefined : 1),
    }),
  },
  "multisig-strangers-count": {
    mistake: "a key that is not in the signer set of a multisig account counts for one",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceMultisigRules({ weightOf: (set, key) => multisigRules.weightOf(set, key) ?? 1 }),
  },
  "multisig-made-anew": {
    mistake: "a creation of a multisig account that exists begins it anew, and its nonces can be used again",
    source: "specification 5.18; bugs D1",
    caughtBy: ["accounts", "validity", "convergence", "liveness", "checkpoints"],
    rules: alterStateAfterApply((after, before, { value, operation }) => {
      if (value.type !== "operation" || operation?.operation.kind !== "multisig") return after;
      const address = multisigAddress(operation.operation);
      if (accountOf(before, address).multisig === undefined) return after;
      const made = { ...accountOf(after, address), nonce: 0 as Nonce, sequence: 0 as Sequence };
      return { ...after, accounts: after.accounts.set(address, made) };
    }),
  },
};

/** Replaces parts of the check, wherever validators check signatures. */
function replaceMultisigRules(parts: Partial<MultisigRules>): RulesChange {
  return replaceRules("ledger", (real) => ({
    multisigFault: (verifier, digest, signed) =>
      real.multisigFault(verifier, digest, signed, { ...multisigRules, ...parts }),
  }));
}
