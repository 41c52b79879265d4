/** Variants with wrong rules for a bridge (specification 5.15, 5.16). */
import { Trie } from "../core/base/trie.ts";
import { withdrawPool } from "../core/ledger/balances.ts";
import { alterStateAfterApply, replaceExecute } from "./altered-apply.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Mint of one source transaction by two authorities (specification 5.15). */
export const bridgeMintReplayed: KnownBadVariant = {
  name: "bridge-mint-replayed",
  mistake:
    "a source transaction is looked for when its mint is asked for, not in the token's order: two mints share it",
  source: "specification 5.15; protocol 4.1",
  caughtBy: ["authority", "validity"],
  rules: replaceExecute((state, _token, _entry, real) => {
    const refused = real(state);
    if (refused.receipt.error?.code !== "business_bridge_replayed") return refused;
    const executed = real({ ...state, bridged: Trie.empty() });
    return executed.receipt.success ? { ...executed, state: { ...executed.state, bridged: state.bridged } } : refused;
  }),
};

/** Escrow fee that nobody gets (protocol 7.3). */
export const escrowLost: KnownBadVariant = {
  name: "escrow-lost",
  mistake: "a burn and bridge debits value and escrow fee, and counts the value as burned: the escrow fee is gone",
  source: "specification 5.16; protocol 7.3",
  caughtBy: ["conservation", "validity", "fees"],
  rules: alterStateAfterApply((after, _before, { value, operation: signed }) => {
    if (value.type !== "operation" || signed?.operation.kind !== "bridgeBurn") return after;
    return withdrawPool(after, signed.operation.token, signed.operation.escrowFee);
  }),
};
