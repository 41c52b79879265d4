import type { SignedOperation } from "../core/base/operation.ts";
import { operationId } from "../core/ledger/identity.ts";
import { accountOf } from "../core/ledger/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Two readings of one signed digest accepted as two operations (protocol 8; 3.0). */
export const kindBlindProof: KnownBadVariant = {
  name: "kind-blind-proof",
  mistake: "an equivocation proof compares ids instead of signed digests: a payment resubmitted as a mint is a proof",
  source: "protocol 8; 3.0",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      isEquivocation: accuses,
      checkRecovery: (state, recovery) => {
        const { first, second } = recovery.evidence;
        const isNext = accountOf(state, recovery.account).nonce === recovery.nonce;
        const verdict = real.ledger.checkRecovery(state, recovery);
        return verdict.answer === "refuse" && isNext && accuses(first, second) ? { answer: "accept" } : verdict;
      },
    },
  }),
};

function accuses(a: SignedOperation, b: SignedOperation): boolean {
  return (
    a.sender === b.sender &&
    a.operation.nonce === b.operation.nonce &&
    a.operation.kind !== "cancellation" &&
    b.operation.kind !== "cancellation" &&
    operationId(a) !== operationId(b)
  );
}
