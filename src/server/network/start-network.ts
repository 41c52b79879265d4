/** `import { startNetwork } from "quorumlab/server"`: a network with its interfaces, in one's own process. */
import { definedMembers } from "../../core/base/defined-members.ts";
import type { Role } from "../../core/base/operation.ts";
import { err, type Result } from "../../core/base/result.ts";
import { headOf, type Recording, readRecording, type Setup } from "../../live/recording.ts";
import { runToEnd } from "../../run/interruptible.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { FeeRowSpec, GovernSpec } from "../../scenario/schema/epoch.ts";
import type { PoliciesSpec } from "../../scenario/schema/policies.ts";
import type { StepVerbs } from "../../scenario/schema/step.ts";
import { suggestion } from "../../schema/problem.ts";
import { type AdminStatus, checkpointNow, epochNow, statusOf } from "../admin/operations.ts";
import { withFaultText } from "../admin/signed-submission.ts";
import { MemorySink } from "../host/state-file.ts";
import { accountNamed, publishedAccounts } from "../setup/accounts.ts";
import type { InterfaceDefaults, NamedText, RawServeOptions, ServeOptions, ServeProfile } from "../setup/options.ts";
import { readServeOptions } from "../setup/read-options.ts";
import { entryValidatorsOf, readyTokens, setupOf } from "../setup/setup-of.ts";
import { type ListeningNetwork, serve } from "../start.ts";
import { type AnswerOptions, changedAnswers } from "../wire/answer-options.ts";
import type { WriteMode } from "../wire/paths.ts";

/** Bytes as text. */
export type Hex = `0x${string}`;

/** Setup and addresses of a network. All members are optional. */
export interface NetworkOptions extends NetworkDefaults, AnswerOptions {
  /** Address to listen on; default 127.0.0.1, which includes ::1 where there is one. */
  readonly host?: string | undefined;
  /** Further names by which clients may ask; always allowed: localhost and the address listened on. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** 0, the default: any free port. */
  readonly port?: number | undefined;
  /** `each`: every validator on a port of its own, from `port` on; `one` (default): one entry validator. */
  readonly ports?: "one" | "each" | undefined;
  /** Entry validator of the one port; default v1. */
  readonly validator?: string | undefined;
  /** Starts the admin API on a loopback port of its own, for tests in other processes; default true. */
  readonly admin?: boolean | undefined;
  /** Serves a page at the root that shows the network; default true. */
  readonly page?: boolean | undefined;
  /** Serves POST /faucet; default true. */
  readonly faucet?: boolean | undefined;
  /** Requests a minute of one IP address, 0 for any number; default: the profile's. */
  readonly requestsPerMinute?: number | undefined;
  /** Versions of writes that are served: `v1-only`, `dual` (default) or `v2-only`. */
  readonly writeMode?: WriteMode | undefined;
  /** Virtual milliseconds for each real one: 1 (default); 0: time passes by `advance` only. */
  readonly rate?: number | undefined;
  /** Unix milliseconds of virtual time 0; default: now. With `rate: 0` two runs are equal bit for bit. */
  readonly startedAt?: number | undefined;
  /** Text of a recording to continue; it contains the setup of the network. */
  readonly load?: string | undefined;
}

/** An account whose key is known: never for real funds. */
export type NetworkAccount = Readonly<{ name: string; address: Hex; key: Hex }>;

/** Token of the genesis. */
export type NetworkToken = Readonly<{ symbol: string; address: Hex; decimals: number }>;

