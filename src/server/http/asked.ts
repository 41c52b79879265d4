/** Whom the requests of one interface ask. */
import type { Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { NodeName } from "../../simulator/plan.ts";
import type { Host } from "../host/host.ts";
import type { Fault } from "./fault.ts";
import type { HttpLimits } from "./limits.ts";
import type { WaitingRoom } from "./waiting-room.ts";

/** One validator of the network, whose state every read shows and who admits every write. */
export interface Asked {
  readonly host: Host;
  readonly node: NodeName;
  /** Recovers senders from signatures. */
  readonly scheme: Scheme;
  readonly limits: HttpLimits;
  readonly waitingRoom: WaitingRoom;
}

/** The asked validator's ledger as it is now; `undefined` while it is down. */
export function ledgerOf({ host, node }: Asked): LedgerState | undefined {
  return host.network.ledgerOf(node);
}

/** What reads of a validator that is down are told (specification 13.4). */
export function downFault({ node }: Asked): Fault {
  const message = `${node} does not run; ask another validator, or again later`;
  return { status: 500, code: "system_service_unavailable", message };
}
