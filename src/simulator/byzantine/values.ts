/** Values of each round of each slot that a Byzantine validator has received. */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import { type Slot, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { Unsigned } from "../../core/consensus/message.ts";
import { STRATEGY_ROUNDS_MAX, STRATEGY_VALUES_MAX } from "../limits.ts";
import { hashOf } from "../network/pattern.ts";
import type { Turn } from "./strategy.ts";

export interface Heard {
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly value: Hash;
}

/** Values by epoch, slot and round, in order of receipt. */
export type Rumours = Trie<readonly Hash[]>;

export const NO_RUMOURS: Rumours = Trie.empty();

/** Returns the key of a value's epoch, slot and round in `Rumours`. */
export function placeOf({ epoch, slot, round }: Omit<Heard, "value">): string {
  return `${epoch} ${slotKey(slot)} ${round}`;
}

/** Returns the values that the input or the node's own outputs name. */
export function heardIn(turn: Turn): readonly Heard[] {
  const found: Heard[] = [];
  if (turn.input.type === "message") {
    const { message } = turn.input;
    if (message.type === "consensus") found.push(...bodyValue(message.body));
    else if (message.type === "offer") {
      const place = { epoch: turn.epoch, slot: message.slot, round: 0 as Round };
      found.push({ ...place, value: hashOf(message.content) });
    }
  }
  for (const output of turn.outputs) if (output.type === "sign") found.push(...bodyValue(output.message.body));
  return found;
}

/** Adds received values. Rounds and values are bounded: the oldest are dropped. */
export function remember(rumours: Rumours, heard: readonly Heard[]): Rumours {
  let known = rumours;
  for (const one of heard) {
    const place = placeOf(one);
    const values = known.get(place) ?? [];
    if (values.includes(one.value) || values.length >= STRATEGY_VALUES_MAX) continue;
    if (known.size >= STRATEGY_ROUNDS_MAX && values.length === 0) known = NO_RUMOURS;
    known = known.set(place, [...values, one.value]);
  }
  return known;
}

function bodyValue(
  body: Unsigned | ({ readonly type: "lock" | "finality"; readonly value: Hash } & Omit<Heard, "value">),
): Heard[] {
  if (body.type === "roundChange" || body.type === "close") return [];
  return [{ epoch: body.epoch, slot: body.slot, round: body.round, value: body.value }];
}