/** Listening network. */
export interface RunningNetwork extends NetworkControls {
  /** URL of the HTTP interface, without a slash at its end. */
  readonly url: string;
  /** URL by entry validator. */
  readonly urls: Readonly<Record<string, string>>;
  /** URL of the websocket. */
  readonly wsUrl: string;
  /** URL of the admin API; `undefined` if it is off. */
  readonly adminUrl: string | undefined;
  readonly chainId: number;
  /** The ready accounts in their order: operator, issuer, alice, bob, … */
  readonly accounts: readonly NetworkAccount[];
  /** Returns a ready account by its name, index or address. @throws Error for an unknown one. */
  account(name: string): NetworkAccount;
  /** Tokens of the genesis, in their order. */
  readonly tokens: readonly NetworkToken[];
  /** Returns a token of the genesis by its symbol. @throws Error for an unknown one. */
  token(symbol: string): NetworkToken;
  /** Returns the recording so far, for `quorumlab replay`; also after `stop`. */
  recording(): string;
  /** Ends requests in progress and closes the sockets. Idempotent. */
  stop(): Promise<void>;
  /** `await using network = await startNetwork()` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

const INTERFACE: readonly (keyof NetworkOptions)[] = [
  ...(["host", "allowedHosts", "port", "ports", "validator", "admin", "page", "faucet"] as const),
  ...(["requestsPerMinute", "writeMode", "signatureFormat", "v1Hash", "compat"] as const),
  ...(["answers", "rate", "startedAt", "load"] as const),
];
const LOOPBACK = "127.0.0.1";

/**
 * Starts a network of validators that listens on free ports of this machine.
 * @throws Error with a line for each invalid option, and the system's error for a port in use.
 */
export async function startNetwork(options: NetworkOptions = {}): Promise<RunningNetwork> {
  const { recording, requestsPerMinute, signatureFormat, answers, sharedDigests } = startOptions(options);
  const { head, entries } = recording;
  const sink = new MemorySink(head, entries);
  const served = await serve({
    setup: head.setup,
    ...(entries.length === 0 ? {} : { past: entries }),
    sink,
    files: sink.files,
    // At rate 0 the caller advances the time.
    catchUp: options.rate !== 0,
    recording: () => sink.text(),
    host: options.host ?? LOOPBACK,
    allowedHosts: options.allowedHosts,
    port: options.port ?? 0,
    validator: unwrap(entryValidatorsOf(head.setup, options.ports, options.validator), "validator: "),
    admin: options.admin === false ? undefined : { host: LOOPBACK, port: 0, token: undefined },
    faucet: options.faucet ?? true,
    page: options.page,
    requestsPerMinute: options.requestsPerMinute ?? requestsPerMinute,
    writeMode: options.writeMode,
    sharedDigests,
    answers: changedAnswers({ signatureFormat, answers, ...definedMembers(options) }),
    version: head.quorumlab,
  });
  const rated = served.host.setRate(options.rate ?? 1);
  if (!rated.ok) await served.stop();
  unwrap(rated);
  return createRunningNetwork(served, head.setup, () => sink.text());
}

function startOptions(options: NetworkOptions): InterfaceDefaults & {
  readonly recording: Pick<Recording, "head" | "entries">;
} {
  const known: readonly string[] = [...NETWORK_OPTION_NAMES, ...INTERFACE];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`there is no option ${unknown}${suggestion(unknown, known)}`);
  const read = unwrap(readNetworkOptions(options));
  if (options.load !== undefined) return { ...read, recording: unwrap(readRecording(options.load), "load: ") };
  const setup = setupOf(read, options.startedAt ?? Date.now());
  return { ...read, recording: { head: headOf(setup), entries: [] } };
}

