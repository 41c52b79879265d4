/** Responses about accounts (wire 1.1, R2 to R4; specification 2.4). */
import type { Shape } from "../../../scenario/schema/shape.ts";
import { address, amount, count, object } from "./schema-types.ts";

/** R2: the nonce that the next operation must carry. */
export interface NonceAnswer {
  readonly nonce: number;
}

/** R3: no bridge is served, so it stays 0. */
export interface BbnonceAnswer {
  readonly bbnonce: number;
}

/** R4. */
export interface TokenAccount {
  readonly token_account_address: string;
  readonly balance: string;
  readonly nonce: number;
}

export const nonceAnswer: Shape<NonceAnswer> = object<NonceAnswer>("a nonce", {
  nonce: count("the nonce that the account's next operation must carry"),
});

export const bbnonceAnswer: Shape<BbnonceAnswer> = object<BbnonceAnswer>("a bridge nonce", {
  bbnonce: count("the bridge nonce, 0 since there is no bridge"),
});

export const tokenAccount: Shape<TokenAccount> = object<TokenAccount>("an account's holding of a token", {
  token_account_address: address("what names the holding"),
  balance: amount("the balance"),
  nonce: count("the account's nonce"),
});
