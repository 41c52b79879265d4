/** Reader of the options of `quorumlab serve`, which reports all errors at once. */
import { err, ok, type Result } from "../../core/base/result.ts";
import type { PrivateKey } from "../../core/crypto/scheme.ts";
import { CHECKPOINT_INTERVAL_MS, EPOCH_CHECKPOINTS } from "../../core/ledger/limits.ts";
import { checkScenario } from "../../scenario/check/check.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import { declarationsOf, VALIDATORS_DEFAULT } from "../../scenario/declarations.ts";
import { PROBLEMS_SHOWN } from "../../scenario/limits.ts";
import { CHECKPOINTS_DEFAULT } from "../../scenario/parameters.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { checkpointsIn, type FeeRowSpec } from "../../scenario/schema/epoch.ts";
import type { PoliciesSpec } from "../../scenario/schema/policies.ts";
import { ACCOUNTS_MAX, SEED_MAX, SERVED_VALIDATORS_MAX } from "../limits.ts";
import {
  accountNamed,
  isPrivateKey,
  mnemonicFault,
  OPERATOR,
  type ReadyAccount,
  readyAccounts,
  TEST_MNEMONIC,
} from "./accounts.ts";
import {
  type DecimalsBySymbol,
  PROFILE_ROWS,
  PROFILES,
  type RawServeOptions,
  type ReadyToken,
  readBase,
  readDecimal,
  readDelay,
  readEnum,
  readFees,
  readInteger,
  readPolicies,
  readTokens,
  type ServeOptions,
  TOKEN_DEFAULT,
  usualFees,
} from "./options.ts";
import { scenarioOf } from "./setup-of.ts";

const ACCOUNTS_DEFAULT = 10;
const BALANCE_DEFAULT = "1000000";
const CHECKPOINT_INTERVAL_DEFAULT = 2_000;
const DELAY_DEFAULT = "0..2";
const SEED_DEFAULT = "1";

/** Records an error and continues with the fallback. */
type Take = <T>(result: Result<T, string>, instead: T) => T;

/** Returns all options with their values, which can be started, or a line for each error. */
export function readServeOptions(raw: RawServeOptions): Result<ServeOptions, string> {
  const faults: string[] = [];
  const take: Take = (result, instead) => {
    if (result.ok) return result.value;
    faults.push(result.error);
    return instead;
  };
  const base = take<Scenario>(readBase(raw), { name: "" });
  const options = readAll(raw, base, take);
  if (faults.length > 0) return err(faults.join("\n"));
  const fault = optionConflict(options);
  return fault === undefined ? ok(options) : err(fault);
}

function readAll(raw: RawServeOptions, base: Scenario, take: Take): ServeOptions {
  const { genesis, network } = base;
  const profile = take(readEnum("profile", raw.profile ?? "local", PROFILES), "local");
  const { paymentFee, ...row } = PROFILE_ROWS[profile];
  const whole = (
    option: "validators" | "accounts" | "checkpoint-interval" | "epoch-checkpoints" | "chain-id",
    least: number,
    most: number,
  ) => {
    const text = raw[option];
    return text === undefined ? undefined : take(readInteger(option, text, least, most), least);
  };
  const checkpointInterval = whole("checkpoint-interval", 0, CHECKPOINT_INTERVAL_MS) ?? intervalOf(base);
  const usual = genesis?.tokens === undefined ? [TOKEN_DEFAULT] : [];
  const typed = raw.token ?? [];
  const tokens = take(readTokens(typed.length > 0 ? typed : usual), []);
  return {
    ...row,
    profile,
    base,
    validators: whole("validators", 1, SERVED_VALIDATORS_MAX) ?? network?.validators ?? VALIDATORS_DEFAULT,
    delay: raw.delay === undefined ? (network?.delay_ms ?? DELAY_DEFAULT) : take(readDelay(raw.delay), "0"),
    chainId: whole("chain-id", 1, Number.MAX_SAFE_INTEGER) ?? genesis?.chain_id ?? row.chainId,
    accounts: whole("accounts", 0, ACCOUNTS_MAX) ?? ACCOUNTS_DEFAULT,
    mnemonic: take(readMnemonic(raw.mnemonic ?? TEST_MNEMONIC), TEST_MNEMONIC),
    operatorKey: take(readKey(raw["operator-key"]), undefined),
    tokens,
    balances: balancesOf(raw.balance, base, tokens, take),
    fees: feesOf(raw.fees, base, tokens, paymentFee, take),
    issuedFees: genesis?.fees?.unnamed ?? row.issuedFees,
    checkpointInterval,
    emptyCheckpoints:
      raw["empty-checkpoints"] ?? (checkpointInterval > 0 && (checkpointsIn(genesis)?.empty ?? row.emptyCheckpoints)),
    epochCheckpoints:
      whole("epoch-checkpoints", 0, EPOCH_CHECKPOINTS) ??
      genesis?.epochs?.checkpoints ??
      (checkpointInterval > 0 ? row.epochCheckpoints : 0),
    policies: { ...row.policies, ...genesis?.policies, ...policiesGiven(raw, take) },
    seed: take(readSeed(raw.seed ?? SEED_DEFAULT), SEED_DEFAULT),
  };
}

function readMnemonic(text: string): Result<string, string> {
  const fault = mnemonicFault(text);
  return fault === undefined ? ok(text) : err(`--${fault}`);
}

/** Texts of keys are in no message. */
function readKey(text: string | undefined): Result<PrivateKey | undefined, string> {
  if (text === undefined || isPrivateKey(text)) return ok(text?.toLowerCase() as PrivateKey | undefined);
  return err("--operator-key: expected a private key of secp256k1: 0x and 64 hex digits");
}

