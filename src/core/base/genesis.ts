/** What every validator knows before the first operation. Plain data. */
import type { Amount } from "./amount.ts";
import type { CheckpointPolicy } from "./checkpoint.ts";
import type { Address } from "./ids.ts";
import type { Role } from "./operation.ts";

/** A fixed fee per operation kind, in the smallest unit of the token moved (specification, 6; design 4.4). */
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

export interface GenesisToken {
  readonly token: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly masterAuthority: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  readonly roles: readonly { readonly role: Role; readonly address: Address; readonly allowance: Amount }[];
  readonly blacklist: readonly Address[];
  readonly whitelist: readonly Address[];
}

export interface GenesisBalance {
  readonly address: Address;
  readonly token: Address;
  readonly amount: Amount;
}

export interface Genesis {
  readonly chainId: number;
  /** The account that may issue tokens. */
  readonly operator: Address;
  /** The committee of epoch 0, in order: `proposer` counts along it. */
  readonly validators: readonly Address[];
  readonly fees: FeeSchedule;
  /** L: how many operations one token slot takes at most (design 3). */
  readonly listLimit: number;
  /** `undefined`: no checkpoints are formed. */
  readonly checkpoints: CheckpointPolicy | undefined;
  readonly tokens: readonly GenesisToken[];
  readonly balances: readonly GenesisBalance[];
}
