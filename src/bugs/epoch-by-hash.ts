import { slotKey } from "../core/base/slot.ts";
import { beginNextEpoch } from "../core/ledger/epoch.ts";
import { enterEpoch } from "../core/validator/epochs/enter-epoch.ts";
import type { Input } from "../core/validator/input.ts";
import type { Output } from "../core/validator/output.ts";
import { isClosing } from "../core/validator/slots/content.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Next epoch entered on the certificate of the closing, without its content (protocol 8). */
export const epochByHash: KnownBadVariant = {
  name: "epoch-by-hash",
  mistake: "a validator votes in the next epoch once the closing is final, before it has applied the closing",
  source: "protocol 6.3, 8",
  caughtBy: [
    "agreement",
    "irreversibility",
    "amnesia",
    "accountability",
    "checkpoints",
    "convergence",
    "validity",
    "conservation",
    "accounts",
    "fees",
    "liveness",
    "authority",
  ],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      forgetClosing(state);
      return [...outputs, ...hurry(state, input)];
    },
  }),
};

/** Keeps only the hash of a closing that it has committed to, as if the content could be fetched later. */
function forgetClosing(state: ValidatorState): void {
  const { epoch } = state.ledger;
  if ((state.slots.get(slotKey({ kind: "epoch", epoch }))?.commits.length ?? 0) === 0) return;
  for (const [hash, content] of state.contents.entries())
    if (isClosing(content)) state.contents = state.contents.delete(hash);
}

/** Continues with the parameters of the last epoch, from the slots applied so far. */
function hurry(state: ValidatorState, input: Input): readonly Output[] {
  const { epoch, parameters } = state.ledger;
  const certificate = state.slots.get(slotKey({ kind: "epoch", epoch }))?.decided;
  if (certificate === undefined) return [];
  const { self } = state.environment;
  const context = { state, at: input.at, clock: input.at, from: self, outputs: [], agenda: [] };
  enterEpoch(context, beginNextEpoch(state.ledger, parameters, state.checkpoint.header.number));
  return context.outputs;
}
