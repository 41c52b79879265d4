/** Lookup of a running validator of a served network. */
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Host } from "./host.ts";

/** Returns the first running validator with its ledger; `undefined` if all are down. */
export function firstRunning({ network }: Host): { readonly node: string; readonly ledger: LedgerState } | undefined {
  for (const node of network.nodes) {
    const ledger = network.ledgerOf(node);
    if (ledger !== undefined) return { node, ledger };
  }
  return undefined;
}
