/** /v1/tokens and /v1/accounts (specification 2.3, 5, 6; wire 1.1, R2 to R5; 1.2, W3 to W12). */
import type { FastifyInstance } from "fastify";
import { toAddress } from "../../../core/base/ids.ts";
import { err, ok } from "../../../core/base/result.ts";
import { accountOf, heldTokens } from "../../../core/ledger/state.ts";
import { faultOf } from "../../wire/errors.ts";
import { addressQuery, tokenAccountQuery, tokenAccountsQuery, tokenQuery } from "../../wire/schemas/queries.ts";
import {
  bbnonceAnswer,
  mintInfo as mintInfoSchema,
  nonceAnswer,
  tokenAccountList,
  tokenAccount as tokenAccountSchema,
} from "../../wire/schemas/tokens.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { serveRead } from "../route.ts";
import { serveWrites } from "../write.ts";

/** Serves the read of a token and all operations on one. */
export function serveTokens(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/tokens/token_metadata",
    summary: "A token",
    description: "Metadata, supply, roles and lists of a token, under the names of all client versions.",
    section: "specification 6.6; wire 1.1, R5",
    query: tokenQuery,
    reply: mintInfoSchema,
    refusals: { 404: "The token does not exist." },
    answer: ({ entry: { answers }, ledger, query }) => {
      const token = toAddress(query.token);
      const info = answers.mintInfo(ledger, token);
      return info === undefined ? err(faultOf({ code: "resource_token_not_found", token })) : ok(info);
    },
  });
  serveWrites(app, entry, "tokens");
}

/** R2, R3, R4 and R22. An unused account has zeros and is not an error. */
export function serveAccounts(app: FastifyInstance, entry: EntryValidator): void {
  serveWrites(app, entry, "accounts");
  serveRead(app, entry, {
    path: "/v1/accounts/nonce",
    summary: "The next nonce of an account",
    description:
      "The nonce that the account's next operation must carry; 0 for an account that was never used. " +
      "pending_nonce is the next one that no operation held by the validator has: what follows them carries it.",
    section: "specification 2.3; wire 1.1, R2",
    query: addressQuery,
    reply: nonceAnswer,
    answer: ({ entry: { answers, host, node }, ledger, query }) => {
      const account = toAddress(query.address);
      return ok(answers.nonce(accountOf(ledger, account).nonce, host.network.freeNonceAt(node, account)));
    },
  });
  serveRead(app, entry, {
    path: "/v1/accounts/bbnonce",
    summary: "The bridge nonce of an account",
    description: "The number of its burns to other chains.",
    section: "wire 1.1, R3",
    query: addressQuery,
    reply: bbnonceAnswer,
    answer: ({ ledger, query }) => ok({ bbnonce: accountOf(ledger, toAddress(query.address)).bridgeNonce ?? 0 }),
  });
  serveRead(app, entry, {
    path: "/v1/accounts/token_account",
    summary: "Balance and nonce",
    description: "An account's balance of a token, with its nonce. A pair that was never used has a balance of 0.",
    section: "specification 2.4; wire 1.1, R4",
    query: tokenAccountQuery,
    reply: tokenAccountSchema,
    answer: ({ entry: { answers }, ledger, query }) =>
      ok(answers.tokenAccount(ledger, toAddress(query.address), toAddress(query.token))),
  });
  const { tokenAccounts: most } = entry.limits;
  serveRead(app, entry, {
    path: "/v1/accounts/token_accounts",
    summary: "All balances of an account",
    description:
      `The holdings of an account that are not 0, in the order of the tokens' addresses, at most ${most}: ` +
      "after=<token of the last one> continues the list, until one is shorter.",
    section: "specification 2.4; wire 1.1, R22",
    query: tokenAccountsQuery,
    reply: tokenAccountList,
    answer: ({ entry: { answers }, ledger, query: { address, after = "" } }) => {
      const account = toAddress(address);
      const tokens = heldTokens(ledger, account).filter((token) => token > after.toLowerCase());
      const page = tokens.slice(0, most);
      return ok(page.map((token) => ({ ...answers.tokenAccount(ledger, account, token), token })));
    },
  });
}
