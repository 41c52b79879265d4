/** Operations of a bridge to other chains: bridge and mint, burn and bridge (specification 5.15, 5.16). */
import { AMOUNT_MAX, type Amount, add } from "../../base/amount.ts";
import { required } from "../../base/assert.ts";
import type { Address } from "../../base/ids.ts";
import type { BridgeBurn, BridgeMint, OperationId } from "../../base/operation.ts";
import { type CheckResult, type Refusal, refuse } from "../../base/refusal.ts";
import { type AccountSlot, slotKey } from "../../base/slot.ts";
import { type Applied, applied, impossible } from "../applied.ts";
import { countBurned, credit, debit, depositPool, funded, waitingForFunds } from "../balances.ts";
import { amountFault, chainFault, hexFault, labelFault, textTooLong } from "../field-rules.ts";
import { BRIDGE_METADATA_BYTES, BRIDGE_PARAM_BYTES, FOREIGN_BYTES } from "../limits.ts";
import { exclusionRefusal } from "../lists.ts";
import { accountOf, balanceOf, draftOf, type LedgerState, withToken } from "../state.ts";
import { pausedRefusal, sourceKey, type Token } from "../token.ts";
import {
  AMOUNT,
  type Field,
  type FormMember,
  FROM,
  inNamedToken,
  type Kind,
  namedToken,
  OF_TOKEN,
  OWN,
  RECIPIENT,
  TOKEN,
  VALUE,
} from "./kind.ts";

/** Submissions in a scenario file, by verb. */
export interface BridgeForms {
  readonly bridge_mint: {
    readonly from: string;
    readonly to: string;
    readonly token: string;
    readonly value: string;
    readonly chain: number;
    readonly transaction: string;
    readonly bridge_metadata?: string;
  };
  readonly bridge_burn: {
    readonly from: string;
    readonly token: string;
    readonly value: string;
    readonly chain: number;
    readonly destination: string;
    readonly escrow?: string;
    readonly bridge_metadata?: string;
    readonly bridge_param?: string;
  };
}

const METADATA_FIELD: Field = {
  type: "text",
  wire: "bridge_metadata",
  about: "a text for the bridge, null for none",
  optional: true,
  nullable: true,
  v2: { absent: "" },
  isMarked: true,
};
const METADATA: FormMember = {
  type: "text",
  about: "a text for the bridge; default: empty",
  optional: true,
};

export const bridgeMint: Kind<BridgeMint, Pick<BridgeForms, "bridge_mint">> = {
  fields: {
    recipient: { type: "address", wire: "recipient", about: "the account credited" },
    value: VALUE,
    token: TOKEN,
    sourceChainId: { type: "chain", wire: "source_chain_id", about: "the chain that the units come from" },
    sourceTxHash: {
      type: "text",
      wire: "source_tx_hash",
      about: "the transaction there",
      example: "0x5c0e",
      rawBytes: 32,
    },
    bridgeMetadata: METADATA_FIELD,
  },
  body: "a bridge and mint",
  signer: "authority",
  paths: {
    "/v1/tokens/bridge_and_mint": {
      summary: "Bridge and mint",
      description:
        "Creates units for a transaction of another chain, once per token. Signed by the master or a bridge authority.",
      section: "specification 5.15; wire 1.2, W13",
      v2: { opType: 11 },
    },
  },
  // Bytes identical with those of `client`: one layout (protocol 3.0).
  spec: ["recipient", "value", "token", "sourceChainId", "sourceTxHash", "bridgeMetadata"],
  token: namedToken,
  effectSlot: inNamedToken,
  fault: ({ value, sourceChainId, sourceTxHash, bridgeMetadata }) =>
    amountFault("value", value, 1n) ??
    chainFault("source_chain_id", sourceChainId) ??
    labelFault("source_tx_hash", sourceTxHash, FOREIGN_BYTES) ??
    metadataFault(bridgeMetadata),
  inToken: { role: "Bridge", refusal: mintRefusal, execute: executeMint },
  verbs: {
    bridge_mint: {
      about:
        'Creates units for a transaction of another chain. Example: bridge_mint: { from: bridge, to: bob, token: USD, value: "5", chain: 1, transaction: "0xab" }',
      form: {
        from: FROM,
        to: RECIPIENT,
        token: OF_TOKEN,
        value: AMOUNT,
        chain: { type: "chain", about: "the id of the other chain" },
        transaction: { type: "text", about: "the transaction there" },
        bridge_metadata: METADATA,
      },
      fills: {
        recipient: "to",
        value: "value",
        token: "token",
        sourceChainId: "chain",
        sourceTxHash: "transaction",
        bridgeMetadata: "bridge_metadata",
      },
    },
  },
};

