/**
 * Operations that clients sign (specification 5; wire 2.2, 3.2, 3.9). Plain data, no behaviour. The rolling hash of a run
 * absorbs operations member by member in the order in which they were set (`simulator/digest.ts`): code that builds one
 * sets its members in a fixed order, whatever the order in a file or a body.
 */
import type { Amount } from "./amount.ts";
import type { AccountSignature, Address, Hash, Nonce, PublicKey } from "./ids.ts";

/**
 * Forms in which fields are signed. Part of the operation and of its id (protocol 3.0). `client` is version 1, `v2` signs
 * a domain and the kind as well (wire 3.4); `layouts/older-layouts.ts` says how the others differ from `client`.
 */
export type Layout = (typeof LAYOUTS)[number];
/** Layouts in the order in which a body is read in them. */
export const LAYOUTS = ["client", "client-json", "client-0x", "client-flat", "client-raw", "spec", "v2"] as const;

/** Roles of a token (specification 6.2). The master authority acts in every role without a grant. */
export type Role =
  | "MasterMintBurn"
  | "MintBurnTokens"
  | "Pause"
  | "ManageList"
  | "UpdateMetadata"
  | "Clawback"
  | "Bridge";

export const ROLES: readonly Role[] = [
  "MasterMintBurn",
  "MintBurnTokens",
  "Pause",
  "ManageList",
  "UpdateMetadata",
  "Clawback",
  "Bridge",
];

/** Free text that is signed with an operation (specification 2.5): optional in `client`, always there in `v2`. */
export type Memo = Readonly<{ type: string; format: string; data: string }>;

/**
 * Epoch and checkpoint that clients of 2025-07 to 2025-11 knew last and sign before everything else; not in
 * `client-raw`, `spec` and `v2` (wire 3.3, E2 and E3). No rule reads them.
 */
export type RecentPosition = Readonly<{ recentEpoch?: number; recentCheckpoint?: number }>;

/**
 * `account`: the multisig account that signs, in `client` and `v2` only, which sign its address as well; absent for a
 * single key (specification 5.18; wire 3.3, 3.4).
 */
type Common = Readonly<{ layout: Layout; chainId: number; nonce: Nonce; account?: Address; memo?: Memo }> &
  RecentPosition;

export interface Payment extends Common {
  readonly kind: "payment";
  readonly token: Address;
  readonly recipient: Address;
  readonly value: Amount;
}

export interface Cancellation extends Common {
  readonly kind: "cancellation";
}

export interface Issue extends Common {
  readonly kind: "issue";
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly masterAuthority: Address;
  /** Always signed in `client` and `v2`; in `spec` only if the body has it, and absent means public. */
  readonly isPrivate?: boolean;
  /** Signed in `client` if the body has it, always in `v2`, and not in `spec`; absent means true. */
  readonly clawbackEnabled?: boolean;
}

export interface Mint extends Common {
  readonly kind: "mint";
  readonly token: Address;
  readonly recipient: Address;
  readonly value: Amount;
}

export interface Burn extends Common {
  readonly kind: "burn";
  readonly token: Address;
  readonly value: Amount;
  /** Account burned from: absent, or the signer's own, its own balance; any other is forced. Not in `v2`. */
  readonly recipient?: Address;
}

export interface Metadata extends Common {
  readonly kind: "metadata";
  readonly token: Address;
  readonly name: string;
  readonly uri: string;
  readonly additional: readonly (readonly [key: string, value: string])[];
}

export interface List extends Common {
  readonly kind: "list";
  /** List to change: fixed by the path, or by an action text that names one. */
  readonly list: "blacklist" | "whitelist";
  readonly token: Address;
  readonly address: Address;
  /** As received, since it is signed: Add, Remove, or Blacklist / Whitelist on the older path (wire 2.2). */
  readonly action: string;
}

export interface Authority extends Common {
  readonly kind: "authority";
  readonly token: Address;
  readonly authorityAddress: Address;
  /** As received: Grant or Revoke. */
  readonly action: string;
  /** As received: one of the role spellings of specification 6.3. */
  readonly authorityType: string;
  /** Allowance. Absent is the integer item 0 in `spec`; a `client` body of TS 2.0-2.1 leaves it out; `v2` has it. */
  readonly value?: Amount;
}

export interface Pause extends Common {
  readonly kind: "pause";
  readonly token: Address;
  /** As received: Pause or Unpause. */
  readonly action: string;
}

/** Moves units of another account to a recipient. In every layout the same fields in the same order. */
export interface Clawback extends Common {
  readonly kind: "clawback";
  readonly token: Address;
  readonly from: Address;
  readonly recipient: Address;
  readonly value: Amount;
}

