/**
 * Kinds of operations to send with their options, and the reader that checks them before anything is sent.
 */
import type { Options } from "yargs";
import { requireDefined } from "../../core/base/assert.ts";
import type { Signer } from "../../core/ledger/operations/kind.ts";
import { KINDS as OPERATIONS } from "../../core/ledger/operations/kinds.ts";
import { SPELLINGS } from "../../core/ledger/spelling.ts";
import { type MemberType, type OperationVerb, VERBS } from "../../scenario/verbs.ts";
import { ACCOUNTS_MAX, MNEMONIC_MAX } from "../../server/limits.ts";
import { mnemonicFault, TEST_MNEMONIC } from "../../server/setup/accounts.ts";
import { type Args, envName, textOf, texts, UsageError } from "../command.ts";
import { baseUrl } from "../http.ts";
import type { Env } from "../io.ts";
import { textOption, wholeNumber } from "../options.ts";

/**
 * Verbs of the scenario language; `faucet` is a mint by the token's master, and `recovery` has no signature.
 */
type SendKind = OperationVerb | "faucet" | "recovery";

/** Kinds in the order in which help lists them. */
export const SEND_KINDS: readonly SendKind[] = [...(Object.keys(VERBS) as OperationVerb[]), "faucet", "recovery"];

/** Options of a kind. */
interface KindRow {
  readonly needs: readonly string[];
  readonly may: readonly string[];
  /** Default signer; `undefined`: `--from` is required, or not allowed. */
  readonly from: string | undefined;
}

const BY_MASTER = "issuer";

/** The master authority has all rights of the roles (specification 6.2). */
const DEFAULT_SIGNERS: Readonly<Record<Signer, string | undefined>> = {
  owner: undefined,
  authority: BY_MASTER,
  operator: "operator",
};

/** Options of members that have another name. */
const RENAMED: Readonly<Record<string, string>> = { allowance: "value", address: "account" };

/** Returns the name of the option for a member of a form. */
export function optionOf(member: string, type: MemberType): string {
  if (type === "change") return "remove";
  if (type === "pairs") return "additional";
  return type === "legs" ? "leg" : (RENAMED[member] ?? member);
}

/** Options with words of their own, in the order in which help lists them. */
const COMMON: Readonly<Record<string, Options>> = {
  from: textOption(
    "signer: a ready account (funded from the start) by its name, number or address, or a multisig account such as 2-of-alice,bob",
  ),
  to: textOption("recipient: a ready account, or any address"),
  token: textOption("the token: its address, or the symbol of a ready token or of one that --issuer issued"),
  issuer: textOption("master authority of the token that --token names by symbol; default: issuer"),
  value: textOption("amount in the token's units, such as 12.5; of a grant: the allowance of the holder"),
  account: textOption(
    "burn: the account whose tokens are burned; blacklist and whitelist: the account listed; recovery: the blocked account; multisig: the account to create, such as 2-of-alice,bob or 3-of-alice:2,bob",
  ),
  evidence: {
    ...textOption("recovery: a file with a write as --print prints it; twice, for two writes that conflict"),
    array: true,
  },
  remove: { type: "boolean", description: "remove the account from the list instead of adding it" },
  role: { ...textOption("the role to grant or revoke"), choices: SPELLINGS.role },
  leg: {
    ...textOption("batch: a payment, as recipient=amount, such as bob=12.5; once for each, in order"),
    array: true,
  },
  symbol: textOption("the new token's symbol"),
  decimals: textOption("the new token's number of decimals"),
  master: textOption("the new token's master authority; default: issuer"),
  private: { type: "boolean", description: "only whitelisted addresses may use the new token" },
  name: textOption("the token's full name"),
  uri: textOption("address of a page about the token"),
  additional: { ...textOption("further metadata of the token, as key=value; may be repeated"), array: true },
};

/** Option for the form in which the fields are signed (wire 3.4, 3.9). */
export const LAYOUT_OPTION: Options = {
  ...textOption(
    "form in which the fields are signed: in the order of published clients, in that of the specification, or as version 2; default: client, and v2 for what only v2 signs",
  ),
  choices: ["client", "spec", "v2"],
};

/** Options of all kinds, in the order in which help lists them. */
export const FIELDS: Readonly<Record<string, Options>> = {
  ...COMMON,
  ...formOptions(),
  memo: textOption("text that is signed with the operation and shown with it"),
  layout: LAYOUT_OPTION,
};

/** Names in the order in which help lists them. */
const FIELD_NAMES: readonly string[] = Object.keys(FIELDS);

/** By kind. */
export const KINDS: Readonly<Record<SendKind, KindRow>> = Object.fromEntries(
  SEND_KINDS.map((kind) => [kind, rowOf(kind)]),
) as Record<SendKind, KindRow>;

/** Returns an option for each member of a form that has no words of its own. */
function formOptions(): Readonly<Record<string, Options>> {
  const members = Object.values(VERBS).flatMap(({ form }) => Object.entries(form));
  const missing = members.filter(([member, { type }]) => !(optionOf(member, type) in COMMON));
  return Object.fromEntries(
    missing.map(([member, { type, about }]) => [
      member,
      type === "flag" ? { type: "boolean" as const, description: about } : textOption(about),
    ]),
  );
}

