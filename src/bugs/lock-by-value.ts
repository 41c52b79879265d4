import { slotKey } from "../core/base/slot.ts";
import { type SlotState, withChanges } from "../core/consensus/slot-state.ts";
import type { Input } from "../core/validator/input.ts";
import type { Offer } from "../core/validator/message.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Own vote recorded by value and not by slot (bugs B3). */
export const lockByValue: KnownBadVariant = {
  name: "lock-by-value",
  mistake: "a validator checks for its own vote by operation, not by slot",
  source: "bugs B3",
  caughtBy: ["amnesia", "accountability", "agreement", "irreversibility", "convergence"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const offer = offerIn(input);
      const before = offer === undefined ? undefined : state.slots.get(slotKey(offer.slot));
      if (offer === undefined || before === undefined || before.decided !== undefined) return real.step(state, input);
      const value = state.environment.hashes.value(offer.content.value);
      const votes = before.votes.filter((vote) => vote.value === value);
      keep(state, withChanges(before, { votes }));
      const outputs = real.step(state, input);
      const after = state.slots.get(slotKey(offer.slot)) ?? before;
      const forgotten = before.votes.filter((vote) => !after.votes.includes(vote));
      keep(state, withChanges(after, { votes: [...forgotten, ...after.votes] }));
      return outputs;
    },
  }),
};

function offerIn(input: Input): Offer | undefined {
  return input.type === "message" && input.message.type === "offer" ? input.message : undefined;
}

function keep(state: ValidatorState, slot: SlotState): void {
  state.slots = state.slots.set(slotKey(slot.slot), slot);
}
