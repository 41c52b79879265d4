/** Form of an operation in a scenario file: the reverse of reading a submission (scenarios 3). */
import { unreachable } from "../core/base/assert.ts";
import type { Address } from "../core/base/ids.ts";
import type { Leg, List, SignedOperation } from "../core/base/operation.ts";
import { multisigAddress } from "../core/ledger/multisig.ts";
import { listActionOf } from "../core/ledger/spelling.ts";
import { decimalText } from "./decimal.ts";
import type { Directory } from "./directory.ts";
import { isAddress } from "./names.ts";
import { type FormMember, type OperationVerb, VERBS, verbOfOperation } from "./verbs.ts";

/** Verb and members of `submit`, without the head: `{ verb: "payment", members: { from, to, token, value } }`. */
export interface SubmissionForm {
  readonly verb: OperationVerb;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Returns the form of a signed operation by the names of a scenario; `undefined` if no verb makes it. */
export function formOf({ sender, operation }: SignedOperation, directory: Directory): SubmissionForm | undefined {
  const fields = operation as unknown as Readonly<Record<string, unknown>>;
  const verb = verbOfOperation(operation);
  if (verb === undefined) return undefined;
  const { form, fills } = VERBS[verb];
  const token = "token" in fields ? tokenName(fields["token"] as Address, directory) : undefined;
  const fieldOf = new Map(Object.entries(fills).map(([field, from]) => [from, field]));
  const members = Object.entries(form).flatMap(([name, member]): readonly (readonly [string, unknown])[] => {
    if (name === "from") return [[name, accountName(sender, directory)]];
    if (member.type === "multisig" && operation.kind === "multisig")
      return [[name, accountName(multisigAddress(operation), directory)]];
    const value = fields[fieldOf.get(name) ?? ""];
    if (value === undefined) return [];
    const isChange = member.type === "change";
    return [[name, isChange ? listActionOf(operation as List) : memberText(member, value, token, directory)]];
  });
  return { verb, members: Object.fromEntries(members) };
}

/** The key of a validator has a name, too, which as an account is another address. */
function accountName(address: Address, directory: Directory): string {
  const name = directory.nameOf(address);
  return !isAddress(name) && directory.account(name) === address ? name : address;
}

function tokenName(address: Address, directory: Directory): string {
  const name = directory.nameOf(address);
  return directory.tokens.get(name)?.address === address ? name : address;
}

function memberText({ type }: FormMember, value: unknown, token: string | undefined, directory: Directory): unknown {
  switch (type) {
    case "account":
      return accountName(value as Address, directory);
    case "token":
      return token;
    case "amount":
      return decimalText(value as bigint, directory.tokens.get(token ?? "")?.decimals ?? 0);
    case "time":
      return Number(value);
    case "legs":
      return (value as readonly Leg[]).map(({ recipient, amount }) => ({
        to: accountName(recipient, directory),
        value: decimalText(amount, directory.tokens.get(token ?? "")?.decimals ?? 0),
      }));
    case "pairs":
      return Object.fromEntries(value as readonly (readonly [string, string])[]);
    case "change":
    case "name":
    case "text":
    case "chain":
    case "count":
    case "multisig":
    case "flag":
    case "role":
      return value;
    default:
      return unreachable(type);
  }
}
