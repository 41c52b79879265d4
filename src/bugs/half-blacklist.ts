import type { SignedOperation } from "../core/base/operation.ts";
import type { CheckResult, Refusal } from "../core/base/refusal.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** List that binds one side of a payment (bugs E2). */
export const halfBlacklist: KnownBadVariant = {
  name: "half-blacklist",
  mistake: "lists keep an address from sending and not from receiving",
  source: "protocol 4.1, 4.2",
  caughtBy: ["validity", "authority"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      check: (state, barrier, signed, parts) =>
        forPayer(signed, (one) => real.ledger.check(state, barrier, one, parts)),
      checkVote: (state, barrier, signed, parts) =>
        forPayer(signed, (one) => real.ledger.checkVote(state, barrier, one, parts)),
    },
  }),
};

/** If the lists exclude the payee, the payment is checked as one to the payer itself. */
function forPayer(signed: SignedOperation, judged: (signed: SignedOperation) => CheckResult): CheckResult {
  const verdict = judged(signed);
  const { operation, sender } = signed;
  if (verdict.answer !== "refuse" || operation.kind !== "payment" || !excludes(verdict.refusal)) return verdict;
  return judged({ ...signed, operation: { ...operation, recipient: sender } });
}

function excludes({ code }: Refusal): boolean {
  return code === "business_blacklisted" || code === "business_not_whitelisted";
}
