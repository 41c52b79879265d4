/** Options of a served network, as text and as values, the defaults of its profiles, and the readers of option texts. */

import { text } from "../../core/base/encoding.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import { DECIMALS_MAX, NAME_BYTES, SYMBOL_BYTES } from "../../core/ledger/limits.ts";
import { decimalText, parseDecimal } from "../../scenario/decimal.ts";
import { TIME_MAX } from "../../scenario/limits.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Scenario, TokenSpec } from "../../scenario/scenario.ts";
import type { FeeRowSpec } from "../../scenario/schema/epoch.ts";
import { POLICY_WORDS, type PoliciesSpec } from "../../scenario/schema/policies.ts";
import type { Decimal, Delay } from "../../scenario/schema/scalars.ts";
import { problemText, suggestion } from "../../schema/problem.ts";
import { AMOUNT_DIGITS, QUOTED_MAX, READY_TOKENS_MAX } from "../limits.ts";
import type { AnswerMembers, SignatureFormat } from "../wire/answer-options.ts";

/**
 * `local`: the rules as written, answers that every published client reads, and no event without a cause. `production`: the
 * same, with checkpoints without traffic and epochs of a fixed length. `testnet`: that, and the test network's limit of
 * requests. `specification`: that without the limit, and answers as the published samples show them. `clients`: what the
 * lifecycle suites of published clients expect (wire 8): issued tokens open at once, payments free, checkpoints without
 * traffic, one epoch, and answers with exactly the published members.
 */
export type ServeProfile = (typeof PROFILES)[number];

/** Profiles in the order in which help lists them. */
export const PROFILES = ["local", "specification", "clients", "testnet", "production"] as const;

/** File whose text the caller has read. */
export interface NamedText {
  /** Name in messages. */
  readonly file: string;
  readonly text: string;
}

type TextOption =
  | ("profile" | "validators" | "accounts" | "mnemonic" | "balance" | "fees")
  | ("checkpoint-interval" | "epoch-checkpoints" | "chain-id" | "seed" | "delay" | "operator-key");

/** Options as text; an absent one was given neither on the command line nor in the environment. */
export type RawServeOptions = Options<TextOption, string> &
  Options<"token" | "policy", readonly string[]> &
  Options<"genesis" | "scenario", NamedText> &
  Options<"open-tokens" | "empty-checkpoints", boolean>;

type Options<Name extends string, T> = { readonly [N in Name]?: T | undefined };

/** A token that exists from the start. */
export type ReadyToken = Readonly<{ symbol: string; part: TokenSpec }>;

/** Every option with its value: given text precedes the file, and the file precedes the defaults. */
export interface ServeOptions extends InterfaceDefaults {
  readonly profile: ServeProfile;
  /** File that gives the network, the genesis and, for a scenario, the steps. */
  readonly base: Scenario;
  readonly validators: number;
  readonly delay: Delay;
  readonly chainId: number;
  /** Number of ready accounts of the mnemonic. */
  readonly accounts: number;
  readonly mnemonic: string;
  /** Of the account `operator`; default: the mnemonic's first key. */
  readonly operatorKey: PrivateKey | undefined;
  /** Tokens besides those of the file. */
  readonly tokens: readonly ReadyToken[];
  /** Balance of every ready account by symbol, unless the file gives one. */
  readonly balances: Readonly<Record<string, Decimal>>;
  /** Fees of the tokens of the genesis, each in its own units. */
  readonly fees: Readonly<Record<string, FeeRowSpec>>;
  /** Fees of tokens issued later, in their smallest unit. */
  readonly issuedFees: FeeRowSpec;
  /** Milliseconds; 0: no checkpoints are formed. */
  readonly checkpointInterval: number;
  /** A checkpoint is formed after the interval although there is nothing to list, as on the published network. */
  readonly emptyCheckpoints: boolean;
  /** Checkpoints after which an epoch closes; 0: it is closed by governance only. */
  readonly epochCheckpoints: number;
  readonly policies: PoliciesSpec;
  readonly seed: string;
}

