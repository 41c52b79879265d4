/** Conflicts between options that prevent the start of a network. */
import { checkScenario } from "../../scenario/check/check.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import { PROBLEMS_SHOWN } from "../../scenario/limits.ts";
import { accountNamed, type ReadyAccount, readyAccounts } from "../accounts/ready-accounts.ts";
import type { ServeOptions } from "./options.ts";
import { scenarioOf } from "./scenario-of.ts";

/** Returns a line for each conflict; `undefined` if the network can start. */
export function optionConflict(options: ServeOptions): string | undefined {
  const accounts = readyAccounts({ mnemonic: options.mnemonic, count: options.accounts });
  const fault = symbolFault(options) ?? addressFault(options, accounts) ?? balanceFault(options);
  if (fault !== undefined) return fault;
  const names = accounts.map(({ name }) => name);
  const issues = checkScenario(scenarioOf(options, names)).slice(0, PROBLEMS_SHOWN);
  if (issues.length === 0) return undefined;
  return issues
    .map(({ path, message }) => [...(path.length > 0 ? [path.join(".")] : []), message].join(": "))
    .join("\n");
}

/** An option must not silently replace a token of the file. */
function symbolFault({ base, tokens }: ServeOptions): string | undefined {
  const known = Object.keys(base.genesis?.tokens ?? {});
  const twice = tokens.find(({ symbol }) => known.includes(symbol));
  return twice === undefined ? undefined : `--token: ${twice.symbol} is already defined in the file`;
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
