/** Parameters of an epoch, and their change by governance (specification 11.1, 11.2; protocol 6). Plain data. */
import type { Amount } from "./amount.ts";
import type { CheckpointPolicy } from "./checkpoint.ts";
import type { Address, Epoch, Signature } from "./ids.ts";

/** Fixed fee per operation kind, in the smallest unit of the token moved (specification 7.1; protocol 4.4). */
export interface FeeEntry {
  readonly payment: Amount;
  /** Higher than a payment's. */
  readonly cancellation: Amount;
  /** Higher than a payment's. */
  readonly recovery: Amount;
}

/** Fees of one epoch. A token without an entry uses the default one. */
export interface FeeSchedule {
  readonly default: FeeEntry;
  readonly tokens: ReadonlyMap<Address, FeeEntry>;
}

/** Validator of one epoch: the address of its key, and the account that gets its share of the fees (protocol 4.4). */
export interface Member {
  readonly key: Address;
  readonly reward: Address;
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
export interface SignedProposal {
  readonly proposal: GovernanceProposal;
  readonly signature: Signature;
}