/** Defaults of a profile for the interface, which its own options replace. */
export interface InterfaceDefaults {
  /** Of one IP address; unlimited if absent. */
  readonly requestsPerMinute: number | undefined;
  /** Numbers r and s of signatures in answers. */
  readonly signatureFormat: SignatureFormat;
  readonly answers: AnswerMembers;
  /** Clients of version 1 mint and burn, although anybody can post their signatures as another kind (specification 4.3). */
  readonly sharedDigests: boolean;
}

/** Defaults of a profile for options that neither the caller nor a file gives. */
export interface ProfileRow
  extends InterfaceDefaults,
    Pick<ServeOptions, "chainId" | "issuedFees" | "emptyCheckpoints" | "epochCheckpoints" | "policies"> {
  /** Of a payment, in the units of each token; at least the token's smallest unit. */
  readonly paymentFee: string;
}

/** Chain id of no public network: what is signed for it is valid nowhere else. */
const OWN_CHAIN_ID = 31_337;
/** Chain id that published clients call local, and that of the public test network. */
export const TEST_NETWORK_CHAIN_ID = 1_212_101;

/** The least fees that any token can have: a cancellation and a recovery cost more than a payment. */
const FREE: FeeRowSpec = { payment: "0", cancellation: "1", recovery: "1" };
const LEAST: FeeRowSpec = { payment: "1", cancellation: "2", recovery: "2" };
const RULES: ProfileRow = {
  chainId: OWN_CHAIN_ID,
  paymentFee: "0.01",
  issuedFees: LEAST,
  emptyCheckpoints: false,
  epochCheckpoints: 0,
  policies: {},
  requestsPerMinute: undefined,
  signatureFormat: "hex",
  answers: "complete",
  sharedDigests: false,
};

/** Periods that go on without traffic; an epoch of an idle network is an hour at the usual interval. */
const PERIODIC: ProfileRow = { ...RULES, emptyCheckpoints: true, epochCheckpoints: 1_800 };

/** By profile; the limit of the test network (specification 14.4). */
export const PROFILE_ROWS: Readonly<Record<ServeProfile, ProfileRow>> = {
  local: RULES,
  specification: { ...PERIODIC, signatureFormat: "decimal" },
  clients: {
    ...{ ...RULES, chainId: TEST_NETWORK_CHAIN_ID, paymentFee: "0", issuedFees: FREE, emptyCheckpoints: true },
    ...{ policies: { issued_tokens: "open", batch_fees: "operator" }, answers: "published", sharedDigests: true },
  },
  testnet: { ...PERIODIC, requestsPerMinute: 300 },
  production: PERIODIC,
};

const WHOLE = /^(0|[1-9][0-9]{0,15})$/;
const DECIMAL = new RegExp(`^(0|[1-9][0-9]{0,${AMOUNT_DIGITS - 1}})(\\.[0-9]{1,18})?$`);

/** Reads an integer between two bounds. */
export function readInteger(option: string, text: string, least: number, most: number): Result<number, string> {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return ok(value);
  return err(`--${option}: expected a whole number from ${least} to ${most}, got ${quoteText(text)}`);
}

/** Reads decimal text such as `12.50`, in the units of a token. */
export function readDecimal(option: string, text: string): Result<string, string> {
  if (DECIMAL.test(text)) return ok(text);
  return err(`--${option}: expected an amount such as 12.50, got ${quoteText(text)}`);
}

/** Reads milliseconds such as `10`, or a range such as `5..20`. */
export function readDelay(text: string): Result<string, string> {
  const [from = "", to = from, ...surplus] = text.split("..");
  const rises = WHOLE.test(from) && WHOLE.test(to) && Number(from) <= Number(to) && Number(to) <= TIME_MAX;
  if (rises && surplus.length === 0) return ok(text);
  return err(`--delay: expected milliseconds up to ${TIME_MAX}, such as 10 or 5..20, got ${quoteText(text)}`);
}

/** Reads one of a set of words. */
export function readEnum<T extends string>(option: string, text: string, words: readonly T[]): Result<T, string> {
  const match = words.find((word) => word === text);
  if (match !== undefined) return ok(match);
  return err(`--${option}: expected one of ${words.join(", ")}, got ${quoteText(text)}${suggestion(text, words)}`);
}

