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
  return oracle("authority", new Set<string>(), {
    submitted: (signed, { submission, isForged = false }) => {
      if (!isRecovery(submission) && !isForged) signed.add(identityOf(submission));
    },
    applied: (signed, { node, honest, slot, operations, receipts }, _seen, report) => {
      if (!honest) return;
      for (const [index, applied] of operations.entries()) {
        report.judged();
        const { operation, sender } = applied;
        const id = receipts[index]?.id ?? "";
        const fault =
          operation.chainId !== chainId
            ? `which is for chain ${operation.chainId}: this one is ${chainId}`
            : signed.has(identityOf(applied))
              ? undefined
              : "which its sender has not signed";
        if (fault === undefined) continue;
        report(`${node} applied ${operation.kind} ${shortId(id)} of ${shortId(sender)} in ${slotName(slot)}, ${fault}`);
      }
    },
  });
}
