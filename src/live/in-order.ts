/** Reordering of the notifications of one operation: `submitted` precedes its votes. */
import type { OperationId } from "../core/base/operation.ts";
import type { Notification } from "./notifications.ts";

type Signed = Extract<Notification, { type: "signed" }>;

/**
 * The entry validator votes before it responds that it has admitted an operation: votes are reported after `submitted`,
 * or before the next notification of an operation that no client submitted here. `isKnown`: whether it was submitted.
 */
export function inOrder(
  tell: (notification: Notification) => void,
  isKnown: (id: OperationId) => boolean,
): (notification: Notification) => void {
  const early = new Map<OperationId, Signed[]>();
  const tellEarly = (id: OperationId): void => {
    const votes = early.get(id) ?? [];
    early.delete(id);
    for (const vote of votes) tell(vote);
  };
  return (notification) => {
    switch (notification.type) {
      case "checkpoint":
      case "violation":
        tell(notification);
        return;
      case "signed":
        if (isKnown(notification.id)) tell(notification);
        else early.set(notification.id, [...(early.get(notification.id) ?? []), notification]);
        return;
      case "submitted":
        tell(notification);
        tellEarly(notification.copy.id);
        return;
      default:
        tellEarly(notification.id);
        tell(notification);
    }
  };
}
