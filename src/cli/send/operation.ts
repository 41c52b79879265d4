/** Operation of an order, in the layout of clients (wire 3.2), and the accounts that it names. */
import type { Amount } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Address, Nonce } from "../../core/base/ids.ts";
import type { Authority, Memo, Operation, Payment } from "../../core/base/operation.ts";
import { DECIMALS_MAX } from "../../core/ledger/limits.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import { suggestion } from "../../scenario/problem.ts";
import {
  accountNamed,
  faucetAccount,
  type NamedAccount,
  type ReadyAccount,
  readyAccounts,
} from "../../server/setup/accounts.ts";
import { UsageError } from "../command.ts";
import { addressOf, type SendToken } from "./network.ts";
import { KINDS, needed, type Order, whole } from "./order.ts";

/** Facts of the network that the operation needs besides the order. */
interface NetworkFacts {
  readonly chainId: number;
  readonly nonce: Nonce;
  /** Set for kinds that have one. */
  readonly token: SendToken | undefined;
  /** Returns the address of the account that an option names. */
  readonly party: Accounts["party"];
}

const DECIMAL = /^(0|[1-9][0-9]{0,77})(\.[0-9]{1,18})?$/;

/** @throws UsageError that names the option. */
export function draftOf(order: Order, facts: NetworkFacts): Operation {
  const { kind, fields } = order;
  const common = { layout: "client", chainId: facts.chainId, nonce: facts.nonce, ...memoOf(fields.memo) } as const;
  const token = (): Address => tokenOf(facts).address;
  switch (kind) {
    case "payment":
      return { ...common, kind, ...movedTo(order, facts) };
    case "mint":
    case "faucet":
      return { ...common, kind: "mint", ...movedTo(order, facts) };
    case "burn": {
      const recipient = fields.account === undefined ? {} : { recipient: facts.party("account", fields.account) };
      return { ...common, kind, token: token(), value: amountOf(order, facts), ...recipient };
    }
    case "cancellation":
      return { ...common, kind };
    case "issue": {
      const symbol = needed(order, "symbol");
      const decimals = whole("decimals", needed(order, "decimals"), DECIMALS_MAX);
      const masterAuthority = facts.party("master", fields.master ?? "issuer");
      return {
        ...common,
        kind,
        symbol,
        name: fields.name ?? symbol,
        decimals,
        masterAuthority,
        isPrivate: fields.private === "true",
      };
    }
    case "grant":
    case "revoke":
      return { ...common, ...authorityOf(order, facts) };
    case "blacklist":
    case "whitelist": {
      const action = fields.remove === "true" ? "Remove" : "Add";
      return {
        ...common,
        kind: "list",
        list: kind,
        token: token(),
        address: facts.party("account", needed(order, "account")),
        action,
      };
    }
    case "pause":
      return { ...common, kind: "pause", token: token(), action: "Pause" };
    case "unpause":
      return { ...common, kind: "pause", token: token(), action: "Unpause" };
    case "metadata":
      return {
        ...common,
        kind,
        token: token(),
        name: needed(order, "name"),
        uri: fields.uri ?? "",
        additional: order.additional,
      };
    default:
      return unreachable(kind);
  }
}

function movedTo(order: Order, facts: NetworkFacts): Pick<Payment, "token" | "recipient" | "value"> {
  const recipient = facts.party("to", needed(order, "to"));
  return { token: tokenOf(facts).address, recipient, value: amountOf(order, facts) };
}

function authorityOf(order: Order, facts: NetworkFacts): Omit<Authority, "layout" | "chainId" | "nonce" | "memo"> {
  return {
    kind: "authority",
    token: tokenOf(facts).address,
    authorityAddress: facts.party("to", needed(order, "to")),
    action: order.kind === "grant" ? "Grant" : "Revoke",
    authorityType: needed(order, "role"),
    value: order.fields.value === undefined ? (0n as Amount) : amountOf(order, facts),
  };
}

function amountOf(order: Order, facts: NetworkFacts): Amount {
  const text = needed(order, "value");
  if (!DECIMAL.test(text)) throw new UsageError(`--value: expected an amount such as 12.5, got "${text}"`);
  const { symbol, decimals } = tokenOf(facts);
  const amount = parseDecimal(text, decimals);
  if (typeof amount === "string") throw new UsageError(`--value: ${amount}: ${symbol} has ${decimals} decimals`);
  return amount;
}

function tokenOf({ token }: NetworkFacts): SendToken {
  if (token === undefined) throw new UsageError("--token: expected a value");
  return token;
}

function memoOf(data: string | undefined): { readonly memo?: Memo } {
  return data === undefined ? {} : { memo: { type: "", format: "text/plain", data } };
}

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
