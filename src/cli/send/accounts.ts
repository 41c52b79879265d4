/** Accounts in options: ready accounts with their keys, and addresses. */
import type { Address } from "../../core/base/ids.ts";
import { suggestion } from "../../scenario/suggest.ts";
import {
  accountNamed,
  faucetAccount,
  type NamedAccount,
  type ReadyAccount,
  readyAccounts,
} from "../../server/accounts/ready-accounts.ts";
import { UsageError } from "../exit-code.ts";
import { KINDS } from "./kinds.ts";
import type { Order } from "./read-order.ts";
import { addressOf } from "./reads.ts";

/** Signer and other parties of an order. */
export interface Accounts {
  /** Returns the signer of the order. @throws UsageError unless it is a ready account. */
  readonly signer: NamedAccount;
  /** Returns the address of a ready account, or the given address. @throws UsageError otherwise. */
  party(option: string, text: string): Address;
}

/** Returns the ready accounts of the order's mnemonic. */
export function accountsFor(order: Order): Accounts {
  const { kind, mnemonic } = order;
  const accounts = readyAccounts({ mnemonic, count: order.accounts });
  const party = (option: string, text: string): Address => {
    const account = accountNamed(accounts, text);
    if (account !== undefined) return account.address;
    if (!text.startsWith("0x")) throw unknown(option, text, accounts);
    return addressOf(option, text);
  };
  const signer = (): NamedAccount => {
    if (kind === "faucet") return faucetAccount(mnemonic);
    const text = order.fields.from ?? KINDS[kind].from ?? "";
    const account = accountNamed(accounts, text);
    if (account === undefined) throw unknown("from", text, accounts);
    return account;
  };
  return { signer: signer(), party };
}

function unknown(option: string, text: string, accounts: readonly ReadyAccount[]): UsageError {
  const names = accounts.map(({ name }) => name);
  const last = accounts.length - 1;
  return new UsageError(
    `--${option}: no ready account is called "${text}"${suggestion(text, names)}: expected a name such as alice, a number from 0 to ${last}, or an address; --accounts derives more`,
  );
}