function readSeed(text: string): Result<string, string> {
  return text !== "" && text.length <= SEED_MAX ? ok(text) : err(`--seed: expected 1 to ${SEED_MAX} characters`);
}

/** `--open-tokens` is short for the policy that most who serve a network want. */
function policiesGiven(raw: RawServeOptions, take: Take): PoliciesSpec {
  const open = raw["open-tokens"] === true ? ["issued_tokens=open"] : [];
  return take(readPolicies([...open, ...(raw.policy ?? [])]), {});
}

/** A file that forms checkpoints without an interval gets the default of the scenario language. */
function intervalOf({ genesis }: Scenario): number {
  if (genesis?.checkpoints === undefined) return CHECKPOINT_INTERVAL_DEFAULT;
  if (genesis.checkpoints === "none") return 0;
  return genesis.checkpoints.interval_ms ?? CHECKPOINTS_DEFAULT.intervalMs;
}

/** A file's own tokens are given to the ready accounts only if `--balance` is given. */
function balancesOf(
  text: string | undefined,
  base: Scenario,
  tokens: readonly ReadyToken[],
  take: Take,
): ServeOptions["balances"] {
  const balance = take(readDecimal("balance", text ?? BALANCE_DEFAULT), BALANCE_DEFAULT);
  const ofFile = text === undefined ? [] : Object.keys(base.genesis?.tokens ?? {});
  return Object.fromEntries([...ofFile, ...tokens.map(({ symbol }) => symbol)].map((symbol) => [symbol, balance]));
}

function feesOf(
  text: string | undefined,
  base: Scenario,
  ready: readonly ReadyToken[],
  paymentFee: string,
  take: Take,
): Readonly<Record<string, FeeRowSpec>> {
  const decimals: DecimalsBySymbol = Object.fromEntries([
    ...[...declarationsOf(base).tokens].map(([symbol, token]) => [symbol, token.decimals] as const),
    ...ready.map(({ symbol, part }) => [symbol, part.decimals] as const),
  ]);
  if (text !== undefined) return take(readFees(text, decimals), {});
  const fileFees = base.genesis?.fees;
  if (fileFees === undefined) return usualFees(paymentFee, decimals);
  const { tokens = {}, unnamed: _unnamed, ...baseFees } = fileFees;
  const tokenFees = new Map(Object.entries(tokens));
  return Object.fromEntries(Object.keys(decimals).map((symbol) => [symbol, tokenFees.get(symbol) ?? baseFees]));
}

/** Returns a line for each conflict; `undefined` if the network can start. */
function optionConflict(options: ServeOptions): string | undefined {
  const accounts = readyAccounts(options.mnemonic, options.accounts);
  const fault =
    intervalFault(options) ??
    symbolFault(options) ??
    addressFault(options, accounts) ??
    keyFault(options, accounts) ??
    balanceFault(options);
  if (fault !== undefined) return fault;
  const names = accounts.map(({ name }) => name);
  const issues = checkScenario(scenarioOf(options, names)).slice(0, PROBLEMS_SHOWN);
  if (issues.length === 0) return undefined;
  return issues
    .map(({ path, message }) => [...(path.length > 0 ? [path.join(".")] : []), message].join(": "))
    .join("\n");
}

function intervalFault({ checkpointInterval, emptyCheckpoints, epochCheckpoints }: ServeOptions): string | undefined {
  if (checkpointInterval > 0 || (!emptyCheckpoints && epochCheckpoints === 0)) return undefined;
  const option = emptyCheckpoints ? "empty-checkpoints" : "epoch-checkpoints";
  return `--${option}: no checkpoints are formed: expected a --checkpoint-interval above 0`;
}

/** An option must not silently replace a token of the file. */
function symbolFault({ base, tokens }: ServeOptions): string | undefined {
  const symbols = Object.keys(base.genesis?.tokens ?? {});
  const duplicate = tokens.find(({ symbol }) => symbols.includes(symbol));
  return duplicate === undefined ? undefined : `--token: ${duplicate.symbol} is already defined in the file`;
}

/** One account under two names would have two balances. */
function addressFault({ base }: ServeOptions, accounts: readonly ReadyAccount[]): string | undefined {
  for (const address of Object.keys(base.genesis?.balances ?? {})) {
    const account = address.startsWith("0x") ? accountNamed(accounts, address) : undefined;
    if (account !== undefined)
      return `genesis.balances.${address}: expected ${account.name}, the name of this ready account`;
  }
  return undefined;
}

/** One key under two names would be one account under two. */
function keyFault({ operatorKey }: ServeOptions, accounts: readonly ReadyAccount[]): string | undefined {
  const namesake = accounts.find(({ name, key }) => key === operatorKey && name !== OPERATOR);
  return namesake && `--operator-key: expected a key of its own: it is that of ${namesake.name}`;
}

/** Reports an invalid balance once, not for every account. */
function balanceFault({ base, tokens, balances }: ServeOptions): string | undefined {
  const parts = { ...base.genesis?.tokens, ...Object.fromEntries(tokens.map(({ symbol, part }) => [symbol, part])) };
  for (const [symbol, balance] of Object.entries(balances)) {
    const decimals = parts[symbol]?.decimals ?? 0;
    const amount = parseDecimal(balance, decimals);
    if (typeof amount === "string") return `--balance: ${symbol}: ${amount}: it has ${decimals} decimals`;
  }
  return undefined;
}
