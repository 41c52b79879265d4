/** Websocket filters: the addresses and tokens that an operation affects. */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import { isRecovery, type SignedOperation, type Submission } from "../../core/base/operation.ts";
import { issuedTokenAddress } from "../../core/ledger/identity.ts";

export interface AffectedParties {
  readonly addresses: readonly Address[];
  /** Token moved or governed, including an issue's new one; none of a cancellation. */
  readonly tokens: readonly Address[];
}

/** Of a recovery: the account, and the parties of its evidence. */
export function affectedBy(submission: Submission): AffectedParties {
  if (!isRecovery(submission)) return touchedBy(submission);
  const parts = [submission.evidence.first, submission.evidence.second].map(touchedBy);
  return {
    addresses: [submission.account, ...parts.flatMap(({ addresses }) => addresses)],
    tokens: parts.flatMap(({ tokens }) => tokens),
  };
}

/** Returns true if an operation matches a filter; an empty filter matches everything. */
export function matches(
  { addresses, tokens }: AffectedParties,
  filter: { readonly addresses: ReadonlySet<Address>; readonly tokens: ReadonlySet<Address> },
): boolean {
  const byAddress = filter.addresses.size === 0 || addresses.some((address) => filter.addresses.has(address));
  return byAddress && (filter.tokens.size === 0 || tokens.some((token) => filter.tokens.has(token)));
}

function touchedBy({ operation, sender }: SignedOperation): AffectedParties {
  switch (operation.kind) {
    case "payment":
    case "mint":
      return { addresses: [sender, operation.recipient], tokens: [operation.token] };
    case "burn":
      return { addresses: [sender, operation.recipient ?? sender], tokens: [operation.token] };
    case "issue":
      return {
        addresses: [sender, operation.masterAuthority],
        tokens: [issuedTokenAddress(operation.masterAuthority, operation.symbol)],
      };
    case "list":
      return { addresses: [sender, operation.address], tokens: [operation.token] };
    case "authority":
      return { addresses: [sender, operation.authorityAddress], tokens: [operation.token] };
    case "metadata":
    case "pause":
      return { addresses: [sender], tokens: [operation.token] };
    case "cancellation":
      return { addresses: [sender], tokens: [] };
    default:
      return unreachable(operation);
  }
}
