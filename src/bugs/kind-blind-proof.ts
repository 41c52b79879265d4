import { operationId } from "../core/ledger/identity.ts";
import type { Bug } from "./bug.ts";

/** Two readings of one signed digest taken for two operations (design 8; 3.0). */
export const kindBlindProof: Bug = {
  name: "kind-blind-proof",
  wrong:
    "an equivocation proof compares ids instead of signed digests: a payment posted again as a mint accuses its owner",
  source: "design 8; 3.0",
  caughtBy: ["validity", "accountability", "liveness"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      isEquivocation: (a, b) =>
        a.sender === b.sender &&
        a.operation.nonce === b.operation.nonce &&
        a.operation.kind !== "cancellation" &&
        b.operation.kind !== "cancellation" &&
        operationId(a) !== operationId(b),
    },
  }),
};
