/** Entry validator of one interface. */
import type { Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { NodeName } from "../../simulator/settings.ts";
import type { Host } from "../host/host.ts";
import type { HttpError } from "./http-error.ts";
import type { HttpLimits } from "./limits.ts";
import type { RequestLimit } from "./request-limit.ts";

/** One validator of the network: every read shows its state, and it admits every write. */
export interface EntryValidator {
  readonly host: Host;
  readonly node: NodeName;
  /** Scheme that recovers senders from signatures. */
  readonly scheme: Scheme;
  readonly limits: HttpLimits;
  readonly requestLimit: RequestLimit;
}

/** Returns the entry validator's current ledger; `undefined` while it is down. */
export function ledgerOf({ host, node }: EntryValidator): LedgerState | undefined {
  return host.network.ledgerOf(node);
}

/** Returns the error for reads of a validator that is down (specification 13.4). */
export function validatorDownError({ node }: EntryValidator): HttpError {
  const message = `${node} is down; ask another validator, or try again later`;
  return { status: 500, code: "system_service_unavailable", message };
}
