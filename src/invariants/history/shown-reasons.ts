/** Slots of which a node has shown a reason to leave round 0: its later round changes there show one, too (protocol 3.2). */
import { copyOfMap } from "../copies.ts";
import type { EventOf, NodeName, SlotInEpoch } from "../observation.ts";

/** Slots of one node that are kept, the newest: those of which the reason was shown or is durable. */
const SLOTS_KEPT = 64;

/** By node, in the order in which they came. */
export type ShownReasons = Map<NodeName, Set<string>>;

/** Returns an independent copy. */
export function copyOfShown(shown: ShownReasons): ShownReasons {
  return copyOfMap(shown, (slots) => new Set(slots));
}

/** Only what is durable outlives a restart: a reason that came after the record was written is lost with the memory. */
export function noteRestart(shown: ShownReasons, { node, reasoned = [] }: EventOf<"restarted">): void {
  shown.set(node, new Set(reasoned.slice(-SLOTS_KEPT).map(keyOf)));
}

/** Notes what a round change shows. Returns true, once for a slot, if it shows no reason and an earlier one there did. */
export function isReasonForgotten(shown: ShownReasons, { node, statement }: EventOf<"signed">): boolean {
  if (statement.kind !== "roundChange") return false;
  const slots = shown.get(node);
  const key = keyOf(statement);
  if (statement.hasReason !== true) return slots?.delete(key) === true;
  if (slots === undefined) shown.set(node, new Set([key]));
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
