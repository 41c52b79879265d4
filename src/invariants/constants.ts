/** The genesis, and the addresses and hashes that oracles compute themselves, for the reference ledger. */
import type { Genesis } from "../core/base/epoch.ts";
import { legsHash } from "./legs-hash.ts";
import { multisigAddress } from "./multisig-address.ts";
import type { Constants } from "./reference/state.ts";
import { tokenAddress } from "./token-address.ts";

/** Returns the constants of a run with this genesis. */
export function constantsOf(genesis: Genesis): Constants {
  return { genesis, addressOf: tokenAddress, legsHashOf: legsHash, multisigAddressOf: multisigAddress };
}
