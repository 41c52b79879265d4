/** What a served network can be started with: as typed, and as read. */
import type { FeeRow, Scenario, TokenPart } from "../../scenario/scenario.ts";
import type { Decimal, Delay } from "../../scenario/scenario-words.ts";

/**
 * `specification`: the rules as written. `clients`: what the lifecycle suites of published clients expect (wire
 * 8): issued tokens open at once, payments free. `testnet`: the rules, and the test network's limit of requests.
 */
export type Profile = "specification" | "clients" | "testnet";

/** In the order in which help lists them. */
export const PROFILES: readonly Profile[] = ["specification", "clients", "testnet"];

/** A file whose text somebody else has read. */
export interface NamedText {
  /** What messages call it. */
  readonly file: string;
  readonly text: string;
}

/** The options as typed; an absent one was given neither on the command line nor in the environment. */
export interface RawServeOptions {
  readonly profile?: string | undefined;
  readonly validators?: string | undefined;
  readonly spares?: string | undefined;
  readonly twins?: string | undefined;
  readonly accounts?: string | undefined;
  readonly mnemonic?: string | undefined;
  readonly balance?: string | undefined;
  readonly token?: readonly string[] | undefined;
  readonly fees?: string | undefined;
  readonly "checkpoint-interval"?: string | undefined;
  readonly "chain-id"?: string | undefined;
  readonly genesis?: NamedText | undefined;
  readonly scenario?: NamedText | undefined;
  readonly "paused-tokens"?: boolean | undefined;
  readonly "open-tokens"?: boolean | undefined;
  readonly seed?: string | undefined;
  readonly delay?: string | undefined;
  readonly faucet?: boolean | undefined;
}

/** A token that exists from the start. */
export interface ReadyToken {
  readonly symbol: string;
  readonly part: TokenPart;
}

/** Every option with its value: what was typed wins over what a file says, and that over what is usual. */
export interface ServeOptions {
  readonly profile: Profile;
  /** The file that the network starts from: its network and genesis, and of a scenario its steps too. */
  readonly base: Scenario;
  readonly validators: number;
  /** Validators that a later committee may take in. */
  readonly spares: readonly string[];
  /** Validators that run twice with one key, for faults. */
  readonly twins: readonly string[];
  readonly delay: Delay;
  readonly chainId: number;
  /** How many accounts of the mnemonic stand ready. */
  readonly accounts: number;
  readonly mnemonic: string;
  /** Tokens besides those of the file. */
  readonly tokens: readonly ReadyToken[];
  /** What every ready account has of a token, by symbol, unless the file gives it some. */
  readonly balances: Readonly<Record<string, Decimal>>;
  /** Of the tokens that exist from the start, each in its own units. */
  readonly fees: Readonly<Record<string, FeeRow>>;
  /** Of tokens issued later, in their smallest unit. */
  readonly issuedFees: FeeRow;
  /** Milliseconds; 0: no checkpoints are formed. */
  readonly checkpointInterval: number;
  /** Whether issued tokens are open at once. */
  readonly openTokens: boolean;
  readonly seed: string;
  /** Whether an account beside the ready ones may mint every token of the start. */
  readonly faucet: boolean;
  /** Of one address; unlimited where absent. */
  readonly requestsPerMinute: number | undefined;
}
