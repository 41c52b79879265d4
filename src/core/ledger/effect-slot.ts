/** Slots in which an operation is authorised and takes effect (protocol 4.1). */
import { unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { Burn, Operation, SignedOperation } from "../base/operation.ts";
import { issuedTokenAddress } from "./identity.ts";

export type EffectSlot =
  /** In the signer's own account slot, which also authorises it. */
  | { readonly where: "own" }
  /** In a later slot of this token. */
  | { readonly where: "token"; readonly token: Address }
  /** In a later slot of the account that a forced burn debits. */
  | { readonly where: "account"; readonly address: Address };

/** Returns the slot of a signed operation's effect. */
export function effectSlotOf(signed: SignedOperation): EffectSlot {
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

/** Returns the account whose balance a burn takes: the one it names, else its signer (protocol 4.1). */
export function debitedBy(burn: Burn, sender: Address): Address {
  return burn.recipient ?? sender;
}

/** Returns the token that an operation names, `undefined` for a cancellation. */
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
