/** Lookup of receipts at the entry validator. */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Copy, Final, Place, Progress } from "../../live/archive.ts";
import type { Asked } from "./asked.ts";
import type { Fault } from "./fault.ts";

/** Operation whose effect the entry validator has applied. */
export interface Receipted {
  readonly copy: Copy;
  readonly final: Final;
  /** `undefined` until the entry validator has applied the checkpoint that lists it. */
  readonly place: Place | undefined;
}

/**
 * Returns a receipt by transaction hash. The error has the code that clients poll for (wire 2.3): state is readable as
 * soon as the receipt is.
 */
export function receiptOf(asked: Asked, hash: Hash): Result<Receipted, Fault> {
  const { archive } = asked.host.network;
  const copy = archive.find(hash);
  const progress = copy === undefined ? undefined : archive.progressOf(copy.id);
  if (copy === undefined || progress?.status !== "final" || !hasApplied(asked, progress.final)) {
    return err({ status: 404, code: "resource_transaction_not_found", message: missingReceipt(asked, hash) });
  }
  return ok({ copy, final: progress.final, place: placeHere(asked, progress.place) });
}

/** Returns the reason for a missing receipt. */
export function missingReceipt(asked: Asked, hash: Hash): string {
  const { archive } = asked.host.network;
  const copy = archive.find(hash);
  if (copy === undefined) return `no validator has admitted ${hash}`;
  const progress = archive.progressOf(copy.id);
  return progress === undefined ? `${hash} is pending` : `${hash} ${stateOf(asked, progress)}`;
}

/** Returns the chain position if the entry validator has applied that checkpoint. */
export function placeHere({ host, node }: Asked, place: Place | undefined): Place | undefined {
  if (place === undefined) return undefined;
  return place.link.content.value.header.number <= host.network.checkpointOf(node) ? place : undefined;
}

/** Returns true if the entry validator has applied the effect. */
export function hasApplied({ host, node }: Asked, final: Final): boolean {
  return host.network.hasApplied(node, final);
}

function stateOf(asked: Asked, progress: Progress): string {
  switch (progress.status) {
    case "pending":
      return "is pending";
    case "final":
      return hasApplied(asked, progress.final)
        ? "is final"
        : `is final elsewhere, and not yet applied by ${asked.node}`;
    case "superseded": {
      const by = asked.host.network.archive.copyOf(progress.by)?.hash ?? progress.by;
      return `was superseded by ${by}`;
    }
    case "void":
      return `is void: epoch ${progress.epoch} closed without it, and it may be submitted again`;
    case "refused":
      return `was refused after it had been admitted: ${progress.code}`;
    default:
      return unreachable(progress);
  }
}
