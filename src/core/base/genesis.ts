/** Initial facts that every validator knows before the first operation. Plain data. */
import type { Amount } from "./amount.ts";
import type { EpochParameters } from "./epoch.ts";
import type { Address } from "./ids.ts";
import type { Role } from "./operation.ts";

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

/** The parameters are those of epoch 0. */
export interface Genesis extends EpochParameters {
  readonly chainId: number;
  /** Account that may issue tokens, and that signs governance proposals. */
  readonly operator: Address;
  /** L: largest number of operations in one token slot (protocol 3). */
  readonly listLimit: number;
  /** True if issued tokens are open at once; otherwise they start paused (specification 6.5). */
  readonly openTokens: boolean;
  readonly tokens: readonly GenesisToken[];
  readonly balances: readonly GenesisBalance[];
}
