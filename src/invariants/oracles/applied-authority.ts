/**
 * Oracle of protocol 7.5 for validators with a protocol of their own: an honest one applies only what its sender signed
 * for this chain.
 */

import { isRecovery } from "../../core/base/operation.ts";
import { type Oracle, oracle } from "../fold.ts";
import type { RunSetting } from "../observation.ts";
import { identityOf } from "../reference/operation-meaning.ts";
import { shortId, slotName } from "../text.ts";

/** Compares each operation that an honest validator applies with what clients have submitted with a valid signature. */
export function appliedAuthority({ genesis: { chainId } }: RunSetting): Oracle {
  return oracle("authority", ["submitted", "applied"], new Set<string>(), (signed, _seen, record, report) => {
    if (record.type === "submitted") {
      const { submission, isForged = false } = record;
      if (!isRecovery(submission) && !isForged) signed.add(identityOf(submission));
      return signed;
    }
    if (!record.honest) return signed;
    record.operations.forEach((applied, index) => {
      report.judged();
      const { operation, sender } = applied;
      const id = record.receipts[index]?.id ?? "";
      const fault =
        operation.chainId !== chainId
          ? `which is for chain ${operation.chainId}: this one is ${chainId}`
          : signed.has(identityOf(applied))
            ? undefined
            : "which its sender has not signed";
      if (fault === undefined) return;
      report(
        `${record.node} applied ${operation.kind} ${shortId(id)} of ${shortId(sender)} in ${slotName(record.slot)}, ${fault}`,
      );
    });
    return signed;
  });
}
