/** Operations of a bridge to other chains: bridge and mint, burn and bridge (specification 5.15, 5.16). */
import { AMOUNT_MAX, type Amount, add } from "../../base/amount.ts";
import { requireDefined } from "../../base/assert.ts";
import type { Address } from "../../base/ids.ts";
import type { BridgeBurn, BridgeMint, OperationId } from "../../base/operation.ts";
import { type CheckResult, type Refusal, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type ApplyResult, appliedResult, impossibleResult } from "../apply-result.ts";
import { checkFunds, countBurned, credit, debit, depositPool, waitingForFunds } from "../balances.ts";
import { amountFault, chainFault, hexFault, labelFault, textTooLong } from "../field-rules.ts";
import { BRIDGE_METADATA_BYTES, BRIDGE_PARAM_BYTES, FOREIGN_BYTES } from "../limits.ts";
import { excludedSignerRefusal, exclusionRefusal } from "../lists.ts";
import { accountOf, balanceOf, draftOf, type LedgerState, withToken } from "../state.ts";
import { pausedRefusal, sourceKey, type Token } from "../token.ts";
import { type Field, type Kind, namedToken, namedTokenSlot, OWN_SLOT, TOKEN_FIELD, VALUE_FIELD } from "./kind.ts";

const METADATA_FIELD: Field = {
  type: "text",
  wire: "bridge_metadata",
  description: "a text for the bridge, null for none",
  optional: true,
  nullable: true,
  v2: { absent: "" },
  clientNeeds: true,
};
export const bridgeMint: Kind<BridgeMint> = {
  fields: {
    recipient: { type: "address", wire: "recipient", description: "the account credited" },
    value: VALUE_FIELD,
    token: TOKEN_FIELD,
    sourceChainId: { type: "chain", wire: "source_chain_id", description: "the chain that the units come from" },
    sourceTxHash: {
      type: "text",
      wire: "source_tx_hash",
      description: "the transaction there",
      example: "0x5c0e",
    },
    bridgeMetadata: METADATA_FIELD,
  },
  signer: "authority",
  opType: 11,
  token: namedToken,
  effectSlot: namedTokenSlot,
  fault: ({ value, sourceChainId, sourceTxHash, bridgeMetadata }) =>
    amountFault("value", value, 1n) ??
    chainFault("source_chain_id", sourceChainId) ??
    labelFault("source_tx_hash", sourceTxHash, FOREIGN_BYTES) ??
    metadataFault(bridgeMetadata),
  inToken: { role: "Bridge", refusal: mintRefusal, execute: executeMint },
};

export const bridgeBurn: Kind<BridgeBurn> = {
  fields: {
    sender: { type: "address", wire: "sender", description: "the signer" },
    value: VALUE_FIELD,
    token: TOKEN_FIELD,
    destinationChainId: { type: "chain", wire: "destination_chain_id", description: "the chain that the units go to" },
    destinationAddress: {
      type: "text",
      wire: "destination_address",
      description: "the address there",
      example: "0xa634dfba8c7550550817898bc4820cd10888aac5",
    },
    escrowFee: {
      type: "amount",
      wire: "escrow_fee",
      description: "the fee of the bridge, which the token's fee pool gets",
    },
    bridgeMetadata: METADATA_FIELD,
    bridgeParam: {
      type: "hex",
      wire: "bridge_param",
      description: "bytes for the bridge, null for none",
      example: "0x",
      optional: true,
      nullable: true,
      v2: { absent: "0x" },
      clientNeeds: true,
    },
  },
  signer: "owner",
  opType: 12,
  token: namedToken,
  effectSlot: () => OWN_SLOT,
  fault: burnFault,
  inAccount: { role: undefined, check: checkBridgeBurn, apply: applyBurn },
};

