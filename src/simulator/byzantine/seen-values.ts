/** Values of each round of each slot that a Byzantine validator has received. */
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import { type Slot, slotKey } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import { STRATEGY_ROUNDS_MAX, STRATEGY_VALUES_MAX } from "../limits.ts";
import { hashOf } from "../network/pattern.ts";
import type { InterceptedStep } from "./strategy.ts";

export interface SeenValue {
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly value: Hash;
}

/** Values by epoch, slot and round, in order of receipt. */
export type SeenValues = Trie<readonly Hash[]>;

export const NO_SEEN_VALUES: SeenValues = Trie.empty();

/** Returns the key of a value's epoch, slot and round in `Rumours`. */
export function slotRoundKey({ epoch, slot, round }: Omit<SeenValue, "value">): string {
  return `${epoch} ${slotKey(slot)} ${round}`;
}

/** Returns the values that the input or the node's own outputs name. */
export function valuesIn(step: InterceptedStep): readonly SeenValue[] {
  const found: SeenValue[] = [];
  if (step.input.type === "message") {
    const { message } = step.input;
    if (message.type === "consensus") found.push(...bodyValue(message.body));
    else if (message.type === "offer") {
      const key = { epoch: step.epoch, slot: message.slot, round: 0 as Round };
      found.push({ ...key, value: hashOf(message.content) });
    }
  }
  for (const output of step.outputs) if (output.type === "sign") found.push(...bodyValue(output.message.body));
  return found;
}

/** Adds received values. Rounds and values are bounded: the oldest are dropped. */
export function withSeen(seen: SeenValues, heard: readonly SeenValue[]): SeenValues {
  let known = seen;
  for (const one of heard) {
    const key = slotRoundKey(one);
    const values = known.get(key) ?? [];
    if (values.includes(one.value) || values.length >= STRATEGY_VALUES_MAX) continue;
    if (known.size >= STRATEGY_ROUNDS_MAX && values.length === 0) known = NO_SEEN_VALUES;
    known = known.set(key, [...values, one.value]);
  }
  return known;
}

function bodyValue(
  body: StatementContent | ({ readonly type: "lock" | "finality"; readonly value: Hash } & Omit<SeenValue, "value">),
): SeenValue[] {
  if (body.type === "roundChange" || body.type === "close") return [];
  return [{ epoch: body.epoch, slot: body.slot, round: body.round, value: body.value }];
}