function createRunningNetwork(served: ListeningNetwork, setup: Setup, recording: () => string): RunningNetwork {
  const ready = publishedAccounts(setup);
  const accounts = ready.map(({ name, address, key }) => ({ name, address: hex(address), key: hex(key) }));
  const names = accounts.map(({ name }) => name);
  const tokens = readyTokens(setup).map(({ symbol, address, decimals }) => ({
    symbol,
    address: hex(address),
    decimals,
  }));
  const symbols = tokens.map(({ symbol }) => symbol);
  let end: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    end ??= served.stop();
    return end;
  };
  return {
    ...controlsOf(served),
    get violations() {
      return statusOf(served.host).violations;
    },
    url: served.url,
    urls: Object.fromEntries(served.urls),
    wsUrl: `${served.url.replace(/^http/, "ws")}/ws`,
    adminUrl: served.adminUrl,
    chainId: served.host.network.chainId,
    accounts,
    account: (name) => requireKnown("account", name, accounts[accountNamed(ready, name)?.index ?? -1], names),
    tokens,
    token: (symbol) => requireKnown("token", symbol, tokens[symbols.indexOf(symbol)], symbols),
    recording,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** @throws Error for `undefined`, which lists the known names. */
function requireKnown<T>(kind: string, name: string, found: T | undefined, names: readonly string[]): T {
  if (found !== undefined) return found;
  throw new Error(`${kind}: expected one of ${names.join(", ")}; got "${name}"`);
}

function hex(text: string): Hex {
  return text as Hex;
}

/** One verb of the scenario language, such as `{ crash: { node: "v2" } }`. */
type LiveStep = Omit<StepVerbs, "submit" | "workload">;

/** Violation of an invariant, with its virtual milliseconds. */
export type Violation = AdminStatus["violations"][number];

/**
 * Accounts are named by their names or addresses, tokens by their symbols or addresses, amounts by decimal text in a
 * token's units. Each throws an Error that names what was refused and why.
 */
interface NetworkControls {
  /** Executes a fault, or its end, now: any verb of the scenario language but `submit` and `workload`. */
  step(step: LiveStep): void;
  /** Advances virtual time by up to `ms` as fast as possible; returns the milliseconds that passed. */
  advance(ms: number): number;
  /** Sets the virtual milliseconds for each real one. At 0 no submission is final before `advance`. */
  rate(rate: number): void;
  /** Takes a snapshot; returns its name. */
  snapshot(): string;
  /** Reverts to a snapshot, which stays; later snapshots are dropped. */
  revert(snapshot: string): void;
  /** Reverts to the start and drops all snapshots. */
  reset(): void;
  /** Advances to the next checkpoint; returns its number. Refused where it would list nothing and may not be empty. */
  checkpoint(): number;
  /** Closes the epoch; returns the new one. `change`: changed parameters, as in the verb `govern`. */
  epoch(change?: Omit<GovernSpec, "to" | "epoch">): number;
  /** Mints or burns up to this balance; returns the operation's hash, `undefined` if the account had that balance. */
  setBalance(account: string, token: string, value: string): Promise<string | undefined>;
  /** Mints for an account; returns the operation's hash. */
  give(account: string, token: string, value: string): Promise<string>;
  /** Grants or revokes a role, signed by the token's master; returns the operation's hash. `allowance`: of MintBurnTokens. */
  setRole(
    account: string,
    token: string,
    role: Role,
    change: { readonly action: "Grant" | "Revoke"; readonly allowance?: string },
  ): Promise<string>;
  /** Returns the status of the network, as in the admin API. */
  status(): AdminStatus;
  /** Violations so far. */
  readonly violations: readonly Violation[];
}

/** Returns the controls of a served network. */
function controlsOf(served: ListeningNetwork): Omit<NetworkControls, "violations"> {
  const { host, signer, names } = served;
  const holdingOf = (account: string, token: string, value: string) => unwrap(names.holding(account, token, value));
  return {
    step: (step) => void unwrap(host.step(step)),
    advance: (ms) => unwrap(runToEnd(host.advance(ms))),
    rate: (rate) => void unwrap(host.setRate(rate)),
    snapshot: () => unwrap(host.snapshot()),
    revert: (snapshot) => void unwrap(host.revert(snapshot)),
    reset: () => void unwrap(host.reset()),
    checkpoint: () => unwrap(runToEnd(checkpointNow(host))),
    epoch: (change = {}) => unwrap(runToEnd(epochNow(host, { ...change }))),
    setBalance: async (...holding) => unwrap(withFaultText(await signer.setBalance(holdingOf(...holding))))?.hash,
    give: async (...holding) => unwrap(withFaultText(await signer.give(holdingOf(...holding)))).hash,
    setRole: async (account, token, role, { action, allowance = "0" }) => {
      const holding = holdingOf(account, token, allowance);
      return unwrap(withFaultText(await signer.setRole(holding, role, action))).hash;
    },
    status: () => statusOf(host),
  };
}

/** Returns the value of a result. @throws Error with its error, `subject` before it. */
function unwrap<T>(result: Result<T, string>, subject = ""): T {
  if (result.ok) return result.value;
  throw new Error(`${subject}${result.error}`);
}

/** A token that exists from the start; its master authority is the ready account `issuer`. */
interface TokenOptions {
  readonly symbol: string;
  readonly decimals: number;
  /** Default: the symbol. */
  readonly name?: string | undefined;
  /** Only whitelisted accounts hold it; the ready ones are. */
  readonly private?: boolean | undefined;
  readonly paused?: boolean | undefined;
}

/** All members are optional. Amounts are decimal text in a token's units, times are milliseconds. */
interface NetworkDefaults {
  /** `local` (default), `specification` (r and s in answers are decimal), `clients` (issued tokens open at once, payments free, answers with published members alone), `production` (checkpoints without traffic, epochs of a fixed length) or `testnet` (that, and 300 requests a minute). */
  readonly profile?: ServeProfile | undefined;
  /** Number of validators; default 4. */
  readonly validators?: number | undefined;
  /** Number of ready accounts; default 10. */
  readonly accounts?: number | undefined;
  /** Mnemonic of the ready accounts; default: the public test mnemonic. Never use one with real funds. */
  readonly mnemonic?: string | undefined;
  /** Private key of the ready account `operator`; default: the mnemonic's first. */
  readonly operatorKey?: string | undefined;
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
  /** Default: the profile's, 31337 but of `clients`. */
  readonly chainId?: number | undefined;
  /** A scenario whose network and genesis are used: as text (YAML or JSON) or as an object. */
  readonly genesis?: string | Scenario | undefined;
  /** A scenario whose network, genesis and steps are used: its steps are executed at their virtual times. */
  readonly scenario?: string | Scenario | undefined;
  /** Decisions that the specification leaves open, such as `{ issued_tokens: "open" }`; default: the profile's. */
  readonly policies?: PoliciesSpec | undefined;
  /** Seed of all random choices; default "1". */
  readonly seed?: string | undefined;
  /** Delay of links between validators: 10, or a range; default "0..2". */
  readonly delay?: number | string | undefined;
}

/** Members that are text or numbers. */
const TEXTS = [
  ...(["profile", "validators", "accounts", "mnemonic", "operatorKey", "balance", "checkpointInterval"] as const),
  ...(["epochCheckpoints", "chainId", "seed", "delay"] as const),
];

/** Names of the options. */
const NETWORK_OPTION_NAMES: readonly (keyof NetworkDefaults)[] = [
  ...TEXTS,
  ...(["tokens", "fees", "emptyCheckpoints", "genesis", "scenario", "policies"] as const),
];

/** Returns the command-line option of a member. */
function optionOf(member: string): string {
  if (member === "policies") return "policy";
  return member === "tokens" ? "token" : member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns every option with its value, or a line for each error. */
export function readNetworkOptions(traits: NetworkDefaults): Result<ServeOptions, string> {
  const read = readServeOptions(rawOptions(traits));
  return read.ok ? read : err(withOptionNames(read.error));
}

function rawOptions(traits: NetworkDefaults): RawServeOptions {
  const { policies, fees, tokens } = traits;
  const texts = TEXTS.filter((name) => traits[name] !== undefined);
  return {
    ...Object.fromEntries(texts.map((name) => [optionOf(name), String(traits[name])])),
    token: tokens?.map(tokenText),
    fees: typeof fees === "object" ? feesText(fees) : fees,
    "empty-checkpoints": traits.emptyCheckpoints,
    genesis: namedText("genesis", traits.genesis),
    scenario: namedText("scenario", traits.scenario),
    policy: policies && Object.entries(policies).map(([name, choice]) => `${name}=${choice}`),
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
