/** Creation of a multisig account (specification 5.18). */
import { ZERO } from "../../base/amount.ts";
import type { CreateMultisig, OperationId } from "../../base/operation.ts";
import { ACCEPT } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type Applied, applied } from "../applied.ts";
import { ascending, multisigAddress, signersFault } from "../multisig.ts";
import { accountOf, draftOf, type LedgerState } from "../state.ts";
import { FROM, type Kind, none, OWN } from "./kind.ts";

/** Submission in a scenario file. */
export interface MultisigForms {
  readonly multisig: { readonly from: string; readonly account: string };
}

export const multisig: Kind<CreateMultisig, Pick<MultisigForms, "multisig">> = {
  isOnlyV2: true,
  fields: {
    signers: { type: "signers", wire: "signers", about: "the signers, 1 to 20" },
    threshold: {
      type: "count",
      wire: "threshold",
      about: "the weight that an operation needs",
      most: 65_535,
      code: "validation_signers",
    },
  },
  body: "a creation of a multisig account",
  signer: "owner",
  paths: {
    "/v1/accounts/multisig": {
      summary: "Create a multisig account",
      description: "Makes the account of these signers known. Its address follows from them.",
      section: "specification 5.18; wire 1.3",
      v2: { opType: 13 },
    },
  },
  spec: [],
  token: none,
  effectSlot: () => OWN,
  fault: ({ account, signers, threshold }) =>
    account === undefined
      ? signersFault(signers, threshold)
      : { code: "validation_layout", field: "authorization", reason: "a multisig account creates none" },
  inAccount: { role: undefined, check: () => ACCEPT, apply: applyCreation },
  verbs: {
    multisig: {
      about:
        "A creation makes a multisig account of the genesis known that is declared with `created: false`. Example: multisig: { from: alice, account: treasury }",
      form: { from: FROM, account: { type: "multisig", about: "the multisig account" } },
      fills: { signers: "account", threshold: "account" },
    },
  },
};

/** The same set twice is the same state: creations by different accounts commute. */
function applyCreation(state: LedgerState, slot: AccountSlot, id: OperationId, operation: CreateMultisig): Applied {
  const set = { signers: ascending(operation.signers), threshold: operation.threshold };
  const address = multisigAddress(set);
  const draft = draftOf(state);
  draft.accounts = state.accounts.set(address, { ...accountOf(state, address), multisig: set });
  return applied(draft, [{ id, success: true, fee: ZERO, feeToken: undefined, error: undefined, slot: slotKey(slot) }]);
}
