/** Generated submissions that no correct client makes, and repeated ones. */
import type { SubmitKinds } from "../../scenario/scenario.ts";
import { drawPayment } from "./acts-payments.ts";
import { drawAsked } from "./asked.ts";
import { type Cast, PAYERS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Script } from "./script.ts";

/** Adds an invalid signature, another chain, a nonce gap, a resubmission, a zero payment or another layout. */
export function odd(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const only = drawAsked(dice, cast);
  const payment = drawPayment(dice, from);
  const nonce = script.nonceOf(from);
  switch (dice.pick(["signature", "chain", "gap", "again", "often", "zero", "layout"] as const)) {
    case "signature":
      script.submit(from, payment, { only, more: { signature: dice.pick(["none", "broken", "high_s"] as const) } });
      return;
    case "chain":
      script.submit(from, payment, { only, more: { chain_id: 7 } });
      return;
    case "gap":
      // The predecessor follows later or never; a correct client signs nothing before it.
      script.scripted.add(from);
      script.submit(from, payment, { only, nonce: nonce + 1 });
      if (dice.chance(2, 3))
        script.submit(from, drawPayment(dice, from), { nonce, at: script.at + dice.between(1, 900) });
      return;
    case "again": {
      const { id } = script.submit(from, payment, { only });
      const asked = drawAsked(dice, cast);
      const again = { again: id };
      script.does(script.at + dice.skewed(0, 2_000), {
        submit: again,
        ...(asked === undefined ? {} : { only: asked }),
      });
      return;
    }
    case "often":
      script.submit(from, payment, { only, more: { times: dice.between(2, 5) } });
      return;
    case "zero": {
      const nothing: SubmitKinds = { payment: { from, to: from, token: "USD", value: dice.pick(["0", "1"]) } };
      script.submit(from, nothing, { only });
      return;
    }
    case "layout":
      script.submit(from, payment, { only, more: { layout: dice.pick(["client", "client-json", "spec"] as const) } });
      return;
  }
}
