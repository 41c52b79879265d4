/** Schemas of the queries of reads (wire 1.1). All values are texts; ../values.ts checks the checksums of addresses. */
import { optional, type Shape } from "../../../scenario/schema/shape.ts";
import { address, hash, object, oneOf, withCode } from "./schema-types.ts";

export interface FullQuery {
  readonly full: "true" | "false";
}

/** R13: clients differ in what they send beside `from` and `value`. */
export interface EstimateQuery {
  readonly from: string;
  readonly value: string;
  readonly to?: string;
  readonly token?: string;
}

const digits = (description: string): Shape<string> =>
  withCode(
    `${description}: decimal digits without sign or leading zero`,
    {
      type: "string",
      pattern: "^(0|[1-9][0-9]{0,15})$",
      examples: ["1"],
    },
    "validation_query",
  );

const full = oneOf("whether to return entries in place of hashes", ["true", "false"] as const, "validation_query");

export const addressQuery: Shape<{ readonly address: string }> = object("a query", { address: address("the account") });

export const tokenAccountQuery: Shape<{ readonly address: string; readonly token: string }> = object("a query", {
  address: address("the account"),
  token: address("the token"),
});

export const tokenQuery: Shape<{ readonly token: string }> = object("a query", { token: address("the token") });

export const hashQuery: Shape<{ readonly hash: string }> = object("a query", { hash: hash("the hash") });

export const numberQuery: Shape<{ readonly number: string }> = object("a query", { number: digits("the number") });

export const idQuery: Shape<{ readonly id: string }> = object("a query", { id: digits("the number of the epoch") });

export const checkpointByNumberQuery: Shape<{ readonly number: string } & FullQuery> = object("a query", {
  number: digits("the number"),
  full,
});

export const checkpointByHashQuery: Shape<{ readonly hash: string } & FullQuery> = object("a query", {
  hash: hash("the hash"),
  full,
});

export const estimateQuery: Shape<EstimateQuery> = object<EstimateQuery>("a query", {
  from: address("the sender"),
  value: withCode(
    "the amount: 1 to 78 decimal digits without sign or leading zero",
    { type: "string", pattern: "^(0|[1-9][0-9]{0,77})$", examples: ["1000000"] },
    "validation_amount",
  ),
  to: optional(address("the recipient")),
  token: optional(address("the token")),
});