/** Creates units for what was locked or burned on another chain. */
export interface BridgeMint extends Common {
  readonly kind: "bridgeMint";
  readonly recipient: Address;
  readonly value: Amount;
  readonly token: Address;
  readonly sourceChainId: number;
  /** Text; two spellings that differ in case only name one transaction. In `client-raw` 32 bytes as 0x and hex digits. */
  readonly sourceTxHash: string;
  /** Always there but in `client-flat`, which signs whether it is, and in `client-raw`, which has none. */
  readonly bridgeMetadata?: string;
}

/** Destroys units of its signer for another chain. */
export interface BridgeBurn extends Common {
  readonly kind: "bridgeBurn";
  /** The signer. */
  readonly sender: Address;
  readonly value: Amount;
  readonly token: Address;
  readonly destinationChainId: number;
  /** Text; in `client-raw` 20 bytes as 0x and hex digits. */
  readonly destinationAddress: string;
  readonly escrowFee: Amount;
  /** As in a bridge and mint. */
  readonly bridgeMetadata?: string;
  /** 0x and an even number of hex digits; signed as bytes. There where the other text is. */
  readonly bridgeParam?: string;
}

/** One payment of a batch. */
export type Leg = Readonly<{ recipient: Address; amount: Amount }>;

/** Payments of one token to one or more recipients, all or none of them. In `v2` only. */
export interface BatchPayment extends Common {
  readonly kind: "batch";
  readonly token: Address;
  /** Payments in the order in which they are signed; recipients may repeat. */
  readonly legs: readonly Leg[];
  /** Time of the client in seconds, which no rule reads. It is a bigint because it may be up to 2^64 - 1. */
  readonly createdAt: bigint;
  /** Hash of the legs as 0x and hex digits, if the client signs it; signed as bytes. */
  readonly operationsHash?: string;
  /** An empty text is there, and signed. */
  readonly batchId?: string;
}

/** Member of a signer set. */
export type WeightedKey = Readonly<{ key: PublicKey; weight: number }>;

/** Keys of a multisig account, ascending, and the weight that its operations need. */
export type SignerSet = Readonly<{ signers: readonly WeightedKey[]; threshold: number }>;

/** Makes the account of a signer set known to the ledger. In `client` and `v2` only, by a single key. */
export interface CreateMultisig extends Common {
  readonly kind: "multisig";
  /** Signers in the order in which they are signed; the set does not depend on it. */
  readonly signers: readonly WeightedKey[];
  readonly threshold: number;
}

export type Operation =
  | Payment
  | Cancellation
  | Issue
  | Mint
  | Burn
  | Metadata
  | List
  | Authority
  | Pause
  | Clawback
  | BridgeMint
  | BridgeBurn
  | BatchPayment
  | CreateMultisig;
export type OperationKind = Operation["kind"];

/** Operations by which a holder without a role spends units of its own. */
export type SpendingOperation = Payment | BridgeBurn | BatchPayment;

/** Returns true for an operation by which a holder without a role spends units of its own. */
export function isSpending(operation: Operation): operation is SpendingOperation {
  return operation.kind === "payment" || operation.kind === "bridgeBurn" || operation.kind === "batch";
}

/** Operation with the address of its signature or signatures; voters check exactly this reading (protocol 3.0). */
export type SignedOperation = Readonly<{ operation: Operation; sender: Address; signature: AccountSignature }>;

/** Unsigned: two operations of one account, chain and nonce with two digests, no cancellations (protocol 3.0). */
export type EquivocationProof = Readonly<{ first: SignedOperation; second: SignedOperation }>;

/** Frees an account that its owner's conflicting operations blocked (specification 5.4; wire 3.9). */
export interface Recovery {
  readonly kind: "recovery";
  readonly chainId: number;
  readonly account: Address;
  readonly nonce: Nonce;
  readonly evidence: EquivocationProof;
}

/** Request of a client to a validator. */
export type Submission = SignedOperation | Recovery;

/** Returns true if a submission is a recovery. */
export function isRecovery(submission: Submission): submission is Recovery {
  return "evidence" in submission;
}

/** Returns true if a submission uses up its nonce by a skip: a cancellation or a recovery. */
export function isSkip(
  submission: Submission,
): submission is Recovery | (SignedOperation & { readonly operation: Cancellation }) {
  return isRecovery(submission) || isCancellation(submission);
}

export function isCancellation(
  submission: Submission,
): submission is SignedOperation & { readonly operation: Cancellation } {
  return !isRecovery(submission) && submission.operation.kind === "cancellation";
}

/** Id of an operation: no signature in it (protocol 3.0). */
export type OperationId = Hash;
