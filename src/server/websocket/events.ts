/** Events of the stream `TRANSACTIONS`: the progress of operations, an addition to wire 4. */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Archive, ArchivedSubmission } from "../../live/archive.ts";
import type { Notification } from "../../live/notifications.ts";

/** Numbers are JSON numbers; only the objects of `CHECKPOINTS` have them as text. */
export type TransactionEvent =
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
export function transactionEvent(
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
