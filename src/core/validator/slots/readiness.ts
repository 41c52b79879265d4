/** Small decisions on which the safety of slots in sequence rests. */
import type { Hash } from "../../base/ids.ts";
import type { Slot } from "../../base/slot.ts";
import type { UndoMap } from "../../base/undo-map.ts";
import type { Content } from "./content.ts";
import type { View } from "./grounds.ts";
import { isNextHere } from "./place.ts";

/** Whether every earlier slot of the sequence is applied here: nobody votes before (protocol 3.1, 1a). */
export function isReady(state: View, slot: Slot): boolean {
  return isNextHere(state, slot);
}

/** Whether a value's content is here: nobody commits without (protocol 3.1, 3). */
export function holdsContent(contents: UndoMap<Content>, value: Hash): boolean {
  return contents.has(value);
}
