/** /v1/accounts (specification 2.3; wire 1.1, R2 to R4). */
import type { FastifyInstance } from "fastify";
import { ok } from "../../../core/base/result.ts";
import { accountOf } from "../../../core/ledger/state.ts";
import { bbnonceAnswer, nonceAnswer, tokenAccount as tokenAccountSchema } from "../../wire/schemas/accounts.ts";
import { addressQuery, tokenAccountQuery } from "../../wire/schemas/queries.ts";
import { tokenAccount } from "../../wire/shapes/token-account.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { queryAddress } from "../query.ts";
import { serveRead } from "../route.ts";

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
