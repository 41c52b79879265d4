/** Forced checkpoints and epoch closings: time is advanced until they are final. */
import { err, ok, type Result } from "../../core/base/result.ts";
import type { RealHost } from "../host/real-host.ts";
import { firstRunning } from "../host/running.ts";
import { CHAIN_MS } from "./limits.ts";

/** Advances to the next checkpoint; returns its number. */
export function checkpointNow(host: RealHost): Result<number, string> {
  const { network } = host;
  const running = firstRunning(host);
  if (running === undefined) return err("no validator runs");
  const { node, ledger } = running;
  const policy = ledger.parameters.checkpoints;
  if (policy === undefined) return err("this network forms no checkpoints: see --checkpoint-interval");
  const before = network.checkpointOf(node);
  const isThere = (): boolean => network.checkpointOf(node) > before;
  const ms = policy.intervalMs + policy.periodSeconds * 1_000 + CHAIN_MS;
  if (host.advanceUntil(isThere, ms)) return ok(network.checkpointOf(node));
  return err(
    `checkpoint ${before + 1} is not final after ${ms} virtual milliseconds: no operation to list, or too few validators`,
  );
}

/** Submits the operator's proposal to every validator and advances until the epoch has ended; returns the new epoch. */
export function epochNow(host: RealHost, change: Readonly<Record<string, unknown>>): Result<number, string> {
  const { network } = host;
  const running = firstRunning(host);
  if (running === undefined) return err("no validator runs");
  const { node, ledger } = running;
  const { epoch } = ledger;
  const to = network.nodes.filter((name) => network.ledgerOf(name) !== undefined);
  const done = host.step({ govern: { to, epoch, ...change } });
  if (!done.ok) return err(done.error);
  const isOver = (): boolean => (network.ledgerOf(node)?.epoch ?? epoch) > epoch;
  if (host.advanceUntil(isOver, CHAIN_MS)) return ok(epoch + 1);
  return err(
    `epoch ${epoch} is not over after ${CHAIN_MS} virtual milliseconds: too few validators, or they refused it`,
  );
}
