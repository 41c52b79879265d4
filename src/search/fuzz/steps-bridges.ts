/** Generated traffic of a bridge: mints for transactions of other chains, some of them twice, and burns to other chains. */
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { Rng } from "./rng.ts";
import { BURNER, drawEntryValidators, ISSUER, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { cents, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

/** Adds bridge operations of one direction. */
export function bridge(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (rng.chance(1, 2)) mints(rng, roles, builder);
  else burns(rng, roles, builder);
}

/** Two authorities of one bridge mint what they see on the other chain: often the same transaction. */
function mints(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const wide = rng.skewed(0, 400);
  for (let left = rng.between(1, 4); left > 0; left--) {
    const from = rng.pick([ISSUER, BURNER]);
    const transaction = rng.pick(["0xa", "0xA", "0xb"]);
    const to = rng.pick([...PAYERS, ...UNKNOWN_ACCOUNTS]);
    const part = { from, to, token: "USD", value: cents(rng.skewed(1, 6_000)), chain: rng.between(1, 2), transaction };
    builder.submit(
      from,
      { bridge_mint: part },
      { at: builder.at + rng.between(0, wide), only: drawEntryValidators(rng, roles) },
    );
  }
}

/** Burns of a holder, of the balance and of more, beside its payments. */
function burns(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  for (let left = rng.between(1, 3); left > 0; left--) {
    const value = cents(rng.chance(1, 4) ? 10_000 : rng.skewed(1, 4_000));
    const escrow = rng.chance(2, 3) ? { escrow: cents(rng.skewed(0, 200)) } : {};
    const part = { from, token: "USD", value, chain: rng.between(1, 2), destination: "0xd", ...escrow };
    const kinds: SubmitKinds = rng.chance(3, 4) ? { bridge_burn: part } : drawPayment(rng, from);
    const at = builder.at + rng.skewed(0, 300);
    const { nonce } = builder.submit(from, kinds, { at, only: drawEntryValidators(rng, roles) });
    if (rng.chance(1, 5)) builder.submit(from, { cancellation: { from } }, { nonce, at: at + rng.skewed(0, 600) });
  }
}
