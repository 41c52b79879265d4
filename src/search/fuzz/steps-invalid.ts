/** Generated submissions that no correct client makes, and repeated ones. */
import type { SubmitKinds } from "../../scenario/scenario.ts";
import { drawEntryValidators } from "./entry-validators.ts";
import type { Rng } from "./rng.ts";
import { PAYERS, type Roles } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-payments.ts";

/** Adds an invalid signature, another chain, a nonce gap, a resubmission, a zero payment or another layout. */
export function invalidSubmission(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const only = drawEntryValidators(rng, roles);
  const payment = drawPayment(rng, from);
  const nonce = builder.nonceOf(from);
  switch (rng.pick(["signature", "chain", "gap", "again", "often", "zero", "layout"] as const)) {
    case "signature":
      builder.submit(from, payment, { only, more: { signature: rng.pick(["none", "broken", "high_s"] as const) } });
      return;
    case "chain":
      builder.submit(from, payment, { only, more: { chain_id: 7 } });
      return;
    case "gap":
      // The predecessor follows later or never; a correct client signs nothing before it.
      builder.scripted.add(from);
      builder.submit(from, payment, { only, nonce: nonce + 1 });
      if (rng.chance(2, 3))
        builder.submit(from, drawPayment(rng, from), { nonce, at: builder.at + rng.between(1, 900) });
      return;
    case "again": {
      const { id } = builder.submit(from, payment, { only });
      const entryValidators = drawEntryValidators(rng, roles);
      const again = { again: id };
      builder.addAt(builder.at + rng.skewed(0, 2_000), {
        submit: again,
        ...(entryValidators === undefined ? {} : { only: entryValidators }),
      });
      return;
    }
    case "often":
      builder.submit(from, payment, { only, more: { times: rng.between(2, 5) } });
      return;
    case "zero": {
      const nothing: SubmitKinds = { payment: { from, to: from, token: "USD", value: rng.pick(["0", "1"]) } };
      builder.submit(from, nothing, { only });
      return;
    }
    case "layout":
      builder.submit(from, payment, { only, more: { layout: rng.pick(["client", "client-json", "spec"] as const) } });
      return;
  }
}
