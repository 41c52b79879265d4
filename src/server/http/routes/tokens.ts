/** /v1/tokens and /v1/accounts (specification 2.3, 5, 6; wire 1.1, R2 to R5; 1.2, W3 to W12). */
import type { FastifyInstance } from "fastify";
import { err, ok } from "../../../core/base/result.ts";
import { accountOf } from "../../../core/ledger/state.ts";
import { faultOf } from "../../wire/errors.ts";
import { addressQuery, tokenAccountQuery, tokenQuery } from "../../wire/schemas/queries.ts";
import {
  bbnonceAnswer,
  mintInfo as mintInfoSchema,
  nonceAnswer,
  tokenAccount as tokenAccountSchema,
} from "../../wire/schemas/tokens.ts";
import { mintInfo, tokenAccount } from "../../wire/shapes/token.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { queryAddress, serveRead } from "../route.ts";
import { serveWrite, type WriteRoute } from "../write.ts";

/** Serves the read of a token and all operations on one. */
export function serveTokens(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/tokens/token_metadata",
    tag: "tokens",
    summary: "A token",
    description: "Metadata, supply, roles and lists of a token, under the names of all client versions.",
    section: "specification 6.6; wire 1.1, R5",
    query: tokenQuery,
    reply: mintInfoSchema,
    refusals: { 404: "The token does not exist." },
    answer: ({ ledger, query }) => {
      const token = queryAddress("token", query.token);
      if (!token.ok) return token;
      const info = mintInfo(ledger, token.value);
      return info === undefined ? err(faultOf({ code: "resource_token_not_found", token: token.value })) : ok(info);
    },
  });
  for (const write of WRITES_OF_TOKENS) serveWrite(app, entry, { ...write, tag: "tokens" });
}

const WRITES_OF_TOKENS: readonly Omit<WriteRoute, "tag">[] = [
  {
    path: "/v1/tokens/issue",
    summary: "Issue a token",
    description: "Signed by the operator of the network. The response contains the address of the new token.",
    section: "specification 5.5; wire 1.2, W3",
  },
  {
    path: "/v1/tokens/mint",
    summary: "Mint",
    description: "Creates units for a recipient. Signed by the master authority, or within an allowance.",
    section: "specification 5.6; wire 1.2, W4",
  },
  {
    path: "/v1/tokens/burn",
    summary: "Burn",
    description: "Destroys units, of the signer or of the recipient named. Signed by a mint and burn authority.",
    section: "specification 5.7; wire 1.2, W5",
  },
  {
    path: "/v1/tokens/grant_authority",
    summary: "Grant or revoke a role",
    description: "Signed by the master authority; minting rights also by the master mint and burn authority.",
    section: "specification 5.8; wire 1.2, W6",
  },
  {
    path: "/v1/tokens/pause",
    summary: "Pause or unpause",
    description: "A paused token cannot be transferred, minted or burned.",
    section: "specification 5.10; wire 1.2, W7",
  },
  {
    path: "/v1/tokens/manage_blacklist",
    summary: "Change the blacklist",
    description: "Of a public token: a listed address neither sends nor receives.",
    section: "specification 5.9; wire 1.2, W8",
  },
  {
    path: "/v1/tokens/manage_whitelist",
    summary: "Change the whitelist",
    description: "Of a private token: only listed addresses send and receive.",
    section: "specification 5.9; wire 1.2, W9",
  },
  {
    path: "/v1/tokens/managelist",
    summary: "Add to a list, older path",
    description: "The action names the list: Blacklist or Whitelist.",
    section: "wire 1.2, W10",
  },
  {
    path: "/v1/tokens/blacklist",
    summary: "Add to a list, oldest path",
    description: "The action names the list: Blacklist or Whitelist.",
    section: "wire 1.2, W11",
  },
  {
    path: "/v1/tokens/update_metadata",
    summary: "Update metadata",
    description: "Sets name, uri and pairs of key and value. Signed by a metadata update authority.",
    section: "specification 5.11; wire 1.2, W12",
  },
];

/** R2, R3 and R4. An unused account has zeros and is not an error. */
export function serveAccounts(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/accounts/nonce",
    tag: "accounts",
    summary: "The next nonce of an account",
    description: "The nonce that the account's next operation must carry; 0 for an account that was never used.",
    section: "specification 2.3; wire 1.1, R2",
    query: addressQuery,
    reply: nonceAnswer,
    answer: ({ ledger, query }) => {
      const account = queryAddress("address", query.address);
      return account.ok ? ok({ nonce: accountOf(ledger, account.value).nonce }) : account;
    },
  });
  serveRead(app, entry, {
    path: "/v1/accounts/bbnonce",
    tag: "accounts",
    summary: "The bridge nonce of an account",
    description: "Always 0: this network has no bridge.",
    section: "wire 1.1, R3",
    query: addressQuery,
    reply: bbnonceAnswer,
    answer: ({ query }) => {
      const account = queryAddress("address", query.address);
      return account.ok ? ok({ bbnonce: 0 }) : account;
    },
  });
  serveRead(app, entry, {
    path: "/v1/accounts/token_account",
    tag: "accounts",
    summary: "Balance and nonce",
    description: "An account's balance of a token, with its nonce. A pair that was never used has a balance of 0.",
    section: "specification 2.4; wire 1.1, R4",
    query: tokenAccountQuery,
    reply: tokenAccountSchema,
    answer: ({ ledger, query }) => {
      const account = queryAddress("address", query.address);
      if (!account.ok) return account;
      const token = queryAddress("token", query.token);
      return token.ok ? ok(tokenAccount(ledger, account.value, token.value)) : token;
    },
  });
}
