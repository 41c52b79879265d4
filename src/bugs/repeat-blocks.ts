import { type SlotKey, slotKey } from "../core/base/slot.ts";
import { ballotPrefix } from "../core/consensus/slot-state.ts";
import type { Input } from "../core/validator/input.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { createVariantState } from "./variant-state.ts";

const givenUp = createVariantState<ReadonlySet<SlotKey>>("given up");

/** Repeated vote that discards the gathered ones (bugs A7). */
export const repeatBlocks: KnownBadVariant = {
  name: "repeat-blocks",
  mistake: "a repeated vote or commit is an error, after which its collector assembles no certificate in the slot",
  source: "bugs A7",
  caughtBy: ["liveness"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const ballot = ballotIn(state, input);
      if (ballot === undefined) return real.step(state, input);
      const slots = givenUp.of(state) ?? new Set();
      if (slots.has(ballot.slot)) return [];
      if (!ballot.isRepeated) return real.step(state, input);
      givenUp.keep(state, new Set([...slots, ballot.slot]));
      return [];
    },
  }),
};

/** Returns a vote or commit of another validator in an open slot, and whether it is a repeat. */
function ballotIn(
  { slots, environment }: ValidatorState,
  input: Input,
): { readonly slot: SlotKey; readonly isRepeated: boolean } | undefined {
  if (input.type !== "message" || input.message.type !== "consensus") return undefined;
  const { body } = input.message;
  if ((body.type !== "vote" && body.type !== "commit") || body.signer === environment.self) return undefined;
  const slot = slotKey(body.slot);
  const known = slots.get(slot);
  if (known === undefined || known.decided !== undefined) return undefined;
  return { slot, isRepeated: known.ballots.has(ballotPrefix(body.type, body.round, body.value) + body.signer) };
}
