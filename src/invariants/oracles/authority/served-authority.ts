/**
 * Oracle of protocol 7.5 beside that of `authority`, for a served network, whose clients anybody may copy: an operation
 * that takes effect although its signature was submitted as another operation before is nothing that its owner is known
 * to have meant (specification 4.3).
 */
import { isRecovery, type OperationId } from "../../../core/base/operation.ts";
import { type Oracle, oracle } from "../../fold.ts";
import { operationsOf } from "../../history/content.ts";
import { shortId, slotName } from "../../text.ts";

/** Signatures that are remembered, the newest ones, until a checkpoint lists their operations. */
const READINGS_KEPT = 32_768;

/** First operation and its kind, by sender and signature. */
type FirstReadings = Map<string, { readonly id: OperationId; readonly kind: string }>;

/** Reports second readings of a signature, each once. */
export function secondReadings(): Oracle {
  return oracle<FirstReadings>("authority", new Map(), {
    submitted: (first, { submission, id }) => {
      if (isRecovery(submission)) return;
      const key = `${submission.sender} ${submission.signature}`;
      const [oldest] = first.keys();
      if (first.size >= READINGS_KEPT && oldest !== undefined) first.delete(oldest);
      if (!first.has(key)) first.set(key, { id, kind: submission.operation.kind });
    },
    forgotten: (first, { operations }) => {
      const forgotten = new Set(operations);
      for (const [key, { id }] of first) if (forgotten.has(id)) first.delete(key);
    },
    applied: (first, { honest, slot, value, operations }, _seen, report) => {
      for (const { id, signed } of honest ? operationsOf(value, operations) : []) {
        const key = `${signed.sender} ${signed.signature}`;
        const reading = first.get(key);
        if (reading === undefined || reading.id === id) continue;
        first.delete(key);
        report(
          `${signed.operation.kind} ${shortId(id)} of ${shortId(signed.sender)} took effect in ${slotName(slot)}, ` +
            `but its signature was submitted as ${reading.kind} ${shortId(reading.id)} before`,
        );
      }
    },
  });
}
