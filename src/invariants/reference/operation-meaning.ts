/** Meaning of the texts in an operation (protocol 4; aliases: wire 2.2). The text itself is only ever signed. */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Burn, Operation, Role, SignedOperation } from "../../core/base/operation.ts";

const ROLE_WORDS: ReadonlyMap<string, Role> = new Map([
  ["MasterMintBurn", "MasterMintBurn"],
  ["MasterMint", "MasterMintBurn"],
  ["MintBurnTokens", "MintBurnTokens"],
  ["MintTokens", "MintBurnTokens"],
  ["Burn", "MintBurnTokens"],
  ["Pause", "Pause"],
  ["ManageList", "ManageList"],
  ["Blacklist", "ManageList"],
  ["Whitelist", "ManageList"],
  ["UpdateMetadata", "UpdateMetadata"],
]);

/** Returns the role of a received spelling. */
export function roleOf(authorityType: string): Role | undefined {
  return ROLE_WORDS.get(authorityType);
}

/** Returns the effect of a list action. The older actions name the list to which they add. */
export function listOf(list: "blacklist" | "whitelist", action: string): "add" | "remove" | undefined {
  if (action === "Add") return "add";
  if (action === "Remove") return "remove";
  return action === (list === "blacklist" ? "Blacklist" : "Whitelist") ? "add" : undefined;
}

/** Returns the nonce of an operation. */
export function nonceOf(signed: SignedOperation): number {
  return signed.operation.nonce;
}

export function isCancellation(signed: SignedOperation): boolean {
  return signed.operation.kind === "cancellation";
}

/** Returns the account that a burn debits. */
export function debitedBy(burn: Burn, sender: Address): Address {
  return burn.recipient ?? sender;
}

/** Returns true for a burn from another account than the signer's (protocol 5). */
export function isForcedBurn({ operation, sender }: SignedOperation): boolean {
  return operation.kind === "burn" && debitedBy(operation, sender) !== sender;
}

/** Returns the kind of slot in which an operation takes effect (protocol 4.1). */
export function effectSlotOf(signed: SignedOperation): "account" | "token" | "debited account" {
  const { kind } = signed.operation;
  switch (kind) {
    case "payment":
    case "cancellation":
      return "account";
    case "burn":
      return isForcedBurn(signed) ? "debited account" : "account";
    case "issue":
    case "mint":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
      return "token";
    default:
      return unreachable(kind);
  }
}

/**
 * Returns the token address of an issue, by master authority and symbol. A parameter, since this model imports no hash.
 */
export type TokenAddressOf = (masterAuthority: Address, symbol: string) => Address;

/** Returns the token of an operation, `undefined` for a cancellation. */
export function tokenOf(operation: Operation, addressOf: TokenAddressOf): Address | undefined {
  switch (operation.kind) {
    case "cancellation":
      return undefined;
    case "issue":
      return addressOf(operation.masterAuthority, operation.symbol);
    default:
      return operation.token;
  }
}
