/** Startup text of `quorumlab serve` for people, and its ready line for programs. */
import { quorumOf } from "../../core/consensus/committee.ts";
import type { Setup } from "../../live/recording.ts";
import { alignColumns } from "../../report/columns.ts";
import { validatorNames } from "../../scenario/declared.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/parameters.ts";
import { checkpointsIn } from "../../scenario/schema/epoch.ts";
import { listFirst } from "../../schema/problem.ts";
import { VALIDATORS_PRINTED } from "../limits.ts";
import { type ReadyAccount, readyAccounts, TEST_MNEMONIC } from "./accounts.ts";
import { type GenesisTokenInfo, readyTokens } from "./setup-of.ts";

/** Returns sections with headings and empty lines between them; the warning is last, where it is seen. */
export function startupText(setup: Setup, accounts: readonly ReadyAccount[], urls: Urls, crypto: string): string {
  const tokens = readyTokens(setup);
  const sections: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    ["Accounts", accountLines(setup, accounts)],
    ["Tokens", tokenLines(tokens)],
    ["Fees", feeLines(tokens)],
    ["Network", networkLines(setup, crypto)],
    ["Endpoints", endpointLines(urls)],
    ["Warning", warningLines(setup, accounts)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `${heading}\n${lines.map((line) => `  ${line}\n`).join("")}`)
    .join("\n");
}

function accountLines(setup: Setup, accounts: readonly ReadyAccount[]): readonly string[] {
  const balances = setup.scenario.genesis?.balances ?? {};
  const rows = accounts.map(({ name, address, key }) => {
    const tokens = Object.entries(balances[name] ?? {}).map(([symbol, amount]) => `${amount} ${symbol}`);
    return [name, address, key, tokens.join(", ")];
  });
  return rows.length === 0 ? [] : alignColumns([["name", "address", "private key", "balance"], ...rows]);
}

function tokenLines(tokens: readonly GenesisTokenInfo[]): readonly string[] {
  if (tokens.length === 0) return [];
  const rows = tokens.map(({ symbol, address, decimals, isPrivate, isPaused, name }) => [
    symbol,
    address,
    String(decimals),
    `${isPrivate ? "private" : "public"}, ${isPaused ? "paused" : "open"}`,
    name,
  ]);
  return alignColumns([["symbol", "address", "decimals", "state", "name"], ...rows]);
}

function feeLines(tokens: readonly GenesisTokenInfo[]): readonly string[] {
  return tokens.flatMap(({ symbol, fees }) => {
    if (fees === undefined) return [];
    const { payment, cancellation, recovery } = fees;
    return [`a payment costs ${payment} ${symbol}, a cancellation ${cancellation}, a recovery ${recovery}`];
  });
}

function networkLines({ scenario, seed }: Setup, crypto: string): readonly string[] {
  const names = validatorNames(scenario);
  const { chain_id = CHAIN_ID_DEFAULT, open_tokens, epochs } = scenario.genesis ?? {};
  const checkpoints = checkpointsIn(scenario.genesis);
  const { length } = names;
  const idle = checkpoints?.empty === true ? "without traffic too" : "where there is something to list";
  const interval = checkpoints === undefined ? "none" : `${checkpoints.interval_ms} ms after the one before, ${idle}`;
  return alignColumns([
    ["validators", `${length}: ${listFirst(names, VALIDATORS_PRINTED)}; signatures of ${quorumOf(length)} make final`],
    ["chain id", String(chain_id)],
    ["link delay", `${scenario.network?.delay_ms ?? "usual"} ms`],
    ["checkpoints", interval],
    ["epochs", epochs === undefined ? "closed by governance only" : `closed after ${epochs.checkpoints} checkpoints`],
    ["issued tokens", open_tokens === true ? "open at once" : "paused until unpaused"],
    ["signatures", CRYPTO_TEXTS[crypto] ?? crypto],
    ["seed", seed],
    ...((scenario.steps ?? []).length > 0
      ? [["scenario", `${scenario.name}: its steps are executed at their virtual times`]]
      : []),
  ]);
}

/** Texts of the implementations of signatures, by `Scheme.backend`. */
const CRYPTO_TEXTS: Readonly<Record<string, string>> = {
  native: "secp256k1, native code",
  wasm: "secp256k1, WebAssembly: about 4 times slower than native code",
  noble: "secp256k1, plain JavaScript: about 25 times slower than native code",
  "stand-in": "a keyed hash in their place: not for real clients",
};

function endpointLines({ url, adminUrl, others = [] }: Urls): readonly string[] {
  return alignColumns([["HTTP", url], ...others, ...(adminUrl === undefined ? [] : [["admin", adminUrl]])]);
}

/** Each warning applies to the default options, and not to all. */
function warningLines({ scenario }: Setup, accounts: readonly ReadyAccount[]): readonly string[] {
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  const [known] = readyAccounts({ mnemonic: TEST_MNEMONIC, count: 1 });
  return [
    ...(accounts.some(({ key }) => key === known?.key)
      ? ["The mnemonic of these accounts is public, and so are their private keys."]
      : ["The private keys of these accounts are printed above."]),
    ...(chainId === CHAIN_ID_DEFAULT
      ? [`Chain id ${chainId} is also the public test network's: signatures made here are valid there.`]
      : []),
    "Never use real keys or real funds here.",
  ];
}

/** URLs of a served network. */
export interface Urls {
  /** HTTP interface of the first validator, without a trailing slash. */
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Further URLs with their names: the websocket, the documentation, other validators. */
  readonly others?: readonly (readonly [label: string, url: string])[];
}

/** Returns one JSON object on one line, without a line break. */
export function readyLine(setup: Setup, accounts: readonly ReadyAccount[], urls: Urls, crypto: string): string {
  return JSON.stringify({
    type: "ready",
    url: urls.url,
    admin_url: urls.adminUrl ?? null,
    chain_id: setup.scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT,
    accounts: accounts.map(({ name, address, key }) => ({ name, address, key })),
    tokens: readyTokens(setup).map(({ symbol, name, address, decimals, master, isPrivate, isPaused }) => ({
      symbol,
      name,
      address,
      decimals,
      master_authority: master,
      is_private: isPrivate,
      is_paused: isPaused,
    })),
    validators: validatorNames(setup.scenario),
    seed: setup.seed,
    crypto,
  });
}
