/** Inputs and outputs of a validator that others wrote, as JSON (docs/node-interface.md). */
import type { Static } from "typebox";
import { REFUSAL_CODES } from "../core/base/refusal.ts";
import {
  choice,
  flag,
  type ObjectShape,
  object,
  optional,
  type Shape,
  shape,
  text,
  wholeNumber,
} from "../schema/shape.ts";

/** Version of the interface: inputs of a later one may have members that an older node does not know. */
export const INTERFACE_VERSION = 1;

/** Kinds of operations that a node may say it knows. */
export const NODE_OPERATIONS = ["payment"] as const;

const TEXT_MAX = 2_048;
/** Characters of the bytes of one message or record: 1 MiB. */
const BYTES_MAX = 2_097_152;
const ENTRIES_MAX = 4_096;

const address = (of: string): Shape<string> => text(`${of}: 0x and 40 hex digits`, "^0x[0-9a-f]{40}$");
const id = text("the id of an operation: 0x and 64 hex digits", "^0x[0-9a-f]{64}$");
const amount = (of: string): Shape<string> =>
  text(`${of}: decimal digits, in the token's smallest unit`, "^-?\\d{1,78}$");
const validator = (of: string): Shape<string> => text(of, "^[A-Za-z_][\\w.-]{0,63}$");
const time = (of: string): Shape<number> => wholeNumber(`${of}, in virtual milliseconds`, 0, Number.MAX_SAFE_INTEGER);
const word = (of: string): Shape<string> => text(`${of}: 1 to 128 visible characters`, "^[!-~]{1,128}$");
const hexBytes = (of: string): Shape<string> =>
  shape({ type: "string", description: `${of} as hex digits`, pattern: "^([0-9a-f]{2})*$", maxLength: BYTES_MAX });

function many<T>(description: string, items: Shape<T>): Shape<readonly T[]> {
  return shape({ type: "array", description, items, maxItems: ENTRIES_MAX });
}

/** A list of exactly these parts. */
function tuple<const T extends readonly unknown[]>(
  description: string,
  parts: { readonly [I in keyof T]: Shape<T[I]> },
): Shape<T> {
  return shape({ type: "array", description, prefixItems: parts, items: false, minItems: parts.length });
}

const balancesOf = (when: string) =>
  many(
    `the balances ${when}`,
    tuple<[string, string, string]>("account, token and balance", [
      address("the account"),
      address("the token"),
      amount("the balance"),
    ]),
  );
const nonces = many(
  "the next nonces",
  tuple<[string, number]>("account and next nonce", [
    address("the account"),
    wholeNumber("the next nonce", 0, Number.MAX_SAFE_INTEGER),
  ]),
);

/** Members of each output, without its kind. */
const OUTPUTS = {
  ready: {
    version: wholeNumber("the version of the interface", 1, Number.MAX_SAFE_INTEGER),
    operations: many("the kinds of operations that the node knows", choice("a kind of operation", NODE_OPERATIONS)),
  },
  persist: { key: word("the key of the record"), bytes: hexBytes("the record") },
  erase: { key: word("the key of the record") },
  send: {
    to: many("the receiving validators", validator("the name of a validator")),
    tag: word("the kind of the message"),
    bytes: hexBytes("the message"),
  },
  timer: {
    name: word("the name of the timer"),
    at: time("the time at which it expires"),
    background: optional(flag("true: a run that waits for nothing else is over; for what comes again and again")),
  },
  cancel: { name: word("the name of the timer") },
  reply: {
    client: text("the client"),
    id,
    status: choice("what the node says of the operation", ["pending", "final", "refused", "superseded"]),
    code: optional(choice("the code of a refusal", REFUSAL_CODES)),
    text: optional(shape<string>({ type: "string", description: "the reason of a refusal", maxLength: TEXT_MAX })),
    disclosed: optional(flag("false: no other validator has seen the refused operation")),
    by: optional(id),
  },
  applied: {
    id,
    success: flag("false: it used its nonce and did nothing else"),
    code: optional(choice("the code of a failure", REFUSAL_CODES)),
    fee: amount("the fee that was paid"),
    balances: balancesOf("after it, of all accounts that it changed"),
    nonces,
    pools: many(
      "the collected fees after it",
      tuple<[string, string]>("token and collected fees", [address("the token"), amount("the fees")]),
    ),
  },
  report: { peer: validator("the validator that broke a rule"), text: text("what it did") },
  state: { balances: balancesOf("of the accounts asked for, in all tokens"), nonces },
} as const;