/** Reads policies such as `issued_tokens=open`. */
export function readPolicies(texts: readonly string[]): Result<PoliciesSpec, string> {
  const policies: Record<string, string> = {};
  for (const policyText of texts) {
    const [name = "", choice = ""] = policyText.split(/=(.*)/s);
    const choices = POLICY_WORDS.get(name);
    if (choices === undefined) {
      const names = [...POLICY_WORDS.keys()];
      return err(`--policy: expected one of ${names.join(", ")}, got ${quoteText(name)}${suggestion(name, names)}`);
    }
    const read = readEnum(`policy ${name}`, choice, choices);
    if (!read.ok) return read;
    policies[name] = read.value;
  }
  return ok(policies as PoliciesSpec);
}

/** Returns a text as quoted in messages. */
function quoteText(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}

/** Default ready token. */
export const TOKEN_DEFAULT = "USDX:6";
/** The master authority of the ready tokens: an account's name. */
const MASTER = "issuer";

const SYMBOL = new RegExp(`^[A-Za-z][A-Za-z0-9_.-]{0,${SYMBOL_BYTES - 1}}$`);
const SHAPE = "symbol:decimals[:private|public][:paused|open][:name]";

/** Returns the tokens of an option. Rejects repeated symbols: a master has a symbol once (wire 3.6). */
export function readTokens(texts: readonly string[]): Result<readonly ReadyToken[], string> {
  if (texts.length > READY_TOKENS_MAX)
    return err(`--token: expected at most ${READY_TOKENS_MAX} tokens, got ${texts.length}`);
  const tokens: ReadyToken[] = [];
  for (const tokenText of texts) {
    const read = readToken(tokenText);
    if (!read.ok) return read;
    const { symbol } = read.value;
    if (tokens.some((token) => token.symbol === symbol)) return err(`--token: ${symbol} is named twice`);
    tokens.push(read.value);
  }
  return ok(tokens);
}

/** Reads one token. Its name may contain colons; the default is the symbol. */
function readToken(from: string): Result<ReadyToken, string> {
  const [symbol = "", decimalsText, ...rest] = from.split(":");
  if (!SYMBOL.test(symbol))
    return err(
      `--token: expected ${SHAPE}, with a symbol of letters, digits, "_", "-" and "." that begins with a letter and has at most ${SYMBOL_BYTES}; got ${quoteText(from)}`,
    );
  if (decimalsText === undefined) return err(`--token: expected ${SHAPE}, got no decimals in ${quoteText(from)}`);
  const decimals = readInteger(`token ${symbol}: decimals`, decimalsText, 0, DECIMALS_MAX);
  if (!decimals.ok) return decimals;
  const isPrivate = takeIfOneOf(rest, "private", "public");
  const isPaused = takeIfOneOf(rest, "paused", "open");
  const name = rest.length === 0 ? symbol : rest.join(":");
  const { length } = text(name);
  if (length < 1 || length > NAME_BYTES)
    return err(`--token ${symbol}: name: expected 1 to ${NAME_BYTES} bytes, got ${length}`);
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    return err(`--token ${symbol}: name: expected no control characters, got ${quoteText(name)}`);
  const state: TokenSpec["state"] = isPaused ? "paused" : "unpaused";
  return ok({ symbol, part: { decimals: decimals.value, master: MASTER, name, state, private: isPrivate } });
}

/** Removes the next word if it is one of two; returns whether it was the first. */
function takeIfOneOf(words: string[], yes: string, no: string): boolean {
  const [word] = words;
  if (word === yes || word === no) words.shift();
  return word === yes;
}

/** Decimals of the tokens, by symbol. */
export type DecimalsBySymbol = Readonly<Record<string, number>>;

const KEYS = ["payment", "cancellation", "recovery"] as const;

