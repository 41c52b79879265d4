/** What a network of one's own process begins with: the options of `quorumlab serve` as plain values. */
import { err, type Result } from "../../core/base/result.ts";
import type { FeeRow, Scenario } from "../../scenario/scenario.ts";
import { suggestion } from "../../scenario/suggest.ts";
import type { NamedText, Profile, RawServeOptions, ServeOptions } from "../setup/options.ts";
import { readServeOptions } from "../setup/read-options.ts";

/** A token that exists from the start; its master authority is the ready account `issuer`. */
export interface TokenTraits {
  readonly symbol: string;
  readonly decimals: number;
  /** The symbol where absent. */
  readonly name?: string | undefined;
  /** Only whitelisted accounts hold it; the ready ones are. */
  readonly private?: boolean | undefined;
  readonly paused?: boolean | undefined;
}

/** All of them may be left out. Amounts are decimal text in a token's units, times milliseconds. */
export interface NetworkTraits {
  /** `specification` (default), `clients` (issued tokens open at once, payments free) or `testnet` (300 requests a minute). */
  readonly profile?: Profile | undefined;
  /** How many; default 4. */
  readonly validators?: number | undefined;
  /** How many accounts stand ready; default 10. */
  readonly accounts?: number | undefined;
  /** Of the ready accounts; default: the well-known test mnemonic. Never one that guards real funds. */
  readonly mnemonic?: string | undefined;
  /** What each ready account has of each ready token; default "1000000". */
  readonly balance?: string | undefined;
  /** Default: USDX with 6 decimals. */
  readonly tokens?: readonly TokenTraits[] | undefined;
  /** Of a payment ("0.01"), the others following from it; or all three. */
  readonly fees?: string | FeeRow | undefined;
  /** 0: no checkpoints; default 2000. */
  readonly checkpointInterval?: number | undefined;
  /** Default 1212101, the public test network's. */
  readonly chainId?: number | undefined;
  /** A scenario whose network and genesis are used: as text (YAML or JSON) or as an object. */
  readonly genesis?: string | Scenario | undefined;
  /** A scenario whose network, genesis and steps are used: its faults happen at their virtual times. */
  readonly scenario?: string | Scenario | undefined;
  /** Whether issued tokens are open at once; the profile decides where absent. */
  readonly openTokens?: boolean | undefined;
  /** What every random choice comes from; default "1". */
  readonly seed?: string | undefined;
  /** Of links between validators: 10, or a range such as "5..20" (default). */
  readonly delay?: number | string | undefined;
  /** Whether POST /faucet gives ready tokens; default true. */
  readonly faucet?: boolean | undefined;
}

/** Each with the option that it is on the command line: what is wrong is said in the words of the caller. */
const OPTION_NAMES: Readonly<Record<keyof NetworkTraits, string>> = {
  profile: "profile",
  validators: "validators",
  accounts: "accounts",
  mnemonic: "mnemonic",
  balance: "balance",
  tokens: "token",
  fees: "fees",
  checkpointInterval: "checkpoint-interval",
  chainId: "chain-id",
  genesis: "genesis",
  scenario: "scenario",
  openTokens: "open-tokens",
  seed: "seed",
  delay: "delay",
  faucet: "faucet",
};

/** Their names. */
export const TRAITS: readonly string[] = Object.keys(OPTION_NAMES);

/** Every option with its value, or a line for each fault. */
export function readTraits(traits: NetworkTraits): Result<ServeOptions, string> {
  const read = readServeOptions(rawOptions(traits));
  return read.ok ? read : err(inOurWords(read.error));
}

/** What is wrong with the names of some options; `known`: all that there are. */
export function strangerAmong(options: object, known: readonly string[]): string | undefined {
  const stranger = Object.keys(options).find((name) => !known.includes(name));
  return stranger === undefined ? undefined : `there is no option ${stranger}${suggestion(stranger, known)}`;
}

function rawOptions(traits: NetworkTraits): RawServeOptions {
  const { openTokens, fees, tokens } = traits;
  return {
    profile: traits.profile,
    validators: textOf(traits.validators),
    accounts: textOf(traits.accounts),
    mnemonic: traits.mnemonic,
    balance: traits.balance,
    token: tokens?.map(tokenText),
    fees: typeof fees === "object" ? feesText(fees) : fees,
    "checkpoint-interval": textOf(traits.checkpointInterval),
    "chain-id": textOf(traits.chainId),
    genesis: namedText("genesis", traits.genesis),
    scenario: namedText("scenario", traits.scenario),
    "open-tokens": openTokens === true,
    "paused-tokens": openTokens === false,
    seed: traits.seed,
    delay: textOf(traits.delay),
    faucet: traits.faucet,
  };
}

function textOf(value: number | string | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** Both words stand always: a name may begin with one of them. */
function tokenText({ symbol, decimals, name = symbol, ...rest }: TokenTraits): string {
  return [symbol, decimals, rest.private ? "private" : "public", rest.paused ? "paused" : "open", name].join(":");
}

function feesText({ payment, cancellation, recovery }: FeeRow): string {
  return `payment=${payment},cancellation=${cancellation},recovery=${recovery}`;
}

/** JSON is YAML too. */
function namedText(file: string, given: string | Scenario | undefined): NamedText | undefined {
  if (given === undefined) return undefined;
  return { file, text: typeof given === "string" ? given : JSON.stringify(given) };
}

function inOurWords(text: string): string {
  const names = new Map(Object.entries(OPTION_NAMES).map(([name, option]) => [option, name]));
  return text.replace(/--([a-z-]+)/g, (all, option: string) => names.get(option) ?? all);
}
