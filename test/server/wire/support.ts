/** Operations as the bodies that clients would post. */
import { type Address, toAddress } from "../../../src/core/base/ids.ts";
import type { Operation } from "../../../src/core/base/operation.ts";
import { PATHS } from "../client/layouts.ts";

export type Body = Record<string, unknown>;

/** The path of an operation's kind; of the two lists, the newer ones. */
export function pathOf(operation: Operation): string {
  return PATHS[operation.kind === "list" ? operation.list : operation.kind];
}

/** The members of an operation without its signature. Amounts are decimal text. */
export function bodyOf(operation: Operation): Body {
  const { kind, layout, chainId, nonce, memo, ...fields } = operation;
  const head: Body = { chain_id: chainId, nonce, ...(memo === undefined ? {} : { memo }) };
  for (const [name, value] of Object.entries(fields)) {
    if (name === "list") continue;
    if (name === "additional")
      head["additional_metadata"] = (value as [string, string][]).map(([k, v]) => ({ key: k, value: v }));
    else
      head[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] =
        typeof value === "bigint" ? String(value) : value;
  }
  return head;
}

/** A signature in range, for bodies that nobody recovers. */
export const SOME_SIGNATURE: Body = { r: "0x1", s: "2", v: 0 };

export const A: Address = toAddress(`0x${"aa".repeat(20)}`);
export const B: Address = toAddress(`0x${"0b".repeat(20)}`);
export const HEAD: Body = { chain_id: 1212101, nonce: 3, signature: SOME_SIGNATURE };
const LIST: Body = { ...HEAD, action: "Blacklist", address: A, token: B };

/** One body for each path, with all its members. */
export const VALID: Readonly<Record<string, Body>> = {
  "/v1/transactions/payment": { ...HEAD, recipient: A, value: "5", token: B },
  "/v1/transactions/cancellation": HEAD,
  "/v1/tokens/issue": {
    ...HEAD,
    symbol: "EUR",
    name: "Euro",
    decimals: 2,
    master_authority: A,
    is_private: false,
    clawback_enabled: true,
  },
  "/v1/tokens/mint": { ...HEAD, recipient: A, value: "5", token: B },
  "/v1/tokens/burn": { ...HEAD, recipient: A, value: "5", token: B },
  "/v1/tokens/update_metadata": {
    ...HEAD,
    name: "Euro",
    uri: "",
    token: B,
    additional_metadata: [{ key: "k", value: "v" }],
  },
  "/v1/tokens/manage_blacklist": { ...LIST, action: "Add" },
  "/v1/tokens/manage_whitelist": { ...LIST, action: "Add" },
  "/v1/tokens/managelist": LIST,
  "/v1/tokens/blacklist": LIST,
  "/v1/tokens/grant_authority": {
    ...HEAD,
    action: "Grant",
    authority_type: "MintBurnTokens",
    authority_address: A,
    token: B,
    value: "5",
  },
  "/v1/tokens/pause": { ...HEAD, action: "Pause", token: B },
};
