/**
 * Oracle of protocol 7.1 for validators with a protocol of their own: no two honest ones decide different operations in
 * one slot of an account.
 */

import { entryOf } from "../../core/base/entry.ts";
import type { Hash } from "../../core/base/ids.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { type Oracle, oracle } from "../fold.ts";
import type { NodeName } from "../observation.ts";
import { slotName } from "../text.ts";

interface FirstDecision {
  readonly node: NodeName;
  readonly value: Hash;
}

/** Compares each decision of an honest validator with the first one of its slot. */
export function appliedAgreement(): Oracle {
  return oracle("agreement", new Map<SlotKey, FirstDecision>(), {
    decided: (firsts, { node, honest, slot, value }, seen, report) => {
      if (!honest) return;
      const first = entryOf(firsts, slotKey(slot), () => ({ node, value }));
      if (first.node !== node) report.judged();
      if (first.value === value) return;
      const [own, other] = [value, first.value].map(seen.valueName);
      report(`${node} applied ${own} in ${slotName(slot)}, where ${first.node} had applied ${other}`);
    },
  });
}
