/** Interface through which routes use the network under the real clock. */
import type { LedgerState } from "../../core/ledger/state.ts";
import type { RealHost } from "./real-host.ts";

export type Host = Pick<
  RealHost,
  "network" | "turns" | "runDueEvents" | "submit" | "waitUntil" | "eventsOf" | "subscribe"
>;

/** Returns the first running validator with its ledger; `undefined` if all are down. */
export function firstRunningNode({
  network,
}: Host): { readonly node: string; readonly ledger: LedgerState } | undefined {
  for (const node of network.nodes) {
    const ledger = network.ledgerOf(node);
    if (ledger !== undefined) return { node, ledger };
  }
  return undefined;
}
