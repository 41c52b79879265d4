/** Resolver of accounts and tokens by names of the setup, symbols or addresses. */
import { type Address, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import type { Setup } from "../../live/setup.ts";
import { directoryOf } from "../../scenario/directory.ts";

export interface NameResolver {
  /** Resolves an account by name or address. */
  account(text: string): Result<Address, string>;
  /** Resolves a token by a symbol that only one token has, or by address. */
  token(text: string, ledger: LedgerState): Result<{ readonly address: Address; readonly decimals: number }, string>;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the resolver of a served network. */
export function nameResolver(setup: Setup, scheme: Scheme): NameResolver {
  const directory = directoryOf(setup.scenario, scheme, setup.keys);
  const known = new Map<string, Address>(
    [...new Set([...Object.keys(setup.keys), ...directory.accounts, ...directory.nodes])].map((name) => [
      name,
      directory.account(name),
    ]),
  );
  return {
    account(text) {
      if (ADDRESS.test(text)) return ok(toAddress(text));
      const found = known.get(text);
      return found === undefined
        ? err(`account: expected an address or one of ${[...known.keys()].join(", ")}; got "${text}"`)
        : ok(found);
    },
    token(text, ledger) {
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
  const found: Address[] = [];
  for (const [address, token] of ledger.tokens.entries()) if (token.symbol === symbol) found.push(address as Address);
  return found;
}
