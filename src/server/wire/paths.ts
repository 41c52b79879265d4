/** Paths of the writes, with their entries in the OpenAPI document, and the modes that serve them (wire 1.2, 1.3). */
import { requireDefined } from "../../core/base/assert.ts";
import type { List, Operation, OperationKind } from "../../core/base/operation.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";

/** Submission of a kind at a POST path. */
export interface WriteForm {
  readonly kind: OperationKind;
  /** Noun phrase that describes a body. */
  readonly body: string;
  /** A few words. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** Sections of `specification` or `wire`. */
  readonly section: string;
  /** List that is changed; without one, the action names it. */
  readonly list?: List["list"];
  /** Accepted texts of the member `action`; default: those of the field. */
  readonly actions?: readonly string[];
}

/** Form of version 1, and what differs in version 2. */
interface WriteForms extends WriteForm {
  readonly v2?: Partial<WriteForm>;
  readonly isOnlyV1?: true;
}

/** Paths of older clients, which change either list. */
const OLDER_LIST_PATH: Omit<WriteForms, "summary" | "section"> = {
  kind: "list",
  body: "a change of a list",
  isOnlyV1: true,
  description:
    "Blacklist adds to the blacklist; Whitelist to the whitelist, of a public token it removes from the blacklist.",
  actions: ["Blacklist", "Whitelist"],
};

/** Body forms by path behind the version; the newest form of each kind comes first. */
const WRITE_FORMS: Readonly<Record<string, WriteForms>> = {
  "transactions/payment": {
    kind: "payment",
    body: "a payment",
    summary: "Pay",
    description: "Moves a token. The fee is paid in the same token.",
    section: "specification 5.2; wire 1.2, W1",
  },
  "transactions/cancellation": {
    kind: "cancellation",
    body: "a cancellation",
    summary: "Cancel",
    description: "Replaces the pending operation of the same nonce if that has no quorum.",
    section: "specification 5.3; wire 1.2, W2",
  },
  "tokens/issue": {
    kind: "issue",
    body: "the issue of a token",
    summary: "Issue a token",
    description: "Signed by the operator of the network. The response contains the address of the new token.",
    section: "specification 5.5; wire 1.2, W3",
    v2: {
      description:
        "Signed by the operator of the network. Without clawback_enabled it is signed as true. The response contains the address of the new token.",
    },
  },
  "tokens/mint": {
    kind: "mint",
    body: "a mint",
    summary: "Mint",
    description: "Creates units for a recipient. Signed by the master authority, or within an allowance.",
    section: "specification 5.6; wire 1.2, W4",
  },
  "tokens/burn": {
    kind: "burn",
    body: "a burn",
    summary: "Burn",
    description: "Destroys units, of the signer or of the recipient named. Signed by a mint and burn authority.",
    section: "specification 5.7; wire 1.2, W5",
    v2: { description: "Destroys units of the signer, a mint and burn authority." },
  },
  "tokens/update_metadata": {
    kind: "metadata",
    body: "an update of metadata",
    summary: "Update metadata",
    description: "Sets name, uri and pairs of key and value. Signed by a metadata update authority.",
    section: "specification 5.11; wire 1.2, W12",
  },
  "tokens/manage_blacklist": {
    kind: "list",
    body: "a change of a list",
    summary: "Change the blacklist",
    description: "Of a public token: a listed address neither sends nor receives.",
    section: "specification 5.9; wire 1.2, W8",
    list: "blacklist",
    actions: ["Add", "Remove", "Blacklist"],
    v2: { actions: ["Add", "Remove"] },
  },
  "tokens/manage_whitelist": {
    kind: "list",
    body: "a change of a list",
    summary: "Change the whitelist",
    description: "Of a private token: only listed addresses send and receive.",
    section: "specification 5.9; wire 1.2, W9",
    list: "whitelist",
    actions: ["Add", "Remove", "Whitelist"],
    v2: { actions: ["Add", "Remove"] },
  },
  "tokens/managelist": { ...OLDER_LIST_PATH, summary: "Change a list, older path", section: "wire 1.2, W10" },
  "tokens/blacklist": { ...OLDER_LIST_PATH, summary: "Change a list, oldest path", section: "wire 1.2, W11" },
  "tokens/grant_authority": {
    kind: "authority",
    body: "a grant or a revocation",
    summary: "Grant or revoke a role",
    description: "Signed by the master authority; minting rights also by the master mint and burn authority.",
    section: "specification 5.8; wire 1.2, W6",
  },
  "tokens/pause": {
    kind: "pause",
    body: "a pause or its end",
    summary: "Pause or unpause",
    description: "A paused token cannot be transferred, minted or burned.",
    section: "specification 5.10; wire 1.2, W7",
  },
  "tokens/clawback": {
    kind: "clawback",
    body: "a clawback",
    summary: "Claw back",
    description:
      "Moves units of any account, a blacklisted one too, to a recipient. Signed by the master or a clawback authority of a token with clawback enabled.",
    section: "specification 5.14; wire 1.2, W15",
  },
  "tokens/bridge_and_mint": {
    kind: "bridgeMint",
    body: "a bridge and mint",
    summary: "Bridge and mint",
    description:
      "Creates units for a transaction of another chain, once per token. Signed by the master or a bridge authority.",
    section: "specification 5.15; wire 1.2, W13",
  },
  "tokens/burn_and_bridge": {
    kind: "bridgeBurn",
    body: "a burn and bridge",
    summary: "Burn and bridge",
    description: "Destroys units of the signer for another chain, and pays an escrow fee to the token's fee pool.",
    section: "specification 5.16; wire 1.2, W14",
  },
  "transactions/batch_payment": {
    kind: "batch",
    body: "a batch payment",
    summary: "Pay several",
    description:
      "Moves a token to several recipients, all or none. One payment's fee is paid in the same token. A batch that the token's list stops is refused as `business_transaction_failed`.",
    section: "specification 5.17; wire 1.3",
  },
  "accounts/multisig": {
    kind: "multisig",
    body: "a creation of a multisig account",
    summary: "Create a multisig account",
    description: "Makes the account of these signers known. Its address follows from them.",
    section: "specification 5.18; wire 1.3",
  },
};

