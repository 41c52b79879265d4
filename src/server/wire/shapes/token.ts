/** Tokens and holdings in responses (wire 1.4). */
import { type Address, ZERO_ADDRESS } from "../../../core/base/ids.ts";
import type { Role } from "../../../core/base/operation.ts";
import { listsOf } from "../../../core/ledger/lists.ts";
import { accountOf, balanceOf, type LedgerState, owedFees, supplyOf, tokenOf } from "../../../core/ledger/state.ts";
import { holdersOf, type Token, tokenAccountAddress } from "../../../core/ledger/token.ts";
import type { MintInfo, TokenAccount, TokenMeta } from "../schemas/tokens.ts";

/** The metadata of a token under both sets of names; `undefined` before its issue takes effect (wire 1.4). */
export function mintInfo(ledger: LedgerState, address: Address): MintInfo | undefined {
  const token = tokenOf(ledger, address);
  if (token === undefined) return undefined;
  const { blacklist, whitelist } = listsOf(ledger, address);
  return {
    symbol: token.symbol,
    master_authority: token.masterAuthority,
    ...authorities(token),
    black_list: blacklist,
    white_list: whitelist,
    supply: String(supplyOf(ledger, address)),
    decimals: token.decimals,
    is_paused: token.isPaused,
    is_private: token.isPrivate,
    clawback_enabled: token.clawbackEnabled,
    meta: metaOf(token),
  };
}

/** Returns the metadata that an authority can change. */
export function metaOf({ name, uri, additional }: Pick<Token, "name" | "uri" | "additional">): TokenMeta {
  return { name, uri, additional_metadata: additional.map(([key, value]) => ({ key, value })) };
}

function authorities(token: Token) {
  const holders = (role: Role): readonly Address[] => holdersOf(token, role);
  const first = (role: Role): Address => holders(role)[0] ?? ZERO_ADDRESS;
  const minters = [...token.roles.MintBurnTokens.entries()];
  return {
    master_mint_burn_authority: first("MasterMintBurn"),
    mint_burn_authorities: minters.map(([minter, allowance]) => ({ minter, allowance: String(allowance ?? 0n) })),
    pause_authorities: holders("Pause"),
    list_authorities: holders("ManageList"),
    metadata_update_authorities: holders("UpdateMetadata"),
    bridge_mint_authorities: holders("Bridge"),
    clawback_authorities: holders("Clawback"),
    master_mint_authority: first("MasterMintBurn"),
    minter_authorities: minters.flatMap(([minter, allowance]) => (allowance === null ? [] : [minter])),
    burn_authorities: holders("MintBurnTokens"),
    pause_authority: first("Pause"),
    black_list_authorities: holders("ManageList"),
    metadata_update_authority: first("UpdateMetadata"),
  };
}

/** An account's holding of a token; of a pair that was never used, a balance of 0 (wire 1.4). */
export function tokenAccount(ledger: LedgerState, account: Address, token: Address): TokenAccount {
  const owed = owedFees(ledger, account, token);
  return {
    token_account_address: tokenAccountAddress(account, token),
    balance: String(balanceOf(ledger, account, token)),
    nonce: accountOf(ledger, account).nonce,
    ...(owed === 0n ? {} : { fee_owed: String(owed) }),
  };
}
