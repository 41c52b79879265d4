/**
 * Kinds of operations to send with their options, and the reader of an order, which checks them before any request.
 */
import type { Options } from "yargs";
import { ROLES } from "../../core/base/operation.ts";
import { ACCOUNTS_MAX, MNEMONIC_MAX } from "../../server/limits.ts";
import { mnemonicFault, TEST_MNEMONIC } from "../../server/setup/accounts.ts";
import { type Args, textOf, texts, UsageError } from "../command.ts";
import { baseUrl } from "../http.ts";
import type { Env } from "../io.ts";
import { envName, textOption } from "../options.ts";

/** Kinds of operations. `faucet` is a mint by the account that may mint every ready token. */
type SendKind =
  | "payment"
  | "mint"
  | "burn"
  | "cancellation"
  | "issue"
  | "grant"
  | "revoke"
  | "blacklist"
  | "whitelist"
  | "pause"
  | "unpause"
  | "metadata"
  | "faucet";

/** Options of some kinds. */
type Field =
  | "from"
  | "to"
  | "token"
  | "issuer"
  | "value"
  | "account"
  | "remove"
  | "role"
  | "symbol"
  | "decimals"
  | "master"
  | "private"
  | "name"
  | "uri"
  | "additional"
  | "memo";

/** Fields of a kind. */
interface KindRow {
  readonly needs: readonly Field[];
  readonly may: readonly Field[];
  /** Default signer; `undefined`: `--from` is required, or not allowed. */
  readonly from: string | undefined;
}

const BY_MASTER = "issuer";

/** By kind. The master authority has all rights of the roles (specification 6.2), so it is the default signer. */
export const KINDS: Readonly<Record<SendKind, KindRow>> = {
  payment: row(["from", "to", "token", "value"], ["issuer"]),
  mint: row(["to", "token", "value"], ["from", "issuer"], BY_MASTER),
  burn: row(["token", "value"], ["from", "issuer", "account"], BY_MASTER),
  cancellation: row(["from"], []),
  issue: row(["symbol", "decimals"], ["from", "name", "master", "private"], "operator"),
  grant: row(["to", "token", "role"], ["from", "issuer", "value"], BY_MASTER),
  revoke: row(["to", "token", "role"], ["from", "issuer"], BY_MASTER),
  blacklist: row(["account", "token"], ["from", "issuer", "remove"], BY_MASTER),
  whitelist: row(["account", "token"], ["from", "issuer", "remove"], BY_MASTER),
  pause: row(["token"], ["from", "issuer"], BY_MASTER),
  unpause: row(["token"], ["from", "issuer"], BY_MASTER),
  metadata: row(["token", "name"], ["from", "issuer", "uri", "additional"], BY_MASTER),
  faucet: row(["to", "token", "value"], ["issuer"]),
};

/** In the order in which help lists them. */
export const SEND_KINDS: readonly SendKind[] = Object.keys(KINDS) as SendKind[];

/** Options of all kinds, in the order in which help lists them. */
export const FIELDS: Readonly<Record<Field, Options>> = {
  from: textOption("signer: a ready account by its name, number or address"),
  to: textOption("recipient: a ready account, or any address"),
  token: textOption("the token, by the symbol of a ready one or by its address"),
  issuer: textOption("master authority of the token with the symbol; default: issuer"),
  value: textOption("amount in the token's units: 12.5; of a grant: the allowance"),
  account: textOption("of a burn: the account burned from; of a list: the account listed"),
  remove: { type: "boolean", description: "take off the list instead of putting on it" },
  role: { ...textOption("the role"), choices: ROLES },
  symbol: textOption("the new token's symbol"),
  decimals: textOption("the new token's decimals"),
  master: textOption("the new token's master authority; default: issuer"),
  private: { type: "boolean", description: "only whitelisted addresses may use the new token" },
  name: textOption("the token's full name"),
  uri: textOption("address of the token's page"),
  additional: { ...textOption("further metadata of the token, as key=value; may be repeated"), array: true },
  memo: textOption("a text that is signed and shown with it"),
};

/** In the order in which help lists them. */
const FIELD_NAMES: readonly Field[] = Object.keys(FIELDS) as Field[];

