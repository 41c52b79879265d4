import { withToken } from "../core/ledger/execute.ts";
import { tokenOf } from "../core/ledger/state.ts";
import { afterwards } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Token change in the sequence of its signer (bugs E6). */
export const effectAtOnce: KnownBadVariant = {
  name: "effect-at-once",
  mistake: "metadata change in the signer's slot, at authorisation: changes of two authorities have no common order",
  source: "bugs E6; protocol 4.1",
  caughtBy: ["validity", "conservation", "convergence", "checkpoints", "authority"],
  rules: afterwards((after, _before, { slot, operation: signed }) => {
    if (slot.kind !== "account" || signed?.operation.kind !== "metadata") return after;
    const { token, name, uri, additional } = signed.operation;
    const policy = tokenOf(after, token);
    return policy === undefined ? after : withToken(after, token, { ...policy, name, uri, additional });
  }),
};
