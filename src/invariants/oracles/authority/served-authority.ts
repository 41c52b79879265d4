/**
 * Oracle of protocol 7.5 beside that of `authority`, for a served network, whose clients anybody may copy: an operation
 * that takes effect although its signature was submitted as another operation before is nothing that its owner is known
 * to have meant (specification 4.3).
 */
import { isRecovery, type OperationId } from "../../../core/base/operation.ts";
import { type Oracle, oracle } from "../../fold.ts";
import { operationsOf } from "../../history/content.ts";
import { shortId, slotName } from "../../text.ts";

const EVENT_TYPES = ["submitted", "applied", "forgotten"] as const;

/** Signatures that are remembered, the newest ones, until a checkpoint lists their operations. */
const READINGS_KEPT = 32_768;

/** First operation and its kind, by sender and signature. */
type FirstReadings = Map<string, { readonly id: OperationId; readonly kind: string }>;

/** Reports second readings of a signature, each once. */
export function secondReadings(): Oracle {
  const start: FirstReadings = new Map();
  return oracle("authority", EVENT_TYPES, start, (first, _seen, record, report) => {
    if (record.type === "submitted") {
      const { submission, id } = record;
      if (isRecovery(submission)) return first;
      const key = `${submission.sender} ${submission.signature}`;
      const [oldest] = first.keys();
      if (first.size >= READINGS_KEPT && oldest !== undefined) first.delete(oldest);
      if (!first.has(key)) first.set(key, { id, kind: submission.operation.kind });
      return first;
    }
    if (record.type === "forgotten") {
      const forgotten = new Set(record.operations);
      for (const [key, { id }] of first) if (forgotten.has(id)) first.delete(key);
      return first;
    }
    if (!record.honest) return first;
    for (const { id, signed } of operationsOf(record.value, record.operations)) {
      const key = `${signed.sender} ${signed.signature}`;
      const reading = first.get(key);
      if (reading === undefined || reading.id === id) continue;
      first.delete(key);
      report(
        `${signed.operation.kind} ${shortId(id)} of ${shortId(signed.sender)} took effect in ${slotName(record.slot)}, ` +
          `but its signature was submitted as ${reading.kind} ${shortId(reading.id)} before`,
      );
    }
    return first;
  });
}
