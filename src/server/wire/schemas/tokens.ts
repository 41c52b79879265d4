/** Schemas of responses about tokens and accounts (wire 1.1, R2 to R5; 1.4, MintInfo; specification 2.4, 6.3, 6.6). */
import type { Static } from "typebox";
import { optional, type Shape } from "../../../schema/shape.ts";
import { address, amount, boolean, count, list, namedObject, object, words } from "./schema-types.ts";

export const tokenMeta = namedObject("Metadata", "the metadata that an authority can change", {
  name: words("the name", undefined, ["Euro"]),
  uri: words("the address of its page", undefined, ["https://example.org/eur"]),
  additional_metadata: list(
    "key and value pairs",
    object("a pair", { key: words("the key"), value: words("the value") }),
  ),
});

/** Metadata that an authority can change. */
export type TokenMeta = Static<typeof tokenMeta>;

const addresses = (description: string): Shape<readonly string[]> => list(description, address("an address"));
const minter = object("a holder of MintBurnTokens", {
  minter: address("the holder"),
  allowance: amount("the remaining allowance"),
});

export const mintInfo = namedObject("TokenMetadata", "the metadata of a token", {
  symbol: words("the symbol", undefined, ["EUR"]),
  master_authority: address("the master authority"),
  master_mint_burn_authority: address("the holder of MasterMintBurn, or the zero address"),
  mint_burn_authorities: list("the holders of MintBurnTokens", minter),
  pause_authorities: addresses("the holders of Pause"),
  list_authorities: addresses("the holders of ManageList"),
  metadata_update_authorities: addresses("the holders of UpdateMetadata"),
  bridge_mint_authorities: addresses("the holders of Bridge"),
  clawback_authorities: addresses("the holders of Clawback"),
  master_mint_authority: address("as master_mint_burn_authority"),
  minter_authorities: addresses("the holders of MintBurnTokens that were granted an allowance, used up or not"),
  burn_authorities: addresses("the holders of MintBurnTokens"),
  pause_authority: address("the first of pause_authorities, or the zero address"),
  black_list_authorities: addresses("as list_authorities"),
  metadata_update_authority: address("the first of metadata_update_authorities, or the zero address"),
  black_list: addresses("the blacklist, of a public token"),
  white_list: addresses("the whitelist, of a private token"),
  supply: amount("the total supply"),
  decimals: count("the decimals"),
  is_paused: boolean("whether transfers, mints and burns are refused"),
  is_private: boolean("whether only whitelisted addresses may hold it"),
  clawback_enabled: boolean("whether its authorities may claw it back"),
  meta: tokenMeta,
});

/** R5. A single authority that is not set is the zero address. */
export type MintInfo = Static<typeof mintInfo>;

export const nonceAnswer = namedObject("Nonce", "a nonce", {
  nonce: count("the nonce that the account's next operation must carry"),
  pending_nonce: count("the next nonce that no pending operation of the account has"),
});

/** Nonces of an account; published clients read the first alone. */
export type NonceAnswer = Readonly<{ nonce: number; pending_nonce?: number }>;

export const bbnonceAnswer = namedObject("BridgeNonce", "a bridge nonce", {
  bbnonce: count("the number of burns to other chains"),
});

const tokenAccountMembers = {
  token_account_address: address("what names the holding"),
  balance: amount("the balance"),
  nonce: count("the account's nonce"),
  fee_owed: optional(amount("the fees of cancellations and recoveries that its next credits pay")),
};

export const tokenAccount = namedObject("TokenAccount", "an account's holding of a token", tokenAccountMembers);

/** R4. */
export type TokenAccount = Static<typeof tokenAccount>;

export const tokenAccountList = list(
  "an account's holdings, in the order of the tokens' addresses",
  namedObject("ListedTokenAccount", "a holding, with its token", {
    ...tokenAccountMembers,
    token: address("the token"),
  }),
);
