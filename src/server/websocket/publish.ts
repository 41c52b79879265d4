/** Notifications as frames of the websocket, each serialized once for all readers: events, and the filters that select them. */
import { required, unreachable } from "../../core/base/assert.ts";
import type { Address, Hash } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../../core/base/operation.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
import { kindOf, tokenOfOperation } from "../../core/ledger/operations/kinds.ts";
import type { Archive, ArchivedSubmission } from "../../live/archive.ts";
import type { LiveNetwork } from "../../live/network.ts";
import type { Notification } from "../../live/notifications.ts";
import { type CopyOf, eventCheckpoint } from "../wire/shapes/network.ts";
import type { StreamName } from "./frame.ts";
import type { Subscription } from "./session.ts";

interface Frames {
  readonly name: StreamName;
  /** `undefined` if the subscription's filter does not match. */
  frameFor(subscription: Subscription): string | undefined;
}

/** Returns the frames of one notification; `undefined` if no stream publishes it. */
export function framesOf(notification: Notification, network: LiveNetwork): Frames | undefined {
  return notification.type === "checkpoint"
    ? checkpointFrames(notification, network)
    : transactionFrames(notification, network);
}

type CheckpointNews = Extract<Notification, { readonly type: "checkpoint" }>;

function checkpointFrames(notification: CheckpointNews, { archive }: LiveNetwork): Frames {
  const copyOf: CopyOf = (id) => required(archive.copyOf(id), `copy of operation ${id}`);
  const bodies = new Map<boolean, string>();
  const bodyOf = (full: boolean): string => {
    const known = bodies.get(full);
    if (known !== undefined) return known;
    const made = JSON.stringify(eventCheckpoint(notification.link, full, copyOf));
    bodies.set(full, made);
    return made;
  };
  return {
    name: "CHECKPOINTS",
    frameFor: ({ id, stream }) =>
      stream.name === "CHECKPOINTS" ? eventFrame(id, "CHECKPOINTS", bodyOf(stream.full)) : undefined,
  };
}

function transactionFrames(notification: Notification, { archive }: LiveNetwork): Frames | undefined {
  const published = transactionEvent(notification, archive);
  if (published === undefined) return undefined;
  const about = affectedBy(published.copy.submission);
  const body = JSON.stringify(published.event);
  return {
    name: "TRANSACTIONS",
    frameFor: ({ id, stream }) =>
      stream.name === "TRANSACTIONS" && matches(about, stream) ? eventFrame(id, "TRANSACTIONS", body) : undefined,
  };
}

/** Returns `{subscription, stream, result}` around a result that is JSON text already. */
function eventFrame(subscription: string, stream: StreamName, result: string): string {
  return `{"subscription":${JSON.stringify(subscription)},"stream":"${stream}","result":${result}}`;
}

/** Numbers are JSON numbers; only the objects of `CHECKPOINTS` have them as text. */
type TransactionEvent =
  | { readonly hash: Hash; readonly status: "submitted"; readonly node: string }
  /** Number of validators that have voted for it in its slot, of all. */
  | {
      readonly hash: Hash;
      readonly status: "signed";
      readonly signers: number;
      readonly validators: number;
      readonly round: number;
    }
  | { readonly hash: Hash; readonly status: "locked"; readonly round: number }
  | { readonly hash: Hash; readonly status: "final"; readonly success: boolean; readonly error_code: string | null }
  | { readonly hash: Hash; readonly status: "superseded"; readonly superseded_by: Hash | null }
  | { readonly hash: Hash; readonly status: "void"; readonly epoch: number }
  | { readonly hash: Hash; readonly status: "refused"; readonly error_code: string };

/** Returns the event with its copy; `undefined` for other notifications, and for ids that no client submitted. */
function transactionEvent(
  notification: Notification,
  archive: Archive,
): { readonly copy: ArchivedSubmission; readonly event: TransactionEvent } | undefined {
  if (notification.type === "checkpoint" || notification.type === "violation") return undefined;
  const copy = notification.type === "submitted" ? notification.copy : archive.copyOf(notification.id);
  return copy === undefined ? undefined : { copy, event: eventOf(notification, copy.hash, archive) };
}

type TransactionNews = Exclude<Notification, { readonly type: "checkpoint" | "violation" }>;

function eventOf(notification: TransactionNews, hash: Hash, archive: Archive): TransactionEvent {
  switch (notification.type) {
    case "submitted":
      return { hash, status: "submitted", node: notification.node };
    case "signed":
      return {
        hash,
        status: "signed",
        signers: notification.signers,
        validators: notification.validators,
        round: notification.round,
      };
    case "locked":
      return { hash, status: "locked", round: notification.round };
    case "final": {
      const { success, error } = notification.final.receipt;
      return { hash, status: "final", success, error_code: error?.code ?? null };
    }
    case "superseded":
      return { hash, status: "superseded", superseded_by: hashOf(notification.by, archive) };
    case "void":
      return { hash, status: "void", epoch: notification.epoch };
    case "refused":
      return { hash, status: "refused", error_code: notification.code };
    default:
      return unreachable(notification);
  }
}

function hashOf(id: OperationId, archive: Archive): Hash | null {
  return archive.copyOf(id)?.hash ?? null;
}

interface AffectedParties {
  readonly addresses: readonly Address[];
  /** Token moved or governed, including an issue's new one; none of a cancellation. */
  readonly tokens: readonly Address[];
}

/** Of a recovery: the account, and the parties of its evidence. */
function affectedBy(submission: Submission): AffectedParties {
  if (!isRecovery(submission)) return touchedBy(submission);
  const parts = [submission.evidence.first, submission.evidence.second].map(touchedBy);
  return {
    addresses: [submission.account, ...parts.flatMap(({ addresses }) => addresses)],
    tokens: parts.flatMap(({ tokens }) => tokens),
  };
}

/** Returns true if an operation matches a filter; an empty filter matches everything. */
function matches(
  { addresses, tokens }: AffectedParties,
  filter: { readonly addresses: ReadonlySet<Address>; readonly tokens: ReadonlySet<Address> },
): boolean {
  const byAddress = filter.addresses.size === 0 || addresses.some((address) => filter.addresses.has(address));
  return byAddress && (filter.tokens.size === 0 || tokens.some((token) => filter.tokens.has(token)));
}

/** The sender, each address that the operation names, and its token. */
function touchedBy({ operation, sender }: SignedOperation): AffectedParties {
  const named = Object.entries<Field>(kindOf(operation).fields).flatMap(([name, { type, wire }]) => {
    const address = (operation as SignedOperation["operation"] & Readonly<Record<string, unknown>>)[name];
    return type === "address" && wire !== "token" && address !== undefined ? [address as Address] : [];
  });
  const token = tokenOfOperation(operation);
  return { addresses: [sender, ...named], tokens: token === undefined ? [] : [token] };
}