/** Option for the mnemonic with which the served network was started. */
export const MNEMONIC_OPTION: Options = textOption(
  `the mnemonic of the ready accounts, up to ${MNEMONIC_MAX} characters; default: the public test one`,
);

function row(needs: readonly Field[], may: readonly Field[], from?: string): KindRow {
  return { needs, may: [...may, "memo"], from };
}

/** Default milliseconds to wait for the receipt. */
export const WAIT_MS = 30_000;
/** A day. */
const WAIT_MS_MAX = 86_400_000;

/** Order after all checks. */
export interface Order {
  readonly kind: SendKind;
  /** Fields of the kind; flags are the text `true`. */
  readonly fields: Readonly<Partial<Record<Exclude<Field, "additional">, string>>>;
  readonly additional: readonly (readonly [key: string, value: string])[];
  readonly nonce: number | undefined;
  readonly mnemonic: string;
  readonly accounts: number;
  readonly url: string;
  readonly wait: boolean;
  readonly waitMs: number;
  readonly json: boolean;
}

const URL_DEFAULT = "http://127.0.0.1:18555";
const ACCOUNTS_DEFAULT = "10";

/** `env`: source of default arguments. @throws UsageError that names the option. */
export function readOrder(args: Args, env: Env): Order {
  const kind = kindOf(textOf(args, "kind") ?? "");
  const nonce = textOf(args, "nonce");
  return {
    kind,
    ...fieldsOf(kind, args, env),
    nonce: nonce === undefined ? undefined : whole("nonce", nonce, Number.MAX_SAFE_INTEGER - 1),
    mnemonic: mnemonicOf(textOf(args, "mnemonic") ?? TEST_MNEMONIC),
    accounts: whole("accounts", textOf(args, "accounts") ?? ACCOUNTS_DEFAULT, ACCOUNTS_MAX),
    url: baseUrl(textOf(args, "url") ?? URL_DEFAULT, URL_DEFAULT),
    wait: args["wait"] !== false,
    waitMs: whole("timeout", textOf(args, "timeout") ?? String(WAIT_MS), WAIT_MS_MAX),
    json: args["json"] === true,
  };
}

/** Returns the value of a required field. */
export function needed({ fields }: Order, field: keyof Order["fields"]): string {
  const value = fields[field];
  if (value === undefined) throw new UsageError(`--${field}: expected a value`);
  return value;
}

/** @throws UsageError unless the text is an integer from 0 to `most`. */
export function whole(option: string, text: string, most: number): number {
  const value = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new UsageError(`--${option}: expected a whole number from 0 to ${most}, got "${text}"`);
}

function kindOf(text: string): SendKind {
  const found = SEND_KINDS.find((kind) => kind === text);
  if (found === undefined) throw new UsageError(`expected one of ${SEND_KINDS.join(", ")}, got "${text}"`);
  return found;
}

/** Ignores options of other kinds if they come from the environment. */
function fieldsOf(kind: SendKind, args: Args, env: Env): Pick<Order, "fields" | "additional"> {
  const { needs, may } = KINDS[kind];
  const known = [...needs, ...may];
  const given = FIELD_NAMES.filter((field) => args[field] !== undefined && args[field] !== false);
  const missing = needs.filter((field) => !given.includes(field));
  if (missing.length > 0) throw new UsageError(`${kind}: expected ${optionsText(missing)} as well`);
  const strange = given.filter((field) => !known.includes(field) && env[envName(field)] === undefined);
  if (strange.length > 0) throw new UsageError(`${kind}: has no ${optionsText(strange)}; it has ${optionsText(known)}`);
  const plain = given.filter((field) => field !== "additional" && known.includes(field));
  return {
    fields: Object.fromEntries(plain.map((field) => [field, textOf(args, field)])),
    additional: texts(args, "additional").map(pairOf),
  };
}

function optionsText(fields: readonly Field[]): string {
  return fields.map((field) => `--${field}`).join(", ");
}

function pairOf(text: string): readonly [key: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--additional: expected key=value, got "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function mnemonicOf(text: string): string {
  const fault = mnemonicFault(text);
  if (fault !== undefined) throw new UsageError(`--${fault}`);
  return text;
}