export type OutputKind = keyof typeof OUTPUTS;

export const OUTPUT_KINDS = Object.keys(OUTPUTS) as readonly OutputKind[];

type Members<K extends OutputKind> = Static<ObjectShape<(typeof OUTPUTS)[K]>>;

/** Output of one kind. */
export type NodeOutputOf<K extends OutputKind> = { readonly output: K } & Members<K>;
export type NodeOutput = { [K in OutputKind]: NodeOutputOf<K> }[OutputKind];

/** Schemas of the outputs, by their kinds. */
export const OUTPUT_SHAPES: Readonly<Record<OutputKind, Shape<NodeOutput>>> = Object.fromEntries(
  OUTPUT_KINDS.map((kind) => [
    kind,
    object(`Output \`${kind}\``, { output: choice("the kind of the output", [kind]), ...OUTPUTS[kind] }),
  ]),
) as never;

/** Operation as a node receives it. */
const operation = object("An operation that a client signed.", {
  id,
  kind: choice("the kind of the operation", NODE_OPERATIONS),
  chain: wholeNumber("the chain id", 1, Number.MAX_SAFE_INTEGER),
  sender: address("the account that pays"),
  nonce: wholeNumber("the nonce", 0, Number.MAX_SAFE_INTEGER),
  token: address("the token"),
  recipient: address("the account that is paid"),
  amount: amount("the amount"),
  signature: text("the stand-in for the client's signature: 64 hex digits", "^[0-9a-f]{64}$"),
});

const token = object("A token at the start.", {
  token: address("the token"),
  symbol: text("the symbol"),
  paused: flag("true: nothing moves it"),
  fee: amount("the fee of a payment"),
});

const INPUTS = {
  start: {
    version: wholeNumber("the version of the interface", 1, Number.MAX_SAFE_INTEGER),
    self: validator("the name of this validator"),
    validators: many("all validators, this one included", validator("the name of a validator")),
    quorum: wholeNumber("two thirds of the validators or more", 1, ENTRIES_MAX),
    faults: wholeNumber("the number of Byzantine validators that the quorum bears", 0, ENTRIES_MAX),
    random: text("the seed of all chance of this validator: 32 hex digits", "^[0-9a-f]{32}$"),
    chain: wholeNumber("the chain id", 1, Number.MAX_SAFE_INTEGER),
    tokens: many("the tokens", token),
    balances: balancesOf("at the start"),
    records: optional(
      many(
        "after a restart: what was durable",
        tuple<[string, string]>("key and record", [word("the key"), hexBytes("the record")]),
      ),
    ),
  },
  submit: { client: text("the client, for the replies"), operation },
  message: { from: validator("the sender"), tag: word("the kind of the message"), bytes: hexBytes("the message") },
  timer: { name: word("the name of the timer") },
  query: { accounts: many("the accounts asked for", address("an account")) },
} as const;

export type InputKind = keyof typeof INPUTS;

/** Input of one kind; `at`: its virtual time, `clock`: what the validator's own clock shows, where it is wrong. */
export type NodeInputOf<K extends InputKind> = {
  readonly input: K;
  readonly at: number;
  readonly clock?: number;
} & Static<ObjectShape<(typeof INPUTS)[K]>>;
export type NodeInput = { [K in InputKind]: NodeInputOf<K> }[InputKind];

/** Schemas of the inputs, by their kinds. */
export const INPUT_SHAPES: Readonly<Record<InputKind, Shape<NodeInput>>> = Object.fromEntries(
  (Object.keys(INPUTS) as InputKind[]).map((kind) => [
    kind,
    object(`Input \`${kind}\``, {
      input: choice("the kind of the input", [kind]),
      at: time("the time of the input"),
      clock: optional(
        wholeNumber(
          "the time that the validator's own clock shows, where it is wrong, in virtual milliseconds",
          Number.MIN_SAFE_INTEGER,
          Number.MAX_SAFE_INTEGER,
        ),
      ),
      ...INPUTS[kind],
    }),
  ]),
) as never;
