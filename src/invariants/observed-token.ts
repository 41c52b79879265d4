/** Policy of a token, as oracles read it from a node's state. */
import type { Amount } from "../core/base/amount.ts";
import type { Address, Version } from "../core/base/ids.ts";
import type { Role } from "../core/base/operation.ts";

/** Policy of a token as a node holds it. */
export interface ObservedToken {
  readonly version: Version;
  readonly symbol: string;
  readonly name: string;
  readonly uri: string;
  readonly additional: readonly (readonly [key: string, value: string])[];
  readonly decimals: number;
  readonly masterAuthority: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  readonly clawbackEnabled: boolean;
  readonly minted: Amount;
  readonly roles: readonly { readonly role: Role; readonly address: Address; readonly allowance: Amount | null }[];
  readonly blacklist: readonly Address[];
  readonly whitelist: readonly Address[];
  /** Transactions of source chains that were minted: chain, and hash of the lower-case text. */
  readonly bridged: readonly string[];
}
