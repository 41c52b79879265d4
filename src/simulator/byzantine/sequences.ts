/** Next slot of each account, as a strategy learns it from the applications of its honest program. */
import { type Address, next, type Sequence } from "../../core/base/ids.ts";
import type { AccountSlot } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { InterceptedStep } from "./strategy.ts";

/** By account; absent for an account without an applied slot. */
export type Sequences = Trie<Sequence>;

export const NO_SEQUENCES: Sequences = Trie.empty();

/** Returns the account slots that the program applies in this step. */
export function appliedIn({ outputs }: InterceptedStep): readonly AccountSlot[] {
  return outputs.flatMap((output) => {
    if (output.type !== "event" || output.event.type !== "applied") return [];
    return output.event.slot.kind === "account" ? [output.event.slot] : [];
  });
}

export function afterStep(sequences: Sequences, applied: readonly AccountSlot[]): Sequences {
  let known = sequences;
  for (const { address, sequence } of applied) known = known.set(address, next(sequence));
  return known;
}

export function nextSlotOf(sequences: Sequences, address: Address): AccountSlot {
  return { kind: "account", address, sequence: sequences.get(address) ?? (0 as Sequence) };
}
