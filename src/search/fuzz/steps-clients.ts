/** Generated submissions of clients: payments, spent credits, invalid submissions and workloads. */

import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { MixEntrySpec, MixKind } from "../../scenario/schema/workload.ts";
import { drawMalformed } from "./malformed-operations.ts";
import { drawExtras, RECENTS } from "./rivals.ts";
import {
  correctOf,
  drawEntryValidators,
  MINTER,
  PAYERS,
  type Roles,
  SCRIBE,
  UNKNOWN_ACCOUNTS,
  WALLETS,
} from "./roles.ts";
import { centsText, DECISIONS, holdUntil, type StepBuilder } from "./step-builder.ts";
import type { SwarmKind } from "./swarm.ts";

/** Adds one payment, or several of one owner at once. */
export function addPayments(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const count = rng.pickWeighted([5, 1], [1, 2], [1, 4]);
  const only = drawEntryValidators(rng, roles);
  for (let index = 0; index < count; index++) {
    const at = builder.at + (index === 0 ? 0 : rng.pickSkewed(0, 60));
    builder.submit(from, drawPayment(rng, from), { at, only, more: drawExtras(rng) });
  }
}

/** Draws a payment of one of the tokens, mostly one that its sender can afford; one of eight is a batch. */
export function drawPayment(rng: Rng, from: Name): SubmitKinds {
  if (rng.chance(1, 8)) return drawBatch(rng, from);
  const token = rng.pickWeighted([5, "USD"], [1, "RWA"]);
  const to = rng.pickWeighted([4, rng.pick(PAYERS)], [1, rng.pick(UNKNOWN_ACCOUNTS)]);
  return {
    payment: {
      from,
      to,
      token,
      value: centsText(rng.pickWeighted([19, rng.pickSkewed(1, 2_000)], [1, 10_000])),
    },
  };
}

/**
 * Draws a batch of a few payments, whose recipients may repeat, and may be the sender. Many are of the private token, whose
 * list excludes some recipients and not others.
 */
export function drawBatch(rng: Rng, from: Name): SubmitKinds {
  const token = rng.chance(3, 5) ? "USD" : "RWA";
  const legs = Array.from({ length: rng.pickSkewed(1, 5) }, () => ({
    to: rng.chance(1, 2) ? rng.pick(PAYERS) : rng.pick([...WALLETS, ...UNKNOWN_ACCOUNTS]),
    value: centsText(rng.chance(7, 8) ? rng.pickSkewed(1, 500) : 10_000),
  }));
  const named = rng.chance(1, 4) ? { batch_id: rng.split("name").pick(["b", "c"]) } : {};
  const dated = rng.split("date").chance(1, 4) ? { created_at: rng.split("date").integer(1, 3) } : {};
  return { batch: { from, token, legs, ...named, ...dated } };
}

/**
 * Pays an account without balance, which pays on through the first validator with the credit: the others lack it and
 * wait for it (protocol 4.2).
 */
export function spendCredit(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const to = rng.pick(UNKNOWN_ACCOUNTS);
  const steady = correctOf(roles);
  const first = rng.pick(steady.length === 0 ? roles.validators : steady);
  const paid = builder.submit(from, { payment: { from, to, token: "USD", value: "9" } }, { only: [first] });
  const others = roles.validators.filter((name) => name !== first);
  if (others.length > 0) {
    const late = rng.pickSome(others, rng.integer(1, others.length));
    holdUntil(builder, builder.at + rng.integer(300, 4_000), { of: paid.id, kinds: DECISIONS, to: late });
  }
  const on = { from: to, to: rng.pick(PAYERS), token: "USD", value: centsText(rng.integer(1, 700)) };
  const after = { applied: paid.id, by: first, plus_ms: rng.pickSkewed(0, 60) };
  builder.submit(to, { payment: on }, { after, only: [first] });
}

/**
 * Adds an invalid signature, another chain, a nonce gap, a resubmission, a zero payment, another layout, a memo that no
 * layout signs, or another fault of form.
 */
