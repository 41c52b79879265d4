/** Status of a served network, and checkpoints and epoch closings that are forced by advancing time. */
import { err, ok, type Result } from "../../core/base/result.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import type { Host, RealHost } from "../host/real-host.ts";
import { CHAIN_MS } from "../limits.ts";

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

/** Advances to the next checkpoint; returns its number. Refused at once where it would be empty and may not be. */
export function* checkpointNow(host: RealHost): Interruptible<Result<number, string>> {
  const { network } = host;
  const running = firstRunningNode(host);
  if (running === undefined) return err("no validator runs");
  const { node, ledger } = running;
  const policy = ledger.parameters.checkpoints;
  if (policy === undefined) return err("this network forms no checkpoints: see --checkpoint-interval");
  const before = network.checkpointOf(node);
  if (!policy.empty && !network.hasUnlisted)
    return err(
      `checkpoint ${before + 1} has no operation to list, and this network forms no empty ones: see --empty-checkpoints`,
    );
  const isThere = (): boolean => network.checkpointOf(node) > before;
  const ms = policy.intervalMs + policy.periodSeconds * 1_000 + CHAIN_MS;
  if (yield* host.advanceUntil(isThere, ms)) return ok(network.checkpointOf(node));
  const { faults } = statusOf(host);
  const cause = faults.length === 0 ? "no operation became final" : faults.join("; ");
  return err(`checkpoint ${before + 1} is not final after ${ms} virtual milliseconds: ${cause}`);
}

/** Submits the operator's proposal to every validator and advances until the epoch has ended; returns the new epoch. */
export function* epochNow(
  host: RealHost,
  change: Readonly<Record<string, unknown>>,
): Interruptible<Result<number, string>> {
  const { network } = host;
  const running = firstRunningNode(host);
  if (running === undefined) return err("no validator runs");
  const { node, ledger } = running;
  const { epoch } = ledger;
  const to = network.nodes.filter((name) => network.ledgerOf(name) !== undefined);
  const done = host.step({ govern: { to, epoch, ...change } });
  if (!done.ok) return err(done.error);
  const isOver = (): boolean => (network.ledgerOf(node)?.epoch ?? epoch) > epoch;
  if (yield* host.advanceUntil(isOver, CHAIN_MS)) return ok(epoch + 1);
  return err(
    `epoch ${epoch} is not over after ${CHAIN_MS} virtual milliseconds: too few validators, or they refused it`,
  );
}

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
  /** Every fault that acts now, with strategies and rates. */
  readonly faults: readonly string[];
  /** Virtual time from which on missing decisions count as violations; null while a fault is in force. */
  readonly liveness: { readonly owed_from_ms: number | null; readonly faults: readonly string[] };
  readonly violations: readonly { readonly invariant: string; readonly virtual_ms: number; readonly detail: string }[];
}

/** Returns the current status of the network. */
export function statusOf({ network, rate }: RealHost): AdminStatus {
  const { owedFrom, inForce: faults, excluded } = network.liveness;
  return {
    virtual_ms: network.now,
    rate,
    steps: network.steps,
    hash: network.hash,
    pending: network.pendingCount,
    final: network.archive.finals,
    nodes: network.nodes.map((node) => {
      const ledger = network.ledgerOf(node);
      const running = ledger !== undefined;
      return { node, running, epoch: ledger?.epoch ?? null, checkpoint: running ? network.checkpointOf(node) : null };
    }),
    faults: [...excluded, ...faults],
    liveness: { owed_from_ms: owedFrom ?? null, faults },
    violations: network.findings.map(({ invariant, at, detail }) => ({ invariant, virtual_ms: at, detail })),
  };
}
