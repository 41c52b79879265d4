/** Status of a served network in the admin API. */
import type { RealHost } from "../host/real-host.ts";

export interface AdminStatus {
  readonly virtual_ms: number;
  readonly rate: number;
  readonly steps: number;
  /** Rolling hash over every event. */
  readonly hash: string;
  readonly pending: number;
  readonly final: number;
  readonly nodes: readonly {
    readonly node: string;
    readonly running: boolean;
    readonly epoch: number | null;
    readonly checkpoint: number | null;
  }[];
  readonly violations: readonly { readonly invariant: string; readonly virtual_ms: number; readonly detail: string }[];
}

/** Returns the current status of the network. */
export function statusOf({ network, rate }: RealHost): AdminStatus {
  return {
    virtual_ms: network.now,
    rate,
    steps: network.steps,
    hash: network.hash,
    pending: network.pending,
    final: network.finals,
    nodes: network.nodes.map((node) => {
      const ledger = network.ledgerOf(node);
      const running = ledger !== undefined;
      return { node, running, epoch: ledger?.epoch ?? null, checkpoint: running ? network.checkpointOf(node) : null };
    }),
    violations: network.findings.map(({ invariant, at, detail }) => ({ invariant, virtual_ms: at, detail })),
  };
}
