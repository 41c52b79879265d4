/** Kinds of operations to send, with their options. */
import type { Argv, Options } from "yargs";
import { ROLES } from "../../core/base/operation.ts";
import { MNEMONIC_MAX } from "../../server/accounts/limits.ts";
import { type Env, textOption, withOptions } from "../options.ts";

/** Kinds of operations. `faucet` is a mint by the account that may mint every ready token. */
export type SendKind =
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
export type Field =
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
export interface KindRow {
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

/** In the order in which help lists them. */
const FIELDS: Readonly<Record<Field, Options>> = {
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
export const FIELD_NAMES: readonly Field[] = Object.keys(FIELDS) as Field[];

/** Adds the options of all kinds. */
export function withFields(yargs: Argv, env: Env): Argv {
  return withOptions(yargs, env, FIELDS);
}

/** Option for the mnemonic with which the served network was started. */
export const MNEMONIC_OPTION: Options = textOption(
  `the mnemonic of the ready accounts, up to ${MNEMONIC_MAX} characters; default: the public test one`,
);

function row(needs: readonly Field[], may: readonly Field[], from?: string): KindRow {
  return { needs, may: [...may, "memo"], from };
}
