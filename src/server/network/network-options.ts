/** Options of a network in the caller's process: those of `quorumlab serve` as plain values. */
import { err, type Result } from "../../core/base/result.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { FeeRowSpec } from "../../scenario/schema/epoch.ts";
import { suggestion } from "../../schema/problem.ts";
import type { NamedText, RawServeOptions, ServeOptions, ServeProfile } from "../setup/options.ts";
import { readServeOptions } from "../setup/read-options.ts";

/** A token that exists from the start; its master authority is the ready account `issuer`. */
export interface TokenOptions {
  readonly symbol: string;
  readonly decimals: number;
  /** Default: the symbol. */
  readonly name?: string | undefined;
  /** Only whitelisted accounts hold it; the ready ones are. */
  readonly private?: boolean | undefined;
  readonly paused?: boolean | undefined;
}

/** All members are optional. Amounts are decimal text in a token's units, times are milliseconds. */
export interface NetworkDefaults {
  /** `local` (default), `specification` (r and s in answers are decimal), `clients` (issued tokens open at once, payments free), `production` (checkpoints without traffic, epochs of a fixed length) or `testnet` (that, and 300 requests a minute). */
  readonly profile?: ServeProfile | undefined;
  /** Number of validators; default 4. */
  readonly validators?: number | undefined;
  /** Number of ready accounts; default 10. */
  readonly accounts?: number | undefined;
  /** Mnemonic of the ready accounts; default: the public test mnemonic. Never use one with real funds. */
  readonly mnemonic?: string | undefined;
  /** Balance of each ready account of each ready token; default "1000000". */
  readonly balance?: string | undefined;
  /** Default: USDX with 6 decimals. */
  readonly tokens?: readonly TokenOptions[] | undefined;
  /** Fee of a payment ("0.01"), from which the others are derived; or all three. */
  readonly fees?: string | FeeRowSpec | undefined;
  /** 0: no checkpoints; default 2000. */
  readonly checkpointInterval?: number | undefined;
  /** Checkpoints are formed without traffic, too; default: the profile's. */
  readonly emptyCheckpoints?: boolean | undefined;
  /** Checkpoints after which an epoch closes, 0: only by governance; default: the profile's. */
  readonly epochCheckpoints?: number | undefined;
  /** Default 1212101, the public test network's. */
  readonly chainId?: number | undefined;
  /** A scenario whose network and genesis are used: as text (YAML or JSON) or as an object. */
  readonly genesis?: string | Scenario | undefined;
  /** A scenario whose network, genesis and steps are used: its steps are executed at their virtual times. */
  readonly scenario?: string | Scenario | undefined;
  /** Issued tokens are open at once; default: the profile's. */
  readonly openTokens?: boolean | undefined;
  /** Seed of all random choices; default "1". */
  readonly seed?: string | undefined;
  /** Delay of links between validators: 10, or a range; default "0..2". */
  readonly delay?: number | string | undefined;
}

/** Members that are text or numbers. */
const TEXTS = [
  ...(["profile", "validators", "accounts", "mnemonic", "balance", "checkpointInterval"] as const),
  ...(["epochCheckpoints", "chainId", "seed", "delay"] as const),
];

/** Names of the options. */
export const NETWORK_OPTION_NAMES: readonly (keyof NetworkDefaults)[] = [
  ...TEXTS,
  ...(["tokens", "fees", "emptyCheckpoints", "genesis", "scenario", "openTokens"] as const),
];

/** Returns the command-line option of a member. */
function optionOf(member: string): string {
  return member === "tokens" ? "token" : member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns every option with its value, or a line for each error. */
export function readNetworkOptions(traits: NetworkDefaults): Result<ServeOptions, string> {
  const read = readServeOptions(rawOptions(traits));
  return read.ok ? read : err(withOptionNames(read.error));
}

/** Returns the error for an unknown option name, `undefined` if all are `known`. */
export function unknownOption(options: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `there is no option ${unknown}${suggestion(unknown, known)}`;
}

function rawOptions(traits: NetworkDefaults): RawServeOptions {
  const { openTokens, fees, tokens } = traits;
  const texts = TEXTS.filter((name) => traits[name] !== undefined);
  return {
    ...Object.fromEntries(texts.map((name) => [optionOf(name), String(traits[name])])),
    token: tokens?.map(tokenText),
    fees: typeof fees === "object" ? feesText(fees) : fees,
    "empty-checkpoints": traits.emptyCheckpoints,
    genesis: namedText("genesis", traits.genesis),
    scenario: namedText("scenario", traits.scenario),
    "open-tokens": openTokens === true,
    "paused-tokens": openTokens === false,
  };
}

/** Writes both words always: a name may begin with one of them. */
function tokenText({ symbol, decimals, name = symbol, ...rest }: TokenOptions): string {
  return [symbol, decimals, rest.private ? "private" : "public", rest.paused ? "paused" : "open", name].join(":");
}

function feesText({ payment, cancellation, recovery }: FeeRowSpec): string {
  return `payment=${payment},cancellation=${cancellation},recovery=${recovery}`;
}

/** Parses YAML, and so JSON. */
function namedText(file: string, given: string | Scenario | undefined): NamedText | undefined {
  if (given === undefined) return undefined;
  return { file, text: typeof given === "string" ? given : JSON.stringify(given) };
}

function withOptionNames(text: string): string {
  const names = new Map(NETWORK_OPTION_NAMES.map((name) => [optionOf(name), name]));
  return text.replace(/--([a-z-]+)/g, (all, option: string) => names.get(option) ?? all);
}
