/** Operation of a request, in the layout of clients (wire 3.2), and the accounts that it names, multisig accounts too. */
import type { Amount } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Address, Nonce } from "../../core/base/ids.ts";
import type { Layout, Memo, Operation, OperationKind, SignedOperation, SignerSet } from "../../core/base/operation.ts";
import { refusalText } from "../../core/base/refusal.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import { completeFields, digestOf, layoutFault, multisigOperation, usualLayout } from "../../core/ledger/layout.ts";
import { encodeMultisig, multisigAddress, signersFault, sortSigners } from "../../core/ledger/multisig.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import { fewestSigners } from "../../scenario/declarations.ts";
import { type FormMember, fieldsOfVerb, type OperationVerb, VERBS } from "../../scenario/verbs.ts";
import { suggestion } from "../../schema/problem.ts";
import { accountNamed, type NamedAccount, type ReadyAccount, readyAccounts } from "../../server/setup/accounts.ts";
import { UsageError } from "../command.ts";
import { wholeNumberIn } from "../options.ts";
import { addressOf, type SendToken } from "./network.ts";
import { KINDS, optionOf, type SendRequest } from "./order.ts";

/** Part of an order that says what the operation does. */
type OperationPart = Pick<SendRequest, "fields" | "additional" | "legs">;

/** Facts of the network that the operation needs besides the order. `multisig` is absent where no order creates one. */
interface NetworkFacts extends Pick<Accounts, "party">, Partial<Pick<Accounts, "multisig">> {
  readonly chainId: number;
  readonly nonce: Nonce;
  /** Set for kinds that have one. */
  readonly token: SendToken | undefined;
}

const DECIMAL = /^(0|[1-9][0-9]{0,77})(\.[0-9]{1,18})?$/;

/** @throws UsageError that names the option. */
export function draftOf(verb: OperationVerb, order: OperationPart, facts: NetworkFacts): Operation {
  const { chainId, nonce } = facts;
  const fields = fieldsOfVerb(verb, (member, form, field) =>
    readOption(order, facts, optionOf(member, form.type), form, field),
  );
  const { kind } = VERBS[verb];
  const layout = (order.fields["layout"] as Layout | undefined) ?? safeLayout(kind, fields);
  const head = { kind, layout, chainId, nonce, ...memoOf(order.fields["memo"]) };
  const operation = completeFields(layout, { ...head, ...fields } as unknown as Operation) as Operation;
  const fault = layoutFault(layout, operation);
  if (fault !== undefined) throw new UsageError(`--layout: ${refusalText(fault)}`);
  return operation;
}

/** Version 2 for a mint and a burn, which only it tells from payments; it lacks the burn from another account. */
function safeLayout(kind: OperationKind, { recipient }: Readonly<Record<string, unknown>>): Layout {
  const isShared = kind === "mint" || (kind === "burn" && recipient === undefined);
  return isShared ? "v2" : usualLayout(kind);
}

/** Returns the value of a field, `undefined` without its option. */
function readOption(
  order: OperationPart,
  facts: NetworkFacts,
  option: string,
  { type, isTrueWhenAbsent }: FormMember,
  field: Field | undefined,
): unknown {
  const text = order.fields[option];
  switch (type) {
    case "change":
      return text === "true" ? "Remove" : "Add";
    case "flag":
      return text === undefined && isTrueWhenAbsent === true ? undefined : text === "true";
    case "pairs":
      return order.additional;
    case "legs":
      return order.legs.map(([to, value]) => ({
        recipient: facts.party(option, to),
        amount: amountOf(value, facts, option),
      }));
    case "time":
      return text === undefined ? undefined : BigInt(wholeNumberIn(option, text, 0, Number.MAX_SAFE_INTEGER));
    case "token":
      return tokenOf(facts).address;
    case "amount":
      // Clients write an allowance of 0 where there is none.
      return text === undefined ? 0n : amountOf(text, facts);
    case "account": {
      const party = text ?? (option === "master" ? "issuer" : undefined);
      return party === undefined ? undefined : facts.party(option, party);
    }
    case "multisig":
      if (facts.multisig === undefined) throw new UsageError(`--${option}: no multisig accounts here`);
      return facts.multisig(option, text ?? "").set[field?.type === "signers" ? "signers" : "threshold"];
    case "chain":
    case "count":
      return wholeNumberIn(option, text ?? "", 0, field?.most ?? Number.MAX_SAFE_INTEGER);
    case "name":
    case "text":
    case "role":
      return text;
    default:
      return unreachable(type);
  }
}

function amountOf(text: string, facts: NetworkFacts, option = "value"): Amount {
  if (!DECIMAL.test(text)) throw new UsageError(`--${option}: expected an amount such as 12.5, got "${text}"`);
  const { symbol, decimals } = tokenOf(facts);
  const amount = parseDecimal(text, decimals);
  if (typeof amount === "string") throw new UsageError(`--${option}: ${amount}: ${symbol} has ${decimals} decimals`);
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
  signer(): SendSigner;
  /** Returns the multisig account that an option names. @throws UsageError unless ready accounts are its signers. */
  multisig(option: string, text: string): SendMultisig;
  /** Returns the address of a ready account, or the given address. @throws UsageError otherwise. */
  party(option: string, text: string): Address;
  /** Names that the order gave to accounts so far, by address. */
  readonly names: ReadonlyMap<Address, string>;
}

