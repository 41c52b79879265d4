/** Creation of a multisig account (specification 5.18). */
import { ZERO } from "../../base/amount.ts";
import type { CreateMultisig, OperationId } from "../../base/operation.ts";
import { ACCEPT } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type ApplyResult, appliedResult } from "../apply-result.ts";
import { multisigAddress, signersFault, sortSigners } from "../multisig.ts";
import { accountOf, draftOf, type LedgerState } from "../state.ts";
import { type Kind, OWN_SLOT, returnUndefined } from "./kind.ts";

export const multisig: Kind<CreateMultisig> = {
  version1: "envelope",
  fields: {
    signers: { type: "signers", wire: "signers", description: "the signers, 1 to 20" },
    threshold: {
      type: "count",
      wire: "threshold",
      description: "the weight that an operation needs",
      most: 65_535,
      code: "validation_signers",
    },
  },
  signer: "owner",
  opType: 13,
  token: returnUndefined,
  effectSlot: () => OWN_SLOT,
  fault: ({ account, signers, threshold }) =>
    account === undefined
      ? signersFault(signers, threshold)
      : { code: "validation_layout", field: "authorization", reason: "a multisig account creates none" },
  inAccount: { role: undefined, check: () => ACCEPT, apply: applyCreation },
};

/** The same set twice is the same state: creations by different accounts commute. */
function applyCreation(state: LedgerState, slot: AccountSlot, id: OperationId, operation: CreateMultisig): ApplyResult {
  const set = { signers: sortSigners(operation.signers), threshold: operation.threshold };
  const address = multisigAddress(set);
  const draft = draftOf(state);
  draft.accounts = state.accounts.set(address, { ...accountOf(state, address), multisig: set });
  return appliedResult(draft, [
    { id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) },
  ]);
}
