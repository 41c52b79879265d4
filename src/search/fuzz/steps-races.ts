/** Generated races: operations against their own cancellation, or against faults of the best informed validator. */

import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import { correctOf, drawEntryValidators, PAYERS, type Roles } from "./roles.ts";
import { holdUntil, type KnownOperation, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";
import { resubmitOnVoid } from "./steps-conflicts.ts";

/** Adds a payment, and its owner's cancellation at another validator shortly afterwards. */
export function addCancellation(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const behind = rng.split("behind");
  if (!builder.hasCrowd && behind.chance(1, 5)) {
    cancelBehindPayment(behind, from, roles, builder);
    return;
  }
  const paid = builder.submit(from, drawPayment(rng, from), { only: drawEntryValidators(rng, roles) });
  const only = drawEntryValidators(rng, roles);
  const { nonce } = paid;
  if (rng.chance(1, 4)) resubmitOnVoid(rng, rng.pick(roles.validators), builder);
  if (rng.chance(1, 2)) {
    builder.submit(from, { cancellation: { from } }, { nonce, only, at: builder.at + rng.pickSkewed(0, 500) });
    return;
  }
  const after = drawTrigger(rng, paid, roles);
  builder.submit(from, { cancellation: { from } }, { nonce, only, after });
}

/** Adds two payments, of which the first is held up for longer than a cancellation waits, and a cancellation of the second. */
function cancelBehindPayment(rng: Rng, from: Name, roles: Roles, builder: StepBuilder): void {
  const entry = [rng.pick(roles.validators)];
  holdUntil(builder, builder.at + rng.integer(2_100, 5_000), { kinds: ["offer"], account: from });
  builder.submit(from, drawPayment(rng, from), { only: entry });
  const { nonce } = builder.submit(from, drawPayment(rng, from), {
    only: entry,
    at: builder.at + rng.pickSkewed(0, 60),
  });
  const at = builder.at + rng.integer(60, 600);
  builder.submit(from, { cancellation: { from } }, { nonce, only: entry, at });
}

/**
 * Adds a payment that is about to become final, or is final at few validators: the one that gets there first is
 * partitioned, crashed or delayed, while the owner cancels at the others.
 */
export function raceCancellation(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const steady = correctOf(roles);
  const entry = rng.pick(steady.length === 0 ? roles.validators : steady);
  const others = [...roles.validators, ...roles.spares].filter((name) => name !== entry);
  const paid = builder.submit(from, drawPayment(rng, from), { only: rng.chance(2, 3) ? [entry] : undefined });
  if (others.length === 0) return;
  const end = builder.at + rng.integer(1_000, 6_000);
  const fault = rng.pickWeighted([3, "cut off"], [2, "unheard"], [1, "down"], [2, "deaf"]);
  if (fault === "cut off") {
    const after: TriggerSpec = {
      [rng.pick(["decided", "decided", "committed", "voted"] as const)]: paid.id,
      by: entry,
    };
    builder.addAfter(after, { partition: [[entry], others] });
    builder.addAt(end, { heal: true });
  } else if (fault === "down") {
    const node = entry;
    builder.addAfter({ decided: paid.id, by: entry }, { crash: { node, restart_after_ms: rng.integer(500, 5_000) } });
  } else {
    const rule = builder.newRule();
    const side = fault === "deaf" ? { to: rng.pickSome(others, rng.integer(1, others.length)) } : { from: [entry] };
    const kinds = rng.pick([["lock"], ["commit"], ["finality", "decisions"], ["lock", "offer", "commit"]] as const);
    builder.addAt(builder.at, { hold: { rule, kinds, ...side, account: from } });
    if (rng.chance(1, 3)) builder.addAfter({ round_change: from, times: rng.integer(1, 4) }, { release: rule });
    builder.addAt(end, { release: rule });
  }
  const at = builder.at + rng.integer(20, 900);
  builder.submit(from, { cancellation: { from } }, { nonce: paid.nonce, only: [rng.pick(others)], at });
}

/**
 * Adds a payment in progress when the epoch closes, and another operation of its owner for the same nonce in the next
 * epoch: the first is void or was decided by the closing.
 */
export function addCrossingPayments(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const entryValidators = rng.chance(1, 2) ? roles.validators.slice(-1) : [rng.pick(roles.validators)];
  const nonce = builder.nonceOf(from);
  const epoch = rng.pickWeighted([4, 0], [1, 1]);
  const { id } = builder.submit(from, drawPayment(rng, from), {
    nonce,
    only: rng.chance(3, 4) ? entryValidators : undefined,
  });
  const rule = builder.newRule();
  const [kinds, side] = rng.pick([
    [["commit"], {}],
    [["lock"], { from: entryValidators }],
    [["finality", "decisions"], {}],
    [["vote"], { to: [rng.pick(roles.validators)] }],
  ] as const);
  builder.addAt(builder.at, { hold: { rule, of: id, kinds, ...side } });
  if (roles.swarm.govern > 0)
    builder.addAt(builder.at + rng.integer(30, 400), { govern: { to: [rng.pick(roles.validators)], epoch } });
  const after = { closed: epoch, by: rng.pick(roles.validators), plus_ms: rng.pickSkewed(0, 400) };
  builder.submit(from, drawPayment(rng, from), { nonce, after, only: drawEntryValidators(rng, roles) });
  builder.addAt(builder.at + rng.integer(1_000, 5_000), { release: rule });
}

/** Draws a trigger from the progress of an operation. */
export function drawTrigger(rng: Rng, { id }: KnownOperation, { validators }: Roles): TriggerSpec {
  const event = rng.pick(["voted", "committed", "committed", "decided", "applied"] as const);
  const by: { readonly by?: Name } = rng.chance(1, 2) ? { by: rng.pick(validators) } : {};
  return { [event]: id, ...by, ...(rng.chance(1, 2) ? { plus_ms: rng.pickSkewed(0, 300) } : {}) };
}