export const bridgeBurn: Kind<BridgeBurn, Pick<BridgeForms, "bridge_burn">> = {
  fields: {
    sender: { type: "address", wire: "sender", about: "the signer" },
    value: VALUE,
    token: TOKEN,
    destinationChainId: { type: "chain", wire: "destination_chain_id", about: "the chain that the units go to" },
    destinationAddress: {
      type: "text",
      wire: "destination_address",
      about: "the address there",
      example: "0xa634dfba8c7550550817898bc4820cd10888aac5",
      rawBytes: 20,
    },
    escrowFee: { type: "amount", wire: "escrow_fee", about: "the fee of the bridge, which the token's fee pool gets" },
    bridgeMetadata: METADATA_FIELD,
    bridgeParam: {
      type: "hex",
      wire: "bridge_param",
      about: "bytes for the bridge, null for none",
      example: "0x",
      optional: true,
      nullable: true,
      v2: { absent: "0x" },
      isMarked: true,
    },
  },
  body: "a burn and bridge",
  signer: "owner",
  paths: {
    "/v1/tokens/burn_and_bridge": {
      summary: "Burn and bridge",
      description: "Destroys units of the signer for another chain, and pays an escrow fee to the token's fee pool.",
      section: "specification 5.16; wire 1.2, W14",
      v2: { opType: 12 },
    },
  },
  spec: [
    "sender",
    "value",
    "token",
    "destinationChainId",
    "destinationAddress",
    "escrowFee",
    "bridgeMetadata",
    "bridgeParam",
  ],
  token: namedToken,
  effectSlot: () => OWN,
  fault: burnFault,
  inAccount: { role: undefined, check: checkBurn, apply: applyBurn },
  verbs: {
    bridge_burn: {
      about:
        'Destroys units of the signer for another chain. Example: bridge_burn: { from: bob, token: USD, value: "5", chain: 1, destination: "0xab", escrow: "0.1" }',
      form: {
        from: FROM,
        token: OF_TOKEN,
        value: AMOUNT,
        chain: { type: "chain", about: "the id of the other chain" },
        destination: { type: "text", about: "the address there" },
        escrow: {
          type: "amount",
          about: "the fee of the bridge; default: none",
          optional: true,
          otherwise: { value: 0n as Amount },
        },
        bridge_metadata: METADATA,
        bridge_param: {
          type: "text",
          about: "bytes for the bridge, as 0x and hex digits; default: none",
          optional: true,
        },
      },
      fills: {
        sender: "from",
        value: "value",
        token: "token",
        destinationChainId: "chain",
        destinationAddress: "destination",
        escrowFee: "escrow",
        bridgeMetadata: "bridge_metadata",
        bridgeParam: "bridge_param",
      },
    },
  },
};

function mintRefusal(state: LedgerState, token: Address, policy: Token, operation: BridgeMint): Refusal | undefined {
  const { recipient, value, sourceChainId, sourceTxHash } = operation;
  const refusal = pausedRefusal(token, policy) ?? exclusionRefusal(state, recipient, token, policy);
  if (refusal !== undefined) return refusal;
  if (state.bridged.has(sourceKey(token, sourceChainId, sourceTxHash)))
    return { code: "business_bridge_replayed", token, sourceChainId, sourceTxHash };
  // As of a mint: compared with what was ever minted.
  const overflows = add(policy.minted, value) === undefined;
  return overflows ? { code: "business_amount_overflow", token, minted: policy.minted, value } : undefined;
}

function executeMint(
  state: LedgerState,
  token: Address,
  known: Token | undefined,
  { recipient, value, sourceChainId, sourceTxHash }: BridgeMint,
): LedgerState {
  const policy = required(known, `token ${token}`);
  const minted = required(add(policy.minted, value), "room in what was minted");
  const bridged = state.bridged.set(sourceKey(token, sourceChainId, sourceTxHash), true);
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

/** Signed by the sender; not paused, the sender allowed by the lists, and the balance covers value and escrow fee. */
function checkBurn(state: LedgerState, policy: Token, operation: BridgeBurn, signer: Address): CheckResult {
  const { token, sender, value, escrowFee } = operation;
  if (sender !== signer) return refuse({ code: "validation_sender", sender, signer });
  const refusal = pausedRefusal(token, policy) ?? exclusionRefusal(state, signer, token, policy);
  if (refusal !== undefined) return refuse(refusal);
  const need = value + escrowFee;
  if (need > AMOUNT_MAX) {
    const reason = `with the escrow fee of ${escrowFee} it passes 2^256 - 1`;
    return refuse({ code: "validation_amount", field: "value", reason });
  }
  return funded(balanceOf(state, signer, token), need as Amount, token);
}

/** The value leaves the supply, the escrow fee goes to the pool, and the account's number of such burns rises. */
function applyBurn(state: LedgerState, slot: AccountSlot, id: OperationId, operation: BridgeBurn): Applied {
  const { token, value, escrowFee } = operation;
  const total = value + escrowFee;
  if (total > AMOUNT_MAX) return impossible(`bridgeBurn ${id}: value and escrow fee exceed 2^256 - 1`);
  const debited = debit(state, slot.address, token, total as Amount);
  if (debited === undefined) return waitingForFunds(state, slot.address, token, total as Amount);
  const account = accountOf(state, slot.address);
  const bridgeNonce = account.bridgeNonce ?? 0;
  const draft = draftOf(depositPool(countBurned(debited, token, value), token, escrowFee));
  draft.accounts = draft.accounts.set(slot.address, { ...account, bridgeNonce: bridgeNonce + 1 });
  const receipt = { id, success: true, fee: escrowFee, feeToken: token, error: undefined, slot: slotKey(slot) };
  return applied(draft, [{ ...receipt, bridgeNonce }]);
}