/** Returns the fees in the units of each token, or an error for the first token whose decimals they exceed. */
export function readFees(from: string, tokens: DecimalsBySymbol): Result<Readonly<Record<string, FeeRowSpec>>, string> {
  const amounts = from.includes("=") ? readRow(from) : readDecimal("fees", from);
  if (!amounts.ok) return amounts;
  const rows: Record<string, FeeRowSpec> = {};
  for (const [symbol, decimals] of Object.entries(tokens)) {
    const row = typeof amounts.value === "string" ? rowFrom(amounts.value, decimals) : amounts.value;
    const fault = typeof row === "string" ? row : rowFault(row, decimals);
    if (fault !== undefined) return err(`--fees: ${symbol}: ${fault}`);
    rows[symbol] = row as FeeRowSpec;
  }
  return ok(rows);
}

/** Default fees: `payment`, or the smallest unit if that is more; the others are twice as much. */
export function usualFees(payment: string, tokens: DecimalsBySymbol): Readonly<Record<string, FeeRowSpec>> {
  return Object.fromEntries(
    Object.entries(tokens).map(([symbol, decimals]) => {
      const fits = parseDecimal(payment, decimals);
      return [symbol, rowOf(typeof fits === "string" ? 1n : fits, decimals)];
    }),
  );
}

/** Returns the row, or the error in the amount. */
function rowFrom(payment: string, decimals: number): FeeRowSpec | string {
  const amount = parseDecimal(payment, decimals);
  return typeof amount === "string" ? `${amount}: it has ${decimals} decimals` : rowOf(amount, decimals);
}

/** Cancellation and recovery cost twice a payment, or the smallest unit if payments are free. */
function rowOf(payment: bigint, decimals: number): FeeRowSpec {
  const doubled = decimalText(payment === 0n ? 1n : payment + payment, decimals);
  return { payment: decimalText(payment, decimals), cancellation: doubled, recovery: doubled };
}

function readRow(from: string): Result<FeeRowSpec, string> {
  const row: Partial<Record<(typeof KEYS)[number], string>> = {};
  for (const part of from.split(",")) {
    const [name = "", amount = ""] = part.split("=", 2);
    const key = KEYS.find((feeKey) => feeKey === name.trim());
    if (key === undefined) return err(`--fees: expected ${KEYS.join(", ")}, got ${quoteText(name)}`);
    if (row[key] !== undefined) return err(`--fees: ${key} is named twice`);
    const read = readDecimal(`fees: ${key}`, amount.trim());
    if (!read.ok) return read;
    row[key] = read.value;
  }
  const { payment, cancellation, recovery } = row;
  if (payment !== undefined && cancellation !== undefined && recovery !== undefined)
    return ok({ payment, cancellation, recovery });
  return err(`--fees: expected payment=…,cancellation=…,recovery=…, or one amount; got ${quoteText(from)}`);
}

function rowFault(row: FeeRowSpec, decimals: number): string | undefined {
  const amounts: bigint[] = [];
  for (const key of KEYS) {
    const amount = parseDecimal(row[key], decimals);
    if (typeof amount === "string") return `${key}: ${amount}: it has ${decimals} decimals`;
    amounts.push(amount);
  }
  const [payment = 0n, ...otherAmounts] = amounts;
  if (otherAmounts.every((amount) => amount > payment)) return undefined;
  return `cancellation and recovery must cost more than a payment, ${row.payment}`;
}

/**
 * Returns the members of the file that a served network uses; only a name without a file. Expectations and the bound on
 * events apply to `quorumlab run` only. A served network has no healing of its own: liveness is judged between the faults.
 */
export function readBase({ genesis, scenario }: RawServeOptions): Result<Scenario, string> {
  if (genesis !== undefined && scenario !== undefined)
    return err("--genesis and --scenario: expected one of them, since each brings a genesis");
  const file = genesis ?? scenario;
  if (file === undefined) return ok({ name: "a served network" });
  const read = createParser().parse(file.text);
  if (!read.ok) return err(read.error.map((problem) => problemText(file.file, problem)).join("\n"));
  if (genesis !== undefined) {
    const { name, network = {}, genesis: begin = {} } = read.value;
    return ok({ name, network, genesis: begin });
  }
  const { expect: _expect, transcript: _transcript, events: _events, ...rest } = read.value;
  return ok({ ...rest, healing: { none: true } });
}
