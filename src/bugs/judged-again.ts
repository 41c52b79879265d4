import { ZERO } from "../core/base/amount.ts";
import { slotKey } from "../core/base/slot.ts";
import { applied } from "../core/ledger/applied.ts";
import { applyRules } from "../core/ledger/apply.ts";
import { useNonce } from "../core/ledger/apply-operation.ts";
import { tokenOf } from "../core/ledger/state.ts";
import { paymentOf, replaceApply } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Policy checked at the vote and again at the application (bugs E3). */
export const judgedAgain: KnownBadVariant = {
  name: "judged-again",
  mistake: "a decided payment fails at validators that have applied a pause by then, and takes effect at all others",
  source: "bugs E3; protocol 4.1",
  caughtBy: ["validity", "fees", "convergence", "checkpoints"],
  rules: replaceApply((before, decided, real) => {
    const { slot, value } = decided;
    const payment = paymentOf(decided);
    if (payment === undefined || slot.kind !== "account" || value.type !== "operation") return real(applyRules);
    const { token } = payment;
    if (tokenOf(before, token)?.isPaused !== true) return real(applyRules);
    const error = { code: "business_token_paused", token } as const;
    const receipt = { id: value.id, success: false, fee: ZERO, feeToken: undefined, error, slot: slotKey(slot) };
    return applied(useNonce(before, slot), [receipt]);
  }),
};
