/** Of a served network, a validator that runs. */
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Host } from "./host.ts";

/** The first validator that runs, with its ledger; `undefined` where all are down. */
export function firstRunning({ network }: Host): { readonly node: string; readonly ledger: LedgerState } | undefined {
  for (const node of network.nodes) {
    const ledger = network.ledgerOf(node);
    if (ledger !== undefined) return { node, ledger };
  }
  return undefined;
}