/** Returns the paths of a kind in a version, each with its form; none if the version has no such kind. */
export function writePathsOf(kind: OperationKind, version: WriteVersion): readonly (readonly [string, WriteForm])[] {
  const paths = Object.entries(WRITE_FORMS).filter(([, form]) => form.kind === kind);
  if (version === 1)
    return KINDS[kind].version1 !== undefined ? [] : paths.map(([path, form]) => [`/v1/${path}`, v1(form)]);
  return paths.filter(([, { isOnlyV1 }]) => isOnlyV1 !== true).map(([path, form]) => [`/v2/${path}`, v2(form)]);
}

function v1({ v2: _v2, isOnlyV1: _isOnlyV1, ...form }: WriteForms): WriteForm {
  return form;
}

function v2(form: WriteForms): WriteForm {
  return { ...v1(form), section: form.section.replace(/wire 1\.2, W\d+/, "wire 1.3"), ...form.v2 };
}

/** Path of envelopes of version 1 (wire 1.2, W16). */
export const ENVELOPE_PATH = "/v1/transactions/raw";

/** Form of what each envelope holds, by its name; here by the path behind the version. */
export const ENVELOPES: Readonly<Record<string, WriteForm>> = Object.fromEntries(
  Object.entries({
    Payment: "transactions/payment",
    TokenIssue: "tokens/issue",
    TokenMint: "tokens/mint",
    TokenAuthority: "tokens/grant_authority",
    TokenBlacklist: "tokens/manage_blacklist",
    TokenWhitelist: "tokens/manage_whitelist",
    TokenPause: "tokens/pause",
    TokenBurn: "tokens/burn",
    TokenClawback: "tokens/clawback",
    TokenMetadata: "tokens/update_metadata",
    TokenBridgeAndMint: "tokens/bridge_and_mint",
    TokenBurnAndBridge: "tokens/burn_and_bridge",
    CreateMultiSig: "accounts/multisig",
  }).map(([name, path]) => [name, v1(requireDefined(WRITE_FORMS[path], path))]),
);

/** Returns the name of the envelope of an operation, `undefined` for a kind that has none. */
export function envelopeNameOf(operation: Operation): string | undefined {
  const [name] =
    Object.entries(ENVELOPES).find(
      ([, { kind, list }]) => kind === operation.kind && (list === undefined || list === (operation as List).list),
    ) ?? [];
  return name;
}

/** Words of `--write-mode`. */
export const WRITE_MODES = ["v1-only", "dual", "v2-only"] as const;

export type WriteMode = (typeof WRITE_MODES)[number];

export const WRITE_MODE_DEFAULT: WriteMode = "dual";

/** Version of a write by its path. */
export type WriteVersion = 1 | 2;

/** Returns true if a mode serves writes of a version. */
export function servesVersion(mode: WriteMode, version: WriteVersion): boolean {
  return mode === "dual" || mode === `v${version}-only`;
}
