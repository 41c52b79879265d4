import { contradictionOf } from "../evidence/close-violations.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle } from "../history/chronicle.ts";
import type { EventOf, NodeName, SlotInEpoch } from "../observation.ts";
import { slotKeyName } from "../text.ts";

/** Slots of one node that are kept, the newest: those of which the reason was shown or is durable. */
const SLOTS_KEPT = 64;

/** Slots of which each node has shown a reason to leave round 0, in the order in which it did (protocol 3.2). */
type ShownReasons = Map<NodeName, Set<string>>;

/** Checks each new signature of an honest key against all earlier ones of the key. */
export function amnesia(): Oracle {
  return oracle<ShownReasons>("amnesia", new Map(), {
    signed: (shownReasons, record, chronicle, report) => {
      const { node, honest, key, statement } = record;
      const { slot, round } = statement;
      const index = honest ? chronicle.directory.indexOf(key) : undefined;
      // It may have signed with this key what it does not know (protocol 11.3).
      if (index !== undefined && chronicle.lost.has(index))
        report(`${node} signed in ${slotKeyName(slot)} with a key that it had before it lost its disk`, {
          faulty: [key],
        });
      if (honest && isReasonForgotten(shownReasons, record))
        report(
          `${node} changes to round ${round} of ${slotKeyName(slot)} without a reason, and has forgotten the one that it ` +
            "showed or recorded",
        );
      checkNewSignatures(chronicle, node, report);
    },
    closed: (_shownReasons, _record, chronicle, report) => checkNewSignatures(chronicle, undefined, report),
    // Only what is durable outlives a restart: a reason that came after the record was written is lost with the memory.
    restarted: (shownReasons, { node, reasoned = [] }) => {
      shownReasons.set(node, new Set(reasoned.slice(-SLOTS_KEPT).map(keyOf)));
    },
  });
}

/** `signer`: the node that has signed just now. */
function checkNewSignatures(chronicle: Chronicle, signer: NodeName | undefined, report: ReportViolation): void {
  const { directory } = chronicle;
  for (const signing of chronicle.signatures) {
    const key = directory.keyAt(signing.signer);
    if (!directory.isHonestKey(key)) continue;
    report.judged();
    const violation = contradictionOf(chronicle, signing);
    if (violation === undefined) continue;
    const node = signer ?? directory.nameOf(key);
    report(`${node} contradicts its own signature in ${slotKeyName(signing.statement.slot)}: it ${violation}`, {
      faulty: [key],
    });
  }
}

/** Notes what a round change shows. Returns true, once for a slot, if it shows no reason and an earlier one there did. */
function isReasonForgotten(shownReasons: ShownReasons, { node, statement }: EventOf<"signed">): boolean {
  if (statement.kind !== "roundChange") return false;
  const slots = shownReasons.get(node);
  const key = keyOf(statement);
  if (statement.hasReason !== true) return slots?.delete(key) === true;
  if (slots === undefined) shownReasons.set(node, new Set([key]));
  else if (!slots.has(key)) {
    slots.add(key);
    for (const oldest of slots) {
      if (slots.size <= SLOTS_KEPT) break;
      slots.delete(oldest);
    }
  }
  return false;
}

function keyOf({ epoch, slot }: SlotInEpoch): string {
  return `${epoch} ${slot}`;
}
