/** Generated traffic of a bridge: mints for transactions of other chains, some of them twice, and burns to other chains. */

import type { Rng } from "../../scenario/rng.ts";
import type { SubmitKinds, SubmitSpec } from "../../scenario/schema/submit.ts";
import { RECENTS } from "./rivals.ts";
import { BURNER, drawEntryValidators, ISSUER, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { centsText, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

/** Adds bridge operations of one direction. */
export function addBridgeOperations(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (rng.chance(1, 2)) addBridgeMints(rng, roles, builder);
  else addBridgeBurns(rng, roles, builder);
}

/** The form of most clients, or of others (wire 3.8). */
function drawForm(rng: Rng): Pick<SubmitSpec, "layout" | "recent_checkpoint"> {
  if (!rng.chance(1, 3)) return {};
  const form = rng.pick([{}, { layout: "client-flat" }, { layout: "client-raw" }, { layout: "v2" }] as const);
  return "layout" in form && form.layout !== "client-flat" ? form : { ...form, ...rng.pick([{}, RECENTS[0]]) };
}

/** Draws a text for the bridge, in the layouts that sign one. */
function drawTexts(rng: Rng, { layout }: Pick<SubmitSpec, "layout">): { readonly bridge_metadata?: string } {
  return layout === "client-raw" || rng.chance(1, 2) ? {} : { bridge_metadata: rng.pick(["m", "n"]) };
}

/** Names of deposits: several spellings of one, and another. */
const DEPOSITS = ["0xa", "0xA", "0xb", "a", "0xa "] as const;

/** Two authorities of one bridge mint what they see on the other chain: often the same transaction. */
function addBridgeMints(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const wide = rng.pickSkewed(0, 400);
  for (let left = rng.integer(1, 4); left > 0; left--) {
    const from = rng.pick([ISSUER, BURNER]);
    const more = drawForm(rng);
    const transaction = more.layout === "client-raw" ? `0x${"0a".repeat(32)}` : rng.pick(DEPOSITS);
    const to = rng.pick([...PAYERS, ...UNKNOWN_ACCOUNTS]);
    const value = centsText(rng.pickSkewed(1, 6_000));
    const texts = drawTexts(rng.split(`texts ${left}`), more);
    const part = { from, to, token: "USD", value, chain: rng.integer(1, 2), transaction, ...texts };
    builder.submit(
      from,
      { bridge_mint: part },
      { at: builder.at + rng.integer(0, wide), only: drawEntryValidators(rng, roles), more },
    );
  }
}

/** Burns of a holder, of the balance and of more, beside its payments. */
function addBridgeBurns(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  for (let left = rng.integer(1, 3); left > 0; left--) {
    const value = centsText(rng.chance(1, 4) ? 10_000 : rng.pickSkewed(1, 4_000));
    const escrow = rng.chance(2, 3) ? { escrow: centsText(rng.pickSkewed(0, 200)) } : {};
    const form = drawForm(rng);
    const destination = form.layout === "client-raw" ? `0x${"0d".repeat(20)}` : "0xd";
    const texts = rng.split(`texts ${left}`);
    const bytes =
      form.layout !== "client-raw" && texts.chance(1, 3) ? { bridge_param: texts.pick(["0x01", "0x02"]) } : {};
    const more = { ...escrow, ...drawTexts(texts, form), ...bytes };
    const part = { from, token: "USD", value, chain: rng.integer(1, 2), destination, ...more };
    const isBurn = rng.chance(3, 4);
    const kinds: SubmitKinds = isBurn ? { bridge_burn: part } : drawPayment(rng, from);
    const at = builder.at + rng.pickSkewed(0, 300);
    const only = drawEntryValidators(rng, roles);
    const { nonce } = builder.submit(from, kinds, { at, only, more: isBurn ? form : {} });
    if (rng.chance(1, 5)) builder.submit(from, { cancellation: { from } }, { nonce, at: at + rng.pickSkewed(0, 600) });
  }
}
