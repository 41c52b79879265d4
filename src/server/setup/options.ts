/** Options of a served network, as text and as values, and the defaults of its profiles. */

import type { Scenario, TokenSpec } from "../../scenario/scenario.ts";
import type { FeeRowSpec } from "../../scenario/schema/epoch.ts";
import type { Decimal, Delay } from "../../scenario/schema/scalars.ts";
import type { SignatureFormat } from "../wire/answer-options.ts";

/**
 * `local`: the rules as written, answers that every published client reads, and no event without a cause. `production`: the
 * same, with checkpoints without traffic and epochs of a fixed length. `testnet`: that, and the test network's limit of
 * requests. `specification`: that without the limit, and answers as the published samples show them. `clients`: what the
 * lifecycle suites of published clients expect (wire 8): issued tokens open at once, payments free, checkpoints without
 * traffic, one epoch.
 */
export type ServeProfile = "local" | "specification" | "clients" | "testnet" | "production";

/** In the order in which help lists them. */
export const PROFILES: readonly ServeProfile[] = ["local", "specification", "clients", "testnet", "production"];

/** File whose text the caller has read. */
export interface NamedText {
  /** Name in messages. */
  readonly file: string;
  readonly text: string;
}

type TextOption =
  | ("profile" | "validators" | "spares" | "twins" | "accounts" | "mnemonic" | "balance" | "fees")
  | ("checkpoint-interval" | "epoch-checkpoints" | "chain-id" | "seed" | "delay");

/** Options as text; an absent one was given neither on the command line nor in the environment. */
export type RawServeOptions = Options<TextOption, string> &
  Options<"token", readonly string[]> &
  Options<"genesis" | "scenario", NamedText> &
  Options<"paused-tokens" | "open-tokens" | "empty-checkpoints", boolean>;

type Options<Name extends string, T> = { readonly [N in Name]?: T | undefined };

/** A token that exists from the start. */
export type ReadyToken = Readonly<{ symbol: string; part: TokenSpec }>;

/** Every option with its value: given text precedes the file, and the file precedes the defaults. */
export interface ServeOptions {
  readonly profile: ServeProfile;
  /** File that gives the network, the genesis and, for a scenario, the steps. */
  readonly base: Scenario;
  readonly validators: number;
  /** Validators that a later committee may include. */
  readonly spares: readonly string[];
  /** Validators that run twice with one key, for faults. */
  readonly twins: readonly string[];
  readonly delay: Delay;
  readonly chainId: number;
  /** Number of ready accounts of the mnemonic. */
  readonly accounts: number;
  readonly mnemonic: string;
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
  /** A checkpoint is formed after the interval although there is nothing to list. */
  readonly emptyCheckpoints: boolean;
  /** Checkpoints after which an epoch closes; 0: it is closed by governance only. */
  readonly epochCheckpoints: number;
  /** Issued tokens are open at once. */
  readonly openTokens: boolean;
  readonly seed: string;
  /** Of one IP address; unlimited if absent. */
  readonly requestsPerMinute: number | undefined;
  /** Numbers r and s of signatures in answers. */
  readonly signatureFormat: SignatureFormat;
}

/** Defaults of a profile for options that neither the caller nor a file gives. */
export interface ProfileRow {
  /** Of a payment, in the units of each token; at least the token's smallest unit. */
  readonly paymentFee: string;
  /** Of tokens issued later, in their smallest unit. */
  readonly issuedFees: FeeRowSpec;
  /** The number of the last checkpoint grows without traffic, as on the published network. */
  readonly emptyCheckpoints: boolean;
  /** Of an epoch, where checkpoints are formed. */
  readonly epochCheckpoints: number;
  readonly openTokens: boolean;
  readonly requestsPerMinute: number | undefined;
  readonly signatureFormat: SignatureFormat;
}

/** The least fees that any token can have: a cancellation and a recovery cost more than a payment. */
const FREE: FeeRowSpec = { payment: "0", cancellation: "1", recovery: "1" };
const LEAST: FeeRowSpec = { payment: "1", cancellation: "2", recovery: "2" };
const RULES: ProfileRow = {
  paymentFee: "0.01",
  issuedFees: LEAST,
  emptyCheckpoints: false,
  epochCheckpoints: 0,
  openTokens: false,
  requestsPerMinute: undefined,
  signatureFormat: "hex",
};

/** Periods that go on without traffic; an epoch of an idle network is an hour at the usual interval. */
const PERIODIC: ProfileRow = { ...RULES, emptyCheckpoints: true, epochCheckpoints: 1_800 };

/** By profile; the limit of the test network (specification 14.4). */
export const PROFILE_ROWS: Readonly<Record<ServeProfile, ProfileRow>> = {
  local: RULES,
  specification: { ...PERIODIC, signatureFormat: "decimal" },
  clients: { ...RULES, paymentFee: "0", issuedFees: FREE, emptyCheckpoints: true, openTokens: true },
  testnet: { ...PERIODIC, requestsPerMinute: 300 },
  production: PERIODIC,
};