export function addInvalidSubmission(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const only = drawEntryValidators(rng, roles);
  const payment = drawPayment(rng, from);
  const nonce = builder.nonceOf(from);
  switch (rng.pick(["signature", "chain", "gap", "repeat", "often", "zero", "layout", "memo", "form"] as const)) {
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
        builder.submit(from, drawPayment(rng, from), { nonce, at: builder.at + rng.integer(1, 900) });
      return;
    case "repeat": {
      const { id } = builder.submit(from, payment, { only });
      const entryValidators = drawEntryValidators(rng, roles);
      const repeat = { repeat: id, ...(rng.split("signature").chance(1, 3) ? { signature: "second" as const } : {}) };
      builder.addAt(builder.at + rng.pickSkewed(0, 2_000), {
        submit: repeat,
        ...(entryValidators === undefined ? {} : { only: entryValidators }),
      });
      return;
    }
    case "often":
      builder.submit(from, payment, { only, more: { times: rng.integer(2, 5) } });
      return;
    case "zero": {
      const nothing: SubmitKinds = { payment: { from, to: from, token: "USD", value: rng.pick(["0", "1"]) } };
      builder.submit(from, nothing, { only });
      return;
    }
    case "memo": {
      // Refused: the layout does not sign it.
      const given = { payment: { from, to: rng.pick(PAYERS), token: "USD", value: centsText(rng.pickSkewed(1, 300)) } };
      builder.submit(from, given, { only, more: { layout: "spec", memo: { data: `invoice ${nonce}` } } });
      return;
    }
    case "form": {
      for (let count = rng.integer(1, 3); count > 0; count--) {
        const { from: signer, kinds, more } = drawMalformed(rng, from);
        builder.submit(signer, kinds, { only, more });
      }
      return;
    }
    case "layout":
      builder.submit(from, payment, {
        only,
        more: rng.pick([
          ...(["client", "client-json", "spec", "v2"] as const).map((layout) => ({ layout })),
          ...RECENTS,
        ]),
      });
      return;
  }
}

/** Order of each kind, and the swarm kind that enables it; `undefined` for kinds that workloads leave to other steps. */
const ORDERS: Readonly<Record<MixKind, readonly [SwarmKind, MixEntrySpec] | undefined>> = {
  payment: ["payments", { payment: { token: "RWA", value: "0.5..3" } }],
  cancellation: ["cancellations", { cancellation: true }],
  mint: ["supply", { mint: { from: MINTER, token: "USD", value: "0.5..4" } }],
  burn: ["burns", { burn: { from: MINTER, token: "USD", value: "1..120", accounts: [...WALLETS, "alice"] } }],
  clawback: [
    "burns",
    { clawback: { from: MINTER, token: "USD", value: "1..120", accounts: [...WALLETS, "alice"], to: PAYERS } },
  ],
  bridge_mint: [
    "bridges",
    { bridge_mint: { from: MINTER, to: "alice", token: "USD", value: "0.5", chain: 1, transaction: "0xw" } },
  ],
  bridge_burn: undefined,
  batch: [
    "payments",
    {
      batch: {
        from: MINTER,
        token: "USD",
        legs: [
          { to: "alice", value: "0.5" },
          { to: "zoe", value: "1" },
          { to: "alice", value: "0.25" },
        ],
      },
    },
  ],
  metadata: ["metadata", { metadata: { from: SCRIBE, token: "USD", name: "Dollar", additional: { a: "b" } } }],
  blacklist: undefined,
  whitelist: undefined,
  pause: ["restrictions", { pause: { from: SCRIBE, token: "USD" } }],
  unpause: ["restrictions", { unpause: { from: SCRIBE, token: "USD" } }],
  grant: ["roles", { grant: { from: MINTER, token: "USD", role: "MintBurnTokens", to: [MINTER], allowance: "0..20" } }],
  revoke: undefined,
  issue: undefined,
  multisig: undefined,
};

/** Adds a workload; it always has payments, so that cancellations have targets. */
export function addWorkload(rng: Rng, { profile, swarm }: Roles, builder: StepBuilder): void {
  const most = centsText(rng.pickSkewed(1, 2_000));
  const others = rng.pickSome(
    Object.values(ORDERS).flatMap((drawn) => (drawn !== undefined && swarm[drawn[0]] > 0 ? [drawn[1]] : [])),
    rng.integer(0, 5),
  );
  builder.addAt(builder.at, {
    workload: {
      id: `w${builder.steps.length}`,
      accounts: rng.pickSome(WALLETS, rng.integer(1, WALLETS.length)),
      count: rng.integer(1, profile.orders),
      every_ms: `0..${rng.pickSkewed(1, 120)}`,
      mix: [{ weight: 3, payment: { token: "USD", value: most === "0.01" ? most : `0.01..${most}` } }, ...others],
    },
  });
}
