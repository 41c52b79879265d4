/** Comparison of a token's state at one validator with the expectation of a file. */
import { ROLES } from "../core/base/operation.ts";
import type { Trie } from "../core/base/trie.ts";
import { type LedgerState, supplyOf, tokenOf } from "../core/ledger/state.ts";
import type { Token } from "../core/ledger/token.ts";
import { decimalText, toDecimalAmount } from "../scenario/decimal.ts";
import type { Directory } from "../scenario/directory.ts";
import type { TokenState } from "../scenario/schema/expect.ts";

/** The differences, as sentences; empty if the token meets the expectation. */
export function diffToken(
  ledger: LedgerState,
  name: string,
  wanted: TokenState,
  directory: Directory,
): readonly string[] {
  const { address } = directory.token(name);
  const token = tokenOf(ledger, address);
  if (wanted.exists === false) return token === undefined ? [] : [`token ${name} exists`];
  if (token === undefined) return [`token ${name} does not exist`];
  const supply = decimalText(supplyOf(ledger, address), token.decimals);
  return [
    ...diff(`${name} is paused`, wanted.paused, token.isPaused),
    ...diff(`${name} is private`, wanted.private, token.isPrivate),
    ...diff(`${name}'s name`, wanted.name, token.name),
    ...diff(`${name}'s uri`, wanted.uri, token.uri),
    ...diff(`${name}'s decimals`, wanted.decimals, token.decimals),
    ...diff(`${name}'s master`, wanted.master, directory.nameOf(token.masterAuthority)),
    ...diff(`${name}'s supply`, normal(wanted.supply, token.decimals), supply),
    ...diff(
      `${name}'s pairs`,
      wanted.additional === undefined ? undefined : JSON.stringify(Object.entries(wanted.additional)),
      JSON.stringify(token.additional),
    ),
    ...ROLES.flatMap((role) => diffList(`${name}'s ${role}`, wanted.roles?.[role], token.roles[role], directory)),
    ...diffList(`${name}'s blacklist`, wanted.blacklist, token.blacklist, directory),
    ...diffList(`${name}'s whitelist`, wanted.whitelist, token.whitelist, directory),
    ...allowances(name, wanted, token, directory),
  ];
}

/** The canonical decimal text of an amount: "1.0" becomes "1". */
export function normal(text: string | undefined, decimals: number): string | undefined {
  return text === undefined ? undefined : decimalText(toDecimalAmount(text, decimals), decimals);
}

/** `what: expected x, got y`; empty if they are equal or nothing is expected. */
export function diff<T extends string | number | boolean>(
  subject: string,
  wanted: T | undefined,
  got: T,
): readonly string[] {
  return wanted === undefined || wanted === got ? [] : [`${subject}: expected ${wanted}, got ${got}`];
}

function diffList(
  subject: string,
  wanted: readonly string[] | undefined,
  got: Trie<unknown>,
  directory: Directory,
): readonly string[] {
  if (wanted === undefined) return [];
  const addresses = wanted.map((name) => directory.account(name));
  const held = [...got.entries()].map(([address]) => address);
  const same = addresses.length === held.length && addresses.every((address) => got.has(address));
  const names = held.map((address) => directory.nameOf(address as (typeof addresses)[number]));
  return same ? [] : [`${subject}: expected [${wanted.join(", ")}], got [${names.join(", ")}]`];
}

function allowances(name: string, wanted: TokenState, token: Token, directory: Directory): readonly string[] {
  return Object.entries(wanted.allowance ?? {}).flatMap(([holder, text]) => {
    const held = token.roles.MintBurnTokens.get(directory.account(holder));
    const got = held === undefined ? "no role" : decimalText(held, token.decimals);
    return diff(`${holder}'s allowance of ${name}`, normal(text, token.decimals), got);
  });
}
