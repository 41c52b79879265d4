/** Scalar types of the scenario language. */

/** A name of an account, token, validator, client, operation or rule. */
export type Name = string;
/** Decimal text in a token's units: `"10.50"`. */
export type Decimal = string;
/** Decimal text in a token's units, or a range of it: `"5"`, `"1..10"`. */
export type DecimalRange = string;
/** Virtual milliseconds: `10`, or a range as text, `5..20`. */
export type Delay = number | string;
/** A chance as text: `1/10`. */
export type Chance = string;
/** A key of a validator: `v1` is its first one, `v1/2` its second. */
export type KeyName = string;
/** One name or several. */
export type OneOrMoreNames = Name | readonly Name[];