function mintRefusal(
  state: LedgerState,
  token: Address,
  policy: Token,
  operation: BridgeMint,
  signer: Address,
): Refusal | undefined {
  const { recipient, value, sourceChainId, sourceTxHash } = operation;
  const refusal =
    pausedRefusal(token, policy) ??
    excludedSignerRefusal(state, "excludedMinters", signer, token, policy) ??
    exclusionRefusal(state, recipient, token, policy);
  if (refusal !== undefined) return refusal;
  if (state.bridged.has(sourceKey(state, operation)))
    return { code: "business_bridge_replayed", token, sourceChainId, sourceTxHash };
  // The bound is that of a mint: it covers every unit ever minted, also the burned ones.
  const overflows = add(policy.minted, value) === undefined;
  return overflows ? { code: "business_amount_overflow", token, minted: policy.minted, value } : undefined;
}

function executeMint(
  state: LedgerState,
  token: Address,
  policyBefore: Token | undefined,
  operation: BridgeMint,
): LedgerState {
  const { recipient, value } = operation;
  const policy = requireDefined(policyBefore, `token ${token}`);
  const minted = requireDefined(add(policy.minted, value), "room in what was minted");
  const bridged = state.bridged.set(sourceKey(state, operation), true);
  return credit({ ...withToken(state, token, { ...policy, minted }), bridged }, recipient, token, value);
}

function burnFault(operation: BridgeBurn): Refusal | undefined {
  const { value, escrowFee, destinationChainId, destinationAddress, bridgeMetadata, bridgeParam } = operation;
  return (
    amountFault("value", value, 1n) ??
    amountFault("escrow_fee", escrowFee, 0n) ??
    chainFault("destination_chain_id", destinationChainId) ??
    labelFault("destination_address", destinationAddress, FOREIGN_BYTES) ??
    metadataFault(bridgeMetadata) ??
    (bridgeParam === undefined ? undefined : hexFault("bridge_param", bridgeParam, BRIDGE_PARAM_BYTES))
  );
}

function metadataFault(text: string | undefined): Refusal | undefined {
  return text === undefined ? undefined : textTooLong("bridge_metadata", text, BRIDGE_METADATA_BYTES);
}

/**
 * Accepts a burn that its sender signed, if the token is not paused, its lists allow the sender, and the balance covers
 * value and escrow fee.
 */
function checkBridgeBurn(state: LedgerState, policy: Token, operation: BridgeBurn, signer: Address): CheckResult {
  const { token, sender, value, escrowFee } = operation;
  if (sender !== signer) return refuse({ code: "validation_sender", sender, signer });
  const refusal = pausedRefusal(token, policy) ?? exclusionRefusal(state, signer, token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const total = value + escrowFee;
  if (total > AMOUNT_MAX) {
    const reason = `with the escrow fee of ${escrowFee} it passes 2^256 - 1`;
    return refuse({ code: "validation_amount", field: "value", reason });
  }
  return checkFunds(balanceOf(state, signer, token), total as Amount, token);
}

/** Burns the value, pays the escrow fee into the token's pool, and increments the account's bridge nonce. */
function applyBurn(state: LedgerState, slot: AccountSlot, id: OperationId, operation: BridgeBurn): ApplyResult {
  const { token, value, escrowFee } = operation;
  const total = value + escrowFee;
  if (total > AMOUNT_MAX) return impossibleResult(`bridgeBurn ${id}: value and escrow fee exceed 2^256 - 1`);
  const debited = debit(state, slot.address, token, total as Amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, total as Amount);
  const account = accountOf(state, slot.address);
  const bridgeNonce = account.bridgeNonce ?? 0;
  const draft = draftOf(depositPool(countBurned(debited, token, value), token, escrowFee));
  draft.accounts = draft.accounts.set(slot.address, { ...account, bridgeNonce: bridgeNonce + 1 });
  const receipt = { id, success: true, fee: escrowFee, feeToken: token, error: undefined, slot: slotKey(slot) };
  return appliedResult(draft, [{ ...receipt, bridgeNonce }]);
}
