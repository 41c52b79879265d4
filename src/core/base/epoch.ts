/**
 * Genesis: the facts that every validator knows before the first operation; parameters of an epoch, and their change by
 * governance (specification 11.1, 11.2; protocol 6). Plain data.
 */
import type { Amount } from "./amount.ts";
import type { Address, Epoch, Signature } from "./ids.ts";
import type { Role, SignerSet } from "./operation.ts";
import type { Policies } from "./policies.ts";

/** Fixed fee per operation kind, in the smallest unit of the token moved (specification 7.1; protocol 4.4). */
export interface FeeEntry {
  readonly payment: Amount;
  /** Higher than a payment's. */
  readonly cancellation: Amount;
  /** Higher than a payment's. */
  readonly recovery: Amount;
}

/** Fees of one epoch. A token without an entry uses the default one. */
export type FeeSchedule = Readonly<{ default: FeeEntry; tokens: ReadonlyMap<Address, FeeEntry> }>;

/** Validator of one epoch: the address of its key, and the account that gets its share of the fees (protocol 4.4). */
export type Member = Readonly<{ key: Address; reward: Address }>;

/** Conditions under which checkpoints are formed. Part of the state that all validators agree on. */
export interface CheckpointPolicy {
  /** A non-empty checkpoint is due this long after the last one, in virtual milliseconds. */
  readonly intervalMs: number;
  /** A checkpoint is due as soon as this number of decided slots are unlisted. */
  readonly slots: number;
  /** M: largest number of slots in one checkpoint. */
  readonly limit: number;
  /** Least difference of two timestamps, in seconds. */
  readonly periodSeconds: number;
  /** True if an empty checkpoint is due after the interval, too. */
  readonly empty: boolean;
}

/** Parameters that stay the same during an epoch. */
export interface EpochParameters {
  /** Committee, in the order along which proposers rotate. */
  readonly validators: readonly Member[];
  readonly fees: FeeSchedule;
  /** `undefined`: no checkpoints are formed. */
  readonly checkpoints: CheckpointPolicy | undefined;
  /** Number of checkpoints after which an epoch is due to close; `undefined`: only governance closes it. */
  readonly epochLength: number | undefined;
}

/** Request of the operator to close the epoch and begin the next one with other parameters. */
export interface GovernanceProposal {
  readonly chainId: number;
  /** Epoch that it closes: afterwards the proposal is invalid. */
  readonly epoch: Epoch;
  readonly next: EpochParameters;
}

/** Proposal with the operator's signature. */
export type SignedProposal = Readonly<{ proposal: GovernanceProposal; signature: Signature }>;

export interface GenesisToken {
  readonly token: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly masterAuthority: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  readonly clawbackEnabled: boolean;
  readonly roles: readonly { readonly role: Role; readonly address: Address; readonly allowance: Amount }[];
  readonly blacklist: readonly Address[];
  readonly whitelist: readonly Address[];
}

export type GenesisBalance = Readonly<{ address: Address; token: Address; amount: Amount }>;

/** So many accounts by number, each with the same balances (`fillers.ts`). */
export type Fillers = Readonly<{ count: number; balances: readonly Omit<GenesisBalance, "address">[] }>;

/** The parameters are those of epoch 0. */
export interface Genesis extends EpochParameters {
  readonly chainId: number;
  /** Account that may issue tokens, and that signs governance proposals. */
  readonly operator: Address;
  /** L: largest number of operations in one token slot (protocol 3). */
  readonly listLimit: number;
  readonly policies: Policies;
  readonly tokens: readonly GenesisToken[];
  readonly balances: readonly GenesisBalance[];
  readonly fillers?: Fillers | undefined;
  /** Multisig accounts that are created already. */
  readonly multisigs?: readonly SignerSet[];
}
