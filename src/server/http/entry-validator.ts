/** Entry validator of one interface: what waits for it, the writes that it refused, and lookups of what it has applied. */

import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { Address, Hash } from "../../core/base/ids.ts";
import type { MemoTable } from "../../core/base/memo-table.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { ArchivedSubmission, ChainPosition, FinalRecord, OperationStatus } from "../../live/archive.ts";
import type { NodeName } from "../../simulator/settings.ts";
import type { Host } from "../host/real-host.ts";
import type { HttpLimits } from "../limits.ts";
import type { NetworkKeys } from "../setup/setup-of.ts";
import type { Answers } from "../wire/answers.ts";
import { edgeFault } from "../wire/errors.ts";
import type { WriteMode } from "../wire/paths.ts";
import type { Transaction } from "../wire/schemas/transactions.ts";
import type { AnyLink, CopyOf } from "../wire/shapes/network.ts";
import type { HttpError } from "./errors.ts";

/** One validator of the network: every read shows its state, and it admits every write. */
export interface EntryValidator {
  readonly host: Host;
  readonly node: NodeName;
  /** Scheme that recovers senders from signatures. */
  readonly scheme: Scheme;
  readonly limits: HttpLimits;
  /** Returns the keys of the network: validators sign aggregates when they are read. */
  readonly keys: () => NetworkKeys;
  /** Versions of writes that the interface serves. */
  readonly writeMode: WriteMode;
  /** True if it takes mints and burns of version 1 whose signature can be posted as another kind. */
  readonly sharedDigests: boolean;
  readonly writeLimit: RequestLimit;
  /** Apart from that of writes: no number of readers keeps a write out. */
  readonly readLimit: RequestLimit;
  /** The last refusal of writes that this validator refused lately, by their hashes. */
  readonly refusedWrites: MemoTable<Hash, RefusedOperation>;
  /** Functions that make the answers of this validator. */
  readonly answers: Answers;
}

/** Returns the entry validator's current ledger; `undefined` while it is down. */
export function ledgerOf({ host, node }: EntryValidator): LedgerState | undefined {
  return host.network.ledgerOf(node);
}

/** Returns the error for reads of a validator that is down (specification 13.4). */
export function validatorDownError({ node }: EntryValidator): HttpError {
  return edgeFault("system_service_unavailable", `${node} is down; ask another validator, or try again later`);
}

type RequestLimit = ReturnType<typeof createRequestLimit>;

/** Returns a limit with all slots free. */
export function createRequestLimit(limit: number, limitPerAccount: number = limit) {
  const places = new Map<Address, number>();
  let waiting = 0;
  return {
    /** Slots taken. */
    get waiting(): number {
      return waiting;
    },
    /** Takes a slot, also of the account if given; the value releases it, once. */
    enter(account?: Address): Result<() => void, HttpError> {
      if (waiting >= limit) return err(limitError(`${waiting} requests wait for the network`));
      const accountCount = account === undefined ? 0 : (places.get(account) ?? 0);
      if (account !== undefined && accountCount >= limitPerAccount)
        return err(limitError(`${accountCount} requests of ${account} wait for their response`));
      waiting++;
      if (account !== undefined) places.set(account, accountCount + 1);
      return ok(() => {
        waiting--;
        if (account !== undefined) leaveQueue(places, account);
      });
    },
  };
}

function leaveQueue(places: Map<Address, number>, account: Address): void {
  const remaining = (places.get(account) ?? 0) - 1;
  if (remaining > 0) places.set(account, remaining);
  else places.delete(account);
}

function limitError(waiting: string): HttpError {
  return edgeFault("rate_limit_exceeded", `${waiting}, the limit; nothing was admitted`);
}

/** Refusal of a posted operation at admission. */
export interface RefusedOperation {
  readonly operation: Pick<Transaction, "transaction_type" | "from" | "nonce">;
  readonly node: NodeName;
  /** Virtual milliseconds, on a line of time. */
  readonly at: number;
  readonly line: number;
  readonly error: HttpError;
}

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
  const { network } = entry.host;
  const copy = network.archive.find(hash);
  const progress = copy && network.archive.progressOf(copy.id);
  if (copy === undefined || progress?.status !== "final" || !network.hasApplied(entry.node, progress.final))
    return err(missingReceipt(entry, hash));
  return ok({ copy, final: progress.final, position: chainPositionHere(entry, progress.place) });
}

/**
 * Returns the error for a missing receipt: 404 with the code that clients poll for as long as there may be one, 422 with
 * the reason once there will be none. The word of its header tells unknown and pending ones apart (wire 1.4).
 */
export function missingReceipt(entry: EntryValidator, hash: Hash): HttpError {
  const { archive } = entry.host.network;
  const copy = archive.find(hash);
  if (copy === undefined) return noReceiptError("unknown", `no validator has admitted ${hash}`);
  const progress: OperationStatus = archive.progressOf(copy.id) ?? { status: "pending" };
  const message = `${hash} ${stateOf(entry, progress)}`;
  if (progress.status === "pending" || progress.status === "final") return noReceiptError("pending", message);
  // Not the status of the code of a refusal, which may be one on which clients go on polling.
  return { status: 422, code: endedCode(progress), message, transaction: progress.status };
}

function noReceiptError(transaction: "unknown" | "pending", message: string): HttpError {
  return { ...edgeFault("resource_transaction_not_found", message), transaction };
}

/** Returns the code of an operation that is over and was not decided. */
export function endedCode(
  progress: Extract<OperationStatus, { readonly status: "superseded" | "void" | "refused" }>,
): HttpError["code"] {
  if (progress.status === "refused") return progress.code;
  return progress.status === "void" ? "business_epoch_closed" : "business_superseded";
}

/** Returns the chain position if the entry validator has applied that checkpoint. */
export function chainPositionHere(
  { host, node }: EntryValidator,
  place: ChainPosition | undefined,
): ChainPosition | undefined {
  return place && place.link.content.value.header.number <= host.network.checkpointOf(node) ? place : undefined;
}

function stateOf(entry: EntryValidator, progress: OperationStatus): string {
  switch (progress.status) {
    case "pending":
      return "is pending";
    case "final":
      return entry.host.network.hasApplied(entry.node, progress.final)
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
  return link && link.content.value.header.number <= host.network.checkpointOf(node) ? link : undefined;
}

/** Returns the copy by which a listed operation is shown. @throws AssertionError for one that was never admitted. */
export function copyOf({ host }: EntryValidator): CopyOf {
  return (id) => requireDefined(host.network.archive.copyOf(id), `copy of operation ${id}`);
}
