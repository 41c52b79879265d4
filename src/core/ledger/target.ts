/** Where an operation is authorised and where it takes effect (protocol 4.1). */
import { unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { Burn, Operation, SignedOperation } from "../base/operation.ts";
import { issuedTokenAddress } from "./identity.ts";

export type Target =
  /** In the signer's own account slot, which also authorises it. */
  | { readonly where: "own" }
  /** In a later slot of this token. */
  | { readonly where: "token"; readonly token: Address }
  /** In a later slot of the account that a forced burn debits. */
  | { readonly where: "account"; readonly address: Address };

/** Where the effect of a signed operation happens. */
export function targetOf(signed: SignedOperation): Target {
  const { operation, sender } = signed;
  switch (operation.kind) {
    case "payment":
    case "cancellation":
      return { where: "own" };
    case "burn": {
      const address = debitedBy(operation, sender);
      return address === sender ? { where: "own" } : { where: "account", address };
    }
    case "issue":
      return { where: "token", token: issuedTokenAddress(operation.masterAuthority, operation.symbol) };
    case "mint":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
      return { where: "token", token: operation.token };
    default:
      return unreachable(operation);
  }
}

/** The account whose balance a burn takes: the one it names, else its signer (protocol 4.1). */
export function debitedBy(burn: Burn, sender: Address): Address {
  return burn.recipient ?? sender;
}

/** The token that an operation speaks of, `undefined` for a cancellation. */
export function tokenOfOperation(operation: Operation): Address | undefined {
  switch (operation.kind) {
    case "cancellation":
      return undefined;
    case "issue":
      return issuedTokenAddress(operation.masterAuthority, operation.symbol);
    case "payment":
    case "burn":
    case "mint":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
      return operation.token;
    default:
      return unreachable(operation);
  }
}
