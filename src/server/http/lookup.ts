/** Lookup of receipts and checkpoints at the entry validator. */
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { ArchivedSubmission, ChainPosition, FinalRecord, OperationStatus } from "../../live/archive.ts";
import type { AnyLink, CopyOf } from "../wire/shapes/network.ts";
import type { EntryValidator } from "./entry-validator.ts";
import type { HttpError } from "./errors.ts";

/** Operation whose effect the entry validator has applied. */
interface ReceiptLookup {
  readonly copy: ArchivedSubmission;
  readonly final: FinalRecord;
  /** `undefined` until the entry validator has applied the checkpoint that lists it. */
  readonly position: ChainPosition | undefined;
}

/**
 * Returns a receipt by transaction hash. The error has the code that clients poll for (wire 2.3): state is readable as
 * soon as the receipt is.
 */
export function receiptOf(entry: EntryValidator, hash: Hash): Result<ReceiptLookup, HttpError> {
  const { archive } = entry.host.network;
  const copy = archive.find(hash);
  const progress = copy === undefined ? undefined : archive.progressOf(copy.id);
  if (copy === undefined || progress?.status !== "final" || !hasAppliedHere(entry, progress.final)) {
    return err(missingReceipt(entry, hash));
  }
  return ok({ copy, final: progress.final, position: chainPositionHere(entry, progress.place) });
}

/**
 * Returns the error for a missing receipt: 404 with the code that clients poll for as long as there may be one, 422 with
 * the reason once there will be none. The word of its header tells unknown and pending ones apart (wire 1.4).
 */
export function missingReceipt(entry: EntryValidator, hash: Hash): HttpError {
  const { archive } = entry.host.network;
  const copy = archive.find(hash);
  const progress: OperationStatus | "unknown" =
    copy === undefined ? "unknown" : (archive.progressOf(copy.id) ?? { status: "pending" });
  if (progress === "unknown") return noReceiptError("unknown", `no validator has admitted ${hash}`);
  const message = `${hash} ${stateOf(entry, progress)}`;
  if (progress.status === "pending" || progress.status === "final") return noReceiptError("pending", message);
  return { ...endedError(progress), message, transaction: progress.status };
}

function noReceiptError(transaction: "unknown" | "pending", message: string): HttpError {
  return { status: 404, code: "resource_transaction_not_found", message, transaction };
}

/** Returns the error of an operation that is over and was not decided. */
export function endedError(
  progress: Extract<OperationStatus, { readonly status: "superseded" | "void" | "refused" }>,
): Pick<HttpError, "status" | "code"> {
  switch (progress.status) {
    case "superseded":
      return { status: 422, code: "business_superseded" };
    case "void":
      return { status: 422, code: "business_epoch_closed" };
    case "refused":
      // Not the status of the code, which may be one on which clients go on polling.
      return { status: 422, code: progress.code };
    default:
      return unreachable(progress);
  }
}

/** Returns the chain position if the entry validator has applied that checkpoint. */
export function chainPositionHere(
  { host, node }: EntryValidator,
  place: ChainPosition | undefined,
): ChainPosition | undefined {
  if (place === undefined) return undefined;
  return place.link.content.value.header.number <= host.network.checkpointOf(node) ? place : undefined;
}

/** Returns true if the entry validator has applied the effect. */
export function hasAppliedHere({ host, node }: EntryValidator, final: FinalRecord): boolean {
  return host.network.hasApplied(node, final);
}

function stateOf(entry: EntryValidator, progress: OperationStatus): string {
  switch (progress.status) {
    case "pending":
      return "is pending";
    case "final":
      return hasAppliedHere(entry, progress.final)
        ? "is final"
        : `is final elsewhere, and not yet applied by ${entry.node}`;
    case "superseded": {
      const by = entry.host.network.archive.copyOf(progress.by);
      return `was superseded by ${by === undefined ? progress.by : entry.answers.hashOf(by)}`;
    }
    case "void":
      return `is void: epoch ${progress.epoch} closed without it, and it may be submitted again`;
    case "refused":
      return `was refused by ${progress.node} after it had been admitted: ${progress.code}`;
    default:
      return unreachable(progress);
  }
}

/** Returns a checkpoint by number, from 0, the genesis. */
export function chainLinkByNumber({ host, node }: EntryValidator, number: number): AnyLink | undefined {
  const { archive } = host.network;
  if (number === 0) return archive.genesisLink;
  return number <= host.network.checkpointOf(node) ? archive.link(number) : undefined;
}

/** Returns a checkpoint by hash. */
export function chainLinkByHash({ host, node }: EntryValidator, hash: Hash): AnyLink | undefined {
  const { archive } = host.network;
  if (hash === archive.genesisLink.hash) return archive.genesisLink;
  const link = archive.linkByHash(hash);
  if (link === undefined) return undefined;
  return link.content.value.header.number <= host.network.checkpointOf(node) ? link : undefined;
}

/** Returns the copy by which a listed operation is shown. @throws AssertionError for one that was never admitted. */
export function copyOf({ host }: EntryValidator): CopyOf {
  return (id) => requireDefined(host.network.archive.copyOf(id), `copy of operation ${id}`);
}
