/** Resolution of accounts and tokens by names of the setup, symbols or addresses, and of amounts in a token's units. */

import type { Amount } from "../../core/base/amount.ts";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import type { Setup } from "../../live/recording.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import { directoryOf, type NamedToken } from "../../scenario/directory.ts";
import { firstRunningNode, type Host } from "../host/host.ts";

export type NameResolver = ReturnType<typeof nameResolver>;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the resolver of a served network. */
export function nameResolver(setup: Setup, scheme: Scheme) {
  const directory = directoryOf(setup.scenario, scheme, setup.keys);
  const known = new Map<string, Address>(
    [...new Set([...Object.keys(setup.keys), ...directory.accounts, ...directory.nodes])].map((name) => [
      name,
      directory.account(name),
    ]),
  );
  return {
    /** Resolves an account by name or address. */
    account(text: string): Result<Address, string> {
      if (ADDRESS.test(text)) return ok(toAddress(text));
      const found = known.get(text);
      return found === undefined
        ? err(`account: expected an address or one of ${[...known.keys()].join(", ")}; got "${text}"`)
        : ok(found);
    },
    /** Resolves a token by a symbol that only one token has, or by address. */
    token(text: string, ledger: LedgerState): Result<NamedToken, string> {
      const found = ADDRESS.test(text) ? [toAddress(text)] : withSymbol(ledger, text);
      const [address] = found;
      const token = address === undefined ? undefined : tokenOf(ledger, address);
      if (address === undefined || token === undefined)
        return err(`token: expected the address or symbol of a token; got "${text}"`);
      if (found.length > 1) return err(`token: ${found.length} tokens have the symbol "${text}"; give the address`);
      return ok({ address, decimals: token.decimals });
    },
  };
}

function withSymbol(ledger: LedgerState, symbol: string): readonly Address[] {
  const tokens = [...ledger.tokens.entries()].filter(([, token]) => token.symbol === symbol);
  return tokens.map(([address]) => address as Address);
}

/** Resolves an account, a token of the current state, and an amount in its units. */
export function resolveHolding(host: Host, names: NameResolver, account: string, token: string, value: string) {
  const owner = names.account(account);
  if (!owner.ok) return owner;
  const running = firstRunningNode(host);
  if (running === undefined) return err("no validator runs");
  const found = names.token(token, running.ledger);
  if (!found.ok) return found;
  const { address, decimals } = found.value;
  const amount = amountOf(value, decimals);
  return amount.ok ? ok({ owner: owner.value, token: address, decimals, amount: amount.value }) : amount;
}

function amountOf(text: string, decimals: number): Result<Amount, string> {
  if (!/^\d{1,78}(\.\d{1,18})?$/.test(text)) return err(`value: expected decimal text such as "12.5", got "${text}"`);
  const amount = parseDecimal(text, decimals);
  return typeof amount === "string" ? err(`value: ${amount}`) : ok(amount);
}
