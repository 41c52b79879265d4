/** Schemas of the queries of reads (wire 1.1). All values are texts. */
import { OPERATION_KINDS } from "../../../core/ledger/operations/kinds.ts";
import { AMOUNT } from "../../../proofs/json-file.ts";
import { optional, type Shape } from "../../../schema/shape.ts";
import { address, hash, object, oneOf, withCode } from "./schema-types.ts";

const digits = (description: string): Shape<string> =>
  withCode(
    `${description}: an integer from 0 to 2^63 - 1 in decimal digits, without sign or leading zero`,
    {
      type: "string",
      pattern: `^(0|[1-9][0-9]{0,17}|${upTo("9223372036854775807")})$`,
      examples: ["1"],
    },
    "validation_query",
  );

/** Returns the pattern of the numbers with as many digits as `largest` that are not above it; it begins with 9. */
function upTo(largest: string): string {
  const smaller = [...largest].flatMap((digit, place) => {
    const least = place === 0 ? 1 : 0;
    if (Number(digit) <= least) return [];
    return [`${largest.slice(0, place)}[${least}-${Number(digit) - 1}][0-9]{${largest.length - place - 1}}`];
  });
  return [...smaller, largest].join("|");
}

const full = oneOf("whether to return entries in place of hashes", ["true", "false"] as const, "validation_query");

export const addressQuery = object("a query", { address: address("the account") });

export const tokenAccountQuery = object("a query", { address: address("the account"), token: address("the token") });

export const tokenAccountsQuery = object("a query", {
  address: address("the account"),
  after: optional(address("the token after which the list begins")),
});

export const tokenQuery = object("a query", { token: address("the token") });

export const hashQuery = object("a query", { hash: hash("the hash") });

export const numberQuery = object("a query", { number: digits("the number") });

/** Of an epoch's certificate; the published relayer asks for `bcs`. */
const encoding = optional(oneOf("the encoding of the certificate", ["json", "bcs"]));

export const encodingQuery = object("a query", { encoding });

export const idQuery = object("a query", { id: digits("the number of the epoch"), encoding });

export const plansQuery = object("a query", {
  sender: optional(address("the sender")),
  recipient: optional(address("the recipient")),
  token: optional(address("the token")),
});

export const checkpointByNumberQuery = object("a query", { number: digits("the number"), full });

export const checkpointByHashQuery = object("a query", { hash: hash("the hash"), full });

/** Kinds of operations that have an estimate: all. */
export const ESTIMATED_KINDS = [...OPERATION_KINDS, "recovery"] as const;

/** R13: clients differ in what they send beside `from` and `value`. */
export const estimateQuery = object("a query", {
  from: address("the sender"),
  value: withCode(
    "the amount: 1 to 78 decimal digits without sign or leading zero",
    { type: "string", pattern: AMOUNT, examples: ["1000000"] },
    "validation_amount",
  ),
  to: optional(address("the recipient")),
  token: optional(address("the token")),
  kind: optional(oneOf("the operation; without it a payment", ESTIMATED_KINDS, "validation_query")),
});
