/** Reader of the order, which checks the options of its kind before any request. */
import { ACCOUNTS_MAX } from "../../server/accounts/limits.ts";
import { mnemonicFault, TEST_MNEMONIC } from "../../server/accounts/mnemonic.ts";
import { type Args, textOf, texts } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { type Env, envName } from "../options.ts";
import { FIELD_NAMES, type Field, KINDS, SEND_KINDS, type SendKind } from "./kinds.ts";
import { WAIT_MS, WAIT_MS_MAX } from "./limits.ts";

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
    url: urlOf(textOf(args, "url") ?? URL_DEFAULT),
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

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, "");
  throw new UsageError(`--url: expected an address such as ${URL_DEFAULT}, got "${text}"`);
}