function rowOf(kind: SendKind): KindRow {
  if (kind === "faucet") return { needs: ["to", "token", "value"], may: ["issuer", "memo", "layout"], from: undefined };
  if (kind === "recovery") return { needs: ["account", "evidence"], may: [], from: undefined };
  const { kind: operationKind, form } = VERBS[kind];
  const from = DEFAULT_SIGNERS[OPERATIONS[operationKind].signer];
  // A revocation of the scenario language may have an allowance, which no client writes.
  const members = Object.entries(form).filter(([member]) => kind !== "revoke" || member !== "allowance");
  const options = members.map(([member, { type, optional }]) => {
    const option = optionOf(member, type);
    const hasDefault = (option === "from" && from !== undefined) || option === "master";
    return { option, isNeeded: optional !== true && !hasDefault && type !== "change" && type !== "flag" };
  });
  const needs = options.filter(({ isNeeded }) => isNeeded).map(({ option }) => option);
  const may = options.filter(({ isNeeded }) => !isNeeded).map(({ option }) => option);
  if (needs.includes("token")) may.push("issuer");
  return { needs: sortOptions(needs), may: sortOptions([...may, "memo", "layout"]), from };
}

function sortOptions(options: readonly string[]): readonly string[] {
  return FIELD_NAMES.filter((name) => options.includes(name));
}

/** Option for the mnemonic with which the served network was started. */
export const MNEMONIC_OPTION: Options = textOption(
  `mnemonic of the ready accounts, up to ${MNEMONIC_MAX} characters; default: the public test mnemonic`,
);

/** Default milliseconds to wait for the receipt. */
export const WAIT_MS = 30_000;
/** A day. */
const WAIT_MS_MAX = 86_400_000;

const URL_DEFAULT = "http://127.0.0.1:18555";
const ACCOUNTS_DEFAULT = 10;

/** Returns the request of the arguments; `env` is the source of defaults. @throws UsageError that names the option. */
export function readSendRequest(args: Args, env: Env) {
  // yargs rejects all other values.
  const kind = requireDefined(
    SEND_KINDS.find((name) => name === textOf(args, "kind")),
    "kind",
  );
  return {
    kind,
    ...fieldsOf(kind, args, env),
    nonce: wholeNumber(args, "nonce", 0, Number.MAX_SAFE_INTEGER - 1),
    mnemonic: mnemonicOption(args),
    accounts: wholeNumber(args, "accounts", 0, ACCOUNTS_MAX) ?? ACCOUNTS_DEFAULT,
    url: baseUrl(textOf(args, "url") ?? URL_DEFAULT, URL_DEFAULT),
    /** True to print the write and send nothing. */
    print: args["print"] === true,
    wait: args["wait"] !== false,
    waitMs: wholeNumber(args, "timeout", 0, WAIT_MS_MAX) ?? WAIT_MS,
    json: args["json"] === true,
  };
}

/** Request of a `send` command, after all checks. */
export type SendRequest = ReturnType<typeof readSendRequest>;

/** Ignores options of other kinds if they come from the environment. */
function fieldsOf(kind: SendKind, args: Args, env: Env) {
  const { needs, may } = KINDS[kind];
  const known = [...needs, ...may];
  const names = FIELD_NAMES.filter((field) => args[field] !== undefined && args[field] !== false);
  const missing = needs.filter((field) => !names.includes(field));
  if (missing.length > 0) throw new UsageError(`${kind}: expected ${optionsText(missing)} as well`);
  const surplus = names.filter((field) => !known.includes(field) && env[envName(field)] === undefined);
  if (surplus.length > 0) throw new UsageError(`${kind}: has no ${optionsText(surplus)}; it has ${optionsText(known)}`);
  const plain = names.filter((field) => FIELDS[field]?.array !== true && known.includes(field));
  return {
    /** Fields of the kind; flags are the text `true`. */
    fields: Object.fromEntries(plain.map((field) => [field, textOf(args, field)])),
    additional: texts(args, "additional").map((text) => pairOf("additional", "key=value", text)),
    /** Recipient and amount of each payment of a batch. */
    legs: texts(args, "leg").map((text) => pairOf("leg", "recipient=amount", text)),
    /** Names of the files of a recovery's evidence. */
    evidence: texts(args, "evidence"),
  };
}

function optionsText(fields: readonly string[]): string {
  return fields.map((field) => `--${field}`).join(", ");
}

function pairOf(option: string, form: string, text: string): readonly [key: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--${option}: expected ${form}, got "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the words of `--mnemonic`. @throws UsageError for other words. */
export function mnemonicOption(args: Args): string {
  const text = textOf(args, "mnemonic") ?? TEST_MNEMONIC;
  const fault = mnemonicFault(text);
  if (fault !== undefined) throw new UsageError(`--${fault}`);
  return text;
}
