import { text } from "../core/base/encoding.ts";
import type { OperationId, SignedOperation } from "../core/base/operation.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import { applyRules } from "../core/ledger/apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Two copies count as two operations (bugs G1). */
export const idCoversSignature: KnownBadVariant = {
  name: "id-covers-signature",
  mistake: "an operation's id covers its signature: a second signature of the same bytes makes a second operation",
  source: "bugs G1; protocol 3.0",
  caughtBy: ["validity", "authority", "irreversibility", "accounts", "conservation", "liveness"],
  rules: (real) => {
    const operationId = (signed: SignedOperation): OperationId =>
      taggedHash("operation", text(real.ledger.operationId(signed)), text(signed.signature)) as OperationId;
    return {
      ...real,
      ledger: {
        ...real.ledger,
        operationId,
        apply: (state, slot, value, operation, parts = applyRules) =>
          real.ledger.apply(state, slot, value, operation, { ...parts, operationId }),
      },
    };
  },
};