/** Returns the ready accounts of the order's mnemonic. */
export function accountsFor(request: SendRequest): Accounts {
  const { kind, mnemonic } = request;
  const accounts = readyAccounts(mnemonic, request.accounts);
  const names = new Map<Address, string>();
  const withName = <T extends { readonly name: string; readonly address: Address }>(text: string, account: T): T => {
    if (!text.startsWith("0x")) names.set(account.address, account.name);
    return account;
  };
  const ready = (option: string, text: string): NamedAccount => {
    const account = accountNamed(accounts, text);
    if (account === undefined) throw unknownAccountError(option, text, accounts);
    return withName(text, account);
  };
  const multisig = (option: string, text: string): SendMultisig =>
    withName(
      text,
      multisigOf(option, text, (name) => ready(option, name)),
    );
  const party = (option: string, text: string): Address => {
    if (isMultisigText(text)) return multisig(option, text).address;
    const account = accountNamed(accounts, text);
    if (account !== undefined) return withName(text, account).address;
    if (!text.startsWith("0x")) throw unknownAccountError(option, text, accounts);
    return addressOf(option, text);
  };
  const signer = (): SendSigner => {
    if (kind === "faucet") return signerOfKey(ready("issuer", request.fields["issuer"] ?? "issuer"));
    const text = request.fields["from"] ?? KINDS[kind].from ?? "";
    if (!isMultisigText(text)) return signerOfKey(ready("from", text));
    if ((request.fields["layout"] ?? "v2") !== "v2")
      throw new UsageError("--layout: a multisig account signs in v2 only");
    return multisig("from", text);
  };
  return { signer, party, multisig, names };
}

function unknownAccountError(option: string, text: string, accounts: readonly ReadyAccount[]): UsageError {
  const names = accounts.map(({ name }) => name);
  const last = accounts.length - 1;
  return new UsageError(
    `--${option}: no ready account is called "${text}"${suggestion(text, names)}: expected a name such as alice, a number from 0 to ${last}, or an address; --accounts derives more`,
  );
}

/** Signer of an order. */
export interface SendSigner {
  readonly name: string;
  readonly address: Address;
  /** Signs as this account does: a multisig account in version 2. */
  sign(operation: Operation): SignedOperation;
}

/** Multisig account with the keys of its signers. */
interface SendMultisig extends SendSigner {
  readonly set: SignerSet;
}

/** Returns true for the text of a multisig account. */
function isMultisigText(text: string): boolean {
  return /^\d+-of-/.test(text);
}

/** Returns the signer that is one ready account. */
function signerOfKey({ name, address, key }: NamedAccount): SendSigner {
  const sign = (operation: Operation): SignedOperation => ({
    operation,
    sender: address,
    signature: secp256k1.sign(key, digestOf(operation), address),
  });
  return { name, address, sign };
}

/**
 * Returns the multisig account of a text. The fewest of its signers that reach the threshold sign. `party`: a ready
 * account. @throws UsageError for a malformed text, and for a set that no ledger accepts.
 */
function multisigOf(option: string, text: string, party: (name: string) => NamedAccount): SendMultisig {
  const [, threshold, list = ""] = /^(\d{1,5})-of-(.+)$/.exec(text) ?? [];
  if (threshold === undefined)
    throw new UsageError(`--${option}: expected such as 2-of-alice,bob or 3-of-alice:2,bob, got "${text}"`);
  const parts = list.split(",").map((part) => weightedPart(option, part));
  const members = parts.map(({ name, weight }) => ({ name, weight, key: party(name).key }));
  const signers = sortSigners(members.map(({ key, weight }) => ({ key: secp256k1.publicKeyOf(key), weight })));
  const set = { signers, threshold: Number(threshold) };
  const fault = signersFault(set.signers, set.threshold);
  if (fault !== undefined) throw new UsageError(`--${option}: ${refusalText(fault)}`);
  const address = multisigAddress(set);
  const weights = new Map(members.map(({ name, weight }) => [name, weight]));
  const chosen = fewestSigners({ weights, threshold: set.threshold });
  const sign = (operation: Operation): SignedOperation => {
    const multisigPart = multisigOperation(operation, address);
    const digest = digestOf(multisigPart);
    const signatures = members
      .filter(({ name }) => chosen.includes(name))
      .map(({ key }) => ({ key: secp256k1.publicKeyOf(key), signature: secp256k1.sign(key, digest) }));
    return {
      operation: multisigPart,
      sender: address,
      signature: encodeMultisig({ ...set, signatures: sortSigners(signatures) }),
    };
  };
  return { name: text, address, set, sign };
}

function weightedPart(option: string, part: string): { readonly name: string; readonly weight: number } {
  const [, name, weight = "1"] = /^([^:]+)(?::(\d{1,3}))?$/.exec(part) ?? [];
  if (name === undefined) throw new UsageError(`--${option}: expected a signer such as bob or alice:2, got "${part}"`);
  return { name, weight: Number(weight) };
}
