import type { Address } from "../../../core/base/ids.ts";
import { tokenAccountAddress } from "../../../core/ledger/identity.ts";
import { accountOf, balanceOf, type LedgerState } from "../../../core/ledger/state.ts";
import type { TokenAccount } from "../schemas/accounts.ts";

/** An account's holding of a token; of a pair that was never used, a balance of 0 (wire 1.4). */
export function tokenAccount(ledger: LedgerState, account: Address, token: Address): TokenAccount {
  return {
    token_account_address: tokenAccountAddress(account, token),
    balance: String(balanceOf(ledger, account, token)),
    nonce: accountOf(ledger, account).nonce,
  };
}
