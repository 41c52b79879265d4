/** What an epoch fixes, and how governance changes it for the next one (specification 11.1, 11.2; protocol 6). Plain data. */
import type { Amount } from "./amount.ts";
import type { CheckpointPolicy } from "./checkpoint.ts";
import type { Address, Epoch, Signature } from "./ids.ts";

/** A fixed fee per operation kind, in the smallest unit of the token moved (specification 7.1; protocol 4.4). */
export interface FeeEntry {
  readonly payment: Amount;
  /** More than a payment's. */
  readonly cancellation: Amount;
  /** More than a payment's. */
  readonly recovery: Amount;
}

/** The schedule of one epoch. A token without an entry uses the default one. */
export interface FeeSchedule {
  readonly default: FeeEntry;
  readonly tokens: ReadonlyMap<Address, FeeEntry>;
}

/** A validator of one epoch: the address of its key, and the account that gets its share of the fees (protocol 4.4). */
export interface Member {
  readonly key: Address;
  readonly reward: Address;
}

/** What stays the same during an epoch. */
export interface EpochParameters {
  /** The committee, in order: `proposer` counts along it. */
  readonly validators: readonly Member[];
  readonly fees: FeeSchedule;
  /** `undefined`: no checkpoints are formed. */
  readonly checkpoints: CheckpointPolicy | undefined;
  /** After how many checkpoints an epoch is due to close; `undefined`: it closes by governance only. */
  readonly epochLength: number | undefined;
}

/** What the operator signs to have an epoch closed and the next one opened with other parameters. */
export interface GovernanceProposal {
  readonly chainId: number;
  /** The epoch that it closes: once that is over the proposal counts no more. */
  readonly epoch: Epoch;
  readonly next: EpochParameters;
}

/** A proposal with the operator's signature. */
export interface SignedProposal {
  readonly proposal: GovernanceProposal;
  readonly signature: Signature;
}
