/** Resolution of accounts and tokens by names of the setup, symbols or addresses, and of amounts in a token's units. */

import type { Amount } from "../../core/base/amount.ts";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import { directoryOf, type NamedToken } from "../../scenario/directory.ts";
import type { Host } from "../host/real-host.ts";
import { firstRunningNode } from "./operations.ts";

export type NameResolver = ReturnType<typeof nameResolver>;

/** An account, a token, and an amount in its smallest unit. */
export interface OwnedAmount {
  readonly owner: Address;
  readonly token: Address;
  readonly decimals: number;
  readonly amount: Amount;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the resolver of a served network. */
export function nameResolver(host: Host, scheme: Scheme) {
  const { scenario, keys } = host.network.setup;
  const directory = directoryOf(scenario, scheme, keys);
  const addressByName = new Map<string, Address>(
    [...new Set([...Object.keys(keys), ...directory.accounts, ...directory.nodes])].map((name) => [
      name,
      directory.account(name),
    ]),
  );
  /** Resolves an account by name or address. */
  const account = (text: string): Result<Address, string> => {
    if (ADDRESS.test(text)) return ok(toAddress(text));
    const address = addressByName.get(text);
    return address === undefined
      ? err(`account: expected an address or one of ${[...addressByName.keys()].join(", ")}; got "${text}"`)
      : ok(address);
  };
  return {
    account,
    /** Resolves an account, a token of the current state, and an amount in its units. */
    holding(name: string, tokenText: string, value: string): Result<OwnedAmount, string> {
      const owner = account(name);
      if (!owner.ok) return owner;
      const running = firstRunningNode(host);
      if (running === undefined) return err("no validator runs");
      const found = tokenIn(running.ledger, tokenText);
      if (!found.ok) return found;
      const { address: token, decimals } = found.value;
      const amount = amountOf(value, decimals);
      return amount.ok ? ok({ owner: owner.value, token, decimals, amount: amount.value }) : amount;
    },
  };
}

/** Resolves a token by a symbol that only one token has, or by address. */
function tokenIn(ledger: LedgerState, text: string): Result<NamedToken, string> {
  const found = ADDRESS.test(text) ? [toAddress(text)] : withSymbol(ledger, text);
  const [address] = found;
  const token = address === undefined ? undefined : tokenOf(ledger, address);
  if (address === undefined || token === undefined)
    return err(`token: expected the address or symbol of a token; got "${text}"`);
  if (found.length > 1) return err(`token: ${found.length} tokens have the symbol "${text}"; give the address`);
  return ok({ address, decimals: token.decimals });
}

function withSymbol(ledger: LedgerState, symbol: string): readonly Address[] {
  const tokens = [...ledger.tokens.entries()].filter(([, token]) => token.symbol === symbol);
  return tokens.map(([address]) => address as Address);
}

function amountOf(text: string, decimals: number): Result<Amount, string> {
  if (!/^\d{1,78}(\.\d{1,18})?$/.test(text)) return err(`value: expected decimal text such as "12.5", got "${text}"`);
  const amount = parseDecimal(text, decimals);
  return typeof amount === "string" ? err(`value: ${amount}`) : ok(amount);
}
