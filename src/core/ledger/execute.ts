/** Execution of one authorised operation in its token's slot (protocol 4.1). */
import { add, ZERO } from "../base/amount.ts";
import { AssertionError, required, unreachable } from "../base/assert.ts";
import type { Address, Version } from "../base/ids.ts";
import type { Authority, Issue, Mint, Operation, SignedOperation } from "../base/operation.ts";
import type { Receipt } from "../base/refusal.ts";
import type { SlotKey } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import { checkAuthority } from "./authorise-check.ts";
import { credit } from "./balances.ts";
import { grantActionOf, listActionOf, pauseActionOf, roleOf } from "./spelling.ts";
import { type Authorised, type LedgerState, tokenOf, withChanges } from "./state.ts";
import { granted, noRoles, revoked, type Token, withListEntry } from "./token.ts";

export interface Executed {
  readonly state: LedgerState;
  readonly receipt: Receipt;
}

/**
 * Checks the operation against the token's exact state, role included, and executes it or leaves the token as it is.
 * Returns a receipt in both cases; the signer's nonce was used when it was authorised. The version is not counted here.
 */
export function executeOne(state: LedgerState, token: Address, entry: Authorised, slot: SlotKey): Executed {
  const { id, signed } = entry;
  const policy = tokenOf(state, token);
  const error = checkAuthority(state.operator, token, policy, signed);
  const receipt: Receipt = { id, success: error === undefined, fee: ZERO, feeToken: undefined, error, slot };
  if (error !== undefined) return { state, receipt };
  const { operation } = signed;
  if (operation.kind === "issue")
    return { state: withToken(state, token, issued(operation, state.openTokens)), receipt };
  const changed = effectOn(required(policy, `token ${token}`), signed);
  const next = withToken(state, token, changed);
  // `minted` has risen first, so the credit has room.
  const credited = operation.kind === "mint" ? credit(next, operation.recipient, token, operation.value) : next;
  return { state: credited, receipt };
}

/** Returns a state in which `token` has this policy. */
export function withToken(state: LedgerState, token: Address, policy: Token): LedgerState {
  return withChanges(state, { tokens: state.tokens.set(token, policy) });
}

/**
 * Returns a new token: paused unless the genesis opens tokens, public unless it says otherwise, its master fixed for
 * ever (specification 5.5).
 */
function issued({ symbol, name, decimals, masterAuthority, isPrivate }: Issue, isOpen: boolean): Token {
  return {
    version: 0 as Version,
    symbol,
    name,
    uri: "",
    additional: [],
    decimals,
    masterAuthority,
    isPrivate: isPrivate ?? false,
    isPaused: !isOpen,
    minted: ZERO,
    roles: noRoles(),
    formerHolders: Trie.empty(),
    blacklist: Trie.empty(),
    whitelist: Trie.empty(),
  };
}

function effectOn(policy: Token, { operation, sender }: SignedOperation): Token {
  switch (operation.kind) {
    case "mint":
      return minted(policy, operation, sender);
    case "metadata":
      return { ...policy, name: operation.name, uri: operation.uri, additional: operation.additional };
    case "list":
      return withListEntry(policy, operation.address, listActionOf(operation.action) === "add");
    case "authority":
      return regranted(policy, operation);
    case "pause":
      return { ...policy, isPaused: pauseActionOf(operation.action) === "pause" };
    case "payment":
    case "cancellation":
    case "issue":
    case "burn":
      return misplaced(operation);
    default:
      return unreachable(operation);
  }
}

/** Minting uses up the allowance; the master has no limit (specification 5.6). */
function minted(policy: Token, mint: Mint, signer: Address): Token {
  const total = required(add(policy.minted, mint.value), "room in what was minted");
  const allowance = policy.roles.MintBurnTokens.get(signer);
  const raised: Token = { ...policy, minted: total };
  if (signer === policy.masterAuthority) return raised;
  const rest = required(allowance, `allowance of ${signer}`) - mint.value;
  return granted(raised, signer, "MintBurnTokens", rest as typeof ZERO);
}

function regranted(policy: Token, authority: Authority): Token {
  const role = required(roleOf(authority.authorityType), `role ${authority.authorityType}`);
  return grantActionOf(authority.action) === "grant"
    ? granted(policy, authority.authorityAddress, role, authority.value ?? ZERO)
    : revoked(policy, authority.authorityAddress, role);
}

function misplaced(operation: Operation): never {
  throw new AssertionError(`a ${operation.kind} takes no effect on a token's policy`);
}
