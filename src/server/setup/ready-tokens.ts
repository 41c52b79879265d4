/** Tokens of a setup with their addresses. */
import { type Address, toAddress } from "../../core/base/ids.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import { issuedTokenAddress } from "../../core/ledger/identity.ts";
import type { Setup } from "../../live/setup.ts";
import { isAddress } from "../../scenario/declared.ts";
import { keyOf } from "../../scenario/directory.ts";
import type { FeeRowSpec } from "../../scenario/scenario.ts";

/** A token of the genesis; fees are in its units. */
export interface GenesisTokenInfo {
  readonly symbol: string;
  readonly name: string;
  readonly address: Address;
  readonly decimals: number;
  readonly master: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  readonly fees: FeeRowSpec | undefined;
}

/** In the order of the genesis. */
export function readyTokens(setup: Setup): readonly GenesisTokenInfo[] {
  const { tokens = {}, fees } = setup.scenario.genesis ?? {};
  return Object.entries(tokens).map(([symbol, part]) => {
    const master = addressIn(setup, part.master);
    return {
      symbol,
      name: part.name ?? symbol,
      address: issuedTokenAddress(master, symbol),
      decimals: part.decimals,
      master,
      isPrivate: part.private ?? false,
      isPaused: part.state === "paused",
      fees: fees?.tokens?.[symbol] ?? fees,
    };
  });
}

/** Returns the address of a name in a setup, or the address itself. */
export function addressIn({ keys }: Setup, name: string): Address {
  if (isAddress(name)) return toAddress(name);
  const given = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return secp256k1.addressOf(given ?? keyOf("account", name));
}
