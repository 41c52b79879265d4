/**
 * Generated operations that their entry validator refuses beside another one of their signer: rivals for one nonce, a
 * second reading of one signature, and what a queue cannot fund in one of its tokens (protocol 4.2, 9.3).
 */
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { drawRivalsOfFields } from "./field-rivals.ts";
import type { Rng } from "./rng.ts";
import { correctOf, FUNDED, ISSUER, OWNER, type Roles } from "./roles.ts";
import { centsText, type StepBuilder } from "./step-builder.ts";

/** Adds operations of one or two of these sorts, all at one validator. */
export function addRefusedOperations(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const steady = correctOf(roles);
  const entry = rng.pick(steady.length === 0 ? roles.validators : steady);
  // First, since of a queue in which one is refused nothing later is admitted.
  if (rng.split("reading").chance(1, 2)) addSecondReading(rng.split("reading"), entry, builder);
  rng.pickWeighted([
    [3, addFieldRivals],
    [2, addTokenQueue],
  ])(rng, entry, builder);
}

/** For each field of a kind a pair that differs in it: the second one is refused, unless the two have one id. */
function addFieldRivals(rng: Rng, entry: Name, builder: StepBuilder): void {
  const from = rng.chance(1, 2) ? ISSUER : FUNDED;
  for (const [index, pair] of drawRivalsOfFields(rng, from).entries()) {
    const nonce = builder.nonceOf(from);
    for (const kinds of pair) builder.submit(from, kinds, { nonce, only: [entry], at: builder.at + index * 5 });
  }
}

/** A payment and a mint with the same signed bytes, in either order. */
function addSecondReading(rng: Rng, entry: Name, builder: StepBuilder): void {
  const part = { from: FUNDED, to: OWNER, token: "USD", value: centsText(rng.pickSkewed(1, 300)) };
  const nonce = builder.nonceOf(FUNDED);
  const wide = rng.pickSkewed(0, 100);
  for (const [index, kinds] of rng.shuffle<SubmitKinds>([{ payment: part }, { mint: part }]).entries())
    builder.submit(FUNDED, kinds, { nonce, only: [entry], at: builder.at + index * wide });
}

/** Payments in a row whose sum the balance of no token covers, where that of each token covers its own. */
function addTokenQueue(rng: Rng, entry: Name, builder: StepBuilder): void {
  const tokens = rng.shuffle(["USD", "RWA"]);
  for (const token of rng.chance(1, 3) ? [...tokens, rng.pick(tokens)] : tokens) {
    const payment = { from: FUNDED, to: OWNER, token, value: centsText(rng.integer(4_500, 8_500)) };
    builder.submit(FUNDED, { payment }, { only: [entry] });
  }
}
