/** Preconditions of votes and commits on which the safety of slots in sequence rests. */
import type { Hash } from "../../base/ids.ts";
import type { Slot } from "../../base/slot.ts";
import type { UndoMap } from "../../base/undo-map.ts";
import type { Content } from "./content.ts";
import type { DecisionView } from "./decision-inputs.ts";
import { isNext } from "./slot-position.ts";

/** Returns true if every earlier slot of the sequence is applied here: a vote requires it (protocol 3.1, 1a). */
export function mayVoteInSlot(state: DecisionView, slot: Slot): boolean {
  return isNext(state, slot);
}

/** Returns true if a value's content is here: a commit requires it (protocol 3.1, 3). */
export function hasContent(contents: UndoMap<Content>, value: Hash): boolean {
  return contents.has(value);
}
