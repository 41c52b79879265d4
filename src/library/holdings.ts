/** Plain records of ledgers, with the names of the scenario. */
import { stateRoot } from "../core/ledger/roots.ts";
import { accountOf, balanceOf, type LedgerState, poolOf } from "../core/ledger/state.ts";
import type { Compiled } from "../scenario/compile/compile.ts";
import type { FinalValidatorState, Holdings } from "./result.ts";

/** The final state of a validator. Contains all named accounts, those of validators included. */
export function finalLedgerOf(validator: string, ledger: LedgerState, { directory }: Compiled): FinalValidatorState {
  const accounts = [...directory.accounts, ...directory.nodes].map((name) => [name, directory.account(name)] as const);
  const tokens = [...directory.tokens].map(([name, { address }]) => [name, address] as const);
  const balances = accounts.map(([name, account]) => {
    const amounts = tokens.map(([token, address]): [string, bigint] => [token, balanceOf(ledger, account, address)]);
    return [name, Object.fromEntries(amounts)] as const;
  });
  return {
    validator,
    root: stateRoot(ledger),
    epoch: ledger.epoch,
    balances: Object.fromEntries(balances),
    nonces: Object.fromEntries(
      accounts.map(([name, account]): [string, number] => [name, accountOf(ledger, account).nonce]),
    ),
    pools: Object.fromEntries(tokens.map(([name, address]): [string, bigint] => [name, poolOf(ledger, address)])),
  };
}

/** The balances, nonces and pools of a validator; empty for `undefined`. */
export function holdingsOf(end: FinalValidatorState | undefined): Holdings {
  const { balances = {}, nonces = {}, pools = {} } = end ?? {};
  return { balances, nonces, pools };
}
