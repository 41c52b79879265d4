import { slotKey } from "../core/base/slot.ts";
import type { DecisionView } from "../core/validator/slots/decision-inputs.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** One lock for a whole validator (invariant I16: an undecided account delays no other). */
export const oneOpenSlot: KnownBadVariant = {
  name: "one-open-slot",
  mistake: "a validator votes in one account at a time: an undecided slot delays all other accounts",
  source: "bugs H7; protocol 7.8",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      checkContent: (state, at, slot, content, round) => {
        const isBusy = slot.kind === "account" && round === 0 && isOpenElsewhere(state, slotKey(slot));
        return isBusy
          ? { answer: "wait", missing: { code: "system_queue_full", limit: 1 } }
          : real.validator.checkContent(state, at, slot, content, round);
      },
    },
  }),
};

function isOpenElsewhere({ slots }: DecisionView, key: string): boolean {
  return slots
    .values()
    .some(
      ({ slot, votes, decided }) =>
        slot.kind === "account" && votes.length > 0 && decided === undefined && slotKey(slot) !== key,
    );
}
