/** Generated races: operations against their own cancellation, or against faults of the best informed validator. */
import type { TriggerPart } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import { drawPayment, forget } from "./acts-payments.ts";
import { drawAsked } from "./asked.ts";
import { type Cast, PAYERS, steadyOf } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Known, Script } from "./script.ts";

/** Adds a payment, and its owner's cancellation at another validator shortly afterwards. */
export function cancel(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const paid = script.submit(from, drawPayment(dice, from), { only: drawAsked(dice, cast) });
  const only = drawAsked(dice, cast);
  const { nonce } = paid;
  if (dice.chance(1, 4)) forget(dice, dice.pick(cast.validators), script);
  if (dice.chance(1, 2)) {
    script.submit(from, { cancellation: { from } }, { nonce, only, at: script.at + dice.skewed(0, 500) });
    return;
  }
  const after = drawMoment(dice, paid, cast);
  script.submit(from, { cancellation: { from } }, { nonce, only, after });
}

/**
 * Adds a payment that is about to become final, or is final at few validators: the one that gets there first is
 * partitioned, crashed or delayed, while the owner cancels at the others.
 */
export function race(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const steady = steadyOf(cast);
  const hero = dice.pick(steady.length === 0 ? cast.validators : steady);
  const others = [...cast.validators, ...cast.spares].filter((name) => name !== hero);
  const paid = script.submit(from, drawPayment(dice, from), { only: dice.chance(2, 3) ? [hero] : undefined });
  if (others.length === 0) return;
  const end = script.at + dice.between(1_000, 6_000);
  const how = dice.weighted([
    [3, "cut off"],
    [2, "unheard"],
    [1, "down"],
    [2, "deaf"],
  ]);
  if (how === "cut off") {
    const after: TriggerPart = {
      [dice.pick(["decided", "decided", "committed", "voted"] as const)]: paid.id,
      by: hero,
    };
    script.follows(after, { partition: [[hero], others] });
    script.does(end, { heal: true });
  } else if (how === "down") {
    const node = hero;
    script.follows({ decided: paid.id, by: hero }, { crash: { node, restart_after_ms: dice.between(500, 5_000) } });
  } else {
    const rule = script.rule();
    const side = how === "deaf" ? { to: dice.some(others, dice.between(1, others.length)) } : { from: [hero] };
    const kinds = dice.pick([["lock"], ["commit"], ["finality", "decisions"], ["lock", "offer", "commit"]] as const);
    script.does(script.at, { hold: { rule, kinds, ...side, account: from } });
    if (dice.chance(1, 3)) script.follows({ round_change: from, times: dice.between(1, 4) }, { release: rule });
    script.does(end, { release: rule });
  }
  const at = script.at + dice.between(20, 900);
  script.submit(from, { cancellation: { from } }, { nonce: paid.nonce, only: [dice.pick(others)], at });
}

/**
 * Adds a payment in progress when the epoch closes, and another operation of its owner for the same nonce in the next
 * epoch: the first is void or was decided by the closing.
 */
export function cross(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const asked = dice.chance(1, 2) ? cast.validators.slice(-1) : [dice.pick(cast.validators)];
  const nonce = script.nonceOf(from);
  const epoch = dice.weighted([
    [4, 0],
    [1, 1],
  ]);
  const { id } = script.submit(from, drawPayment(dice, from), { nonce, only: dice.chance(3, 4) ? asked : undefined });
  const rule = script.rule();
  const [kinds, side] = dice.pick([
    [["commit"], {}],
    [["lock"], { from: asked }],
    [["finality", "decisions"], {}],
    [["vote"], { to: [dice.pick(cast.validators)] }],
  ] as const);
  script.does(script.at, { hold: { rule, of: id, kinds, ...side } });
  if (cast.swarm.govern > 0)
    script.does(script.at + dice.between(30, 400), { govern: { to: [dice.pick(cast.validators)], epoch } });
  const after = { closed: epoch, by: dice.pick(cast.validators), plus_ms: dice.skewed(0, 400) };
  script.submit(from, drawPayment(dice, from), { nonce, after, only: drawAsked(dice, cast) });
  script.does(script.at + dice.between(1_000, 5_000), { release: rule });
}

/** Draws a trigger from the progress of an operation. */
export function drawMoment(dice: Dice, { id }: Known, { validators }: Cast): TriggerPart {
  const event = dice.pick(["voted", "committed", "committed", "decided", "applied"] as const);
  const by: { readonly by?: Name } = dice.chance(1, 2) ? { by: dice.pick(validators) } : {};
  return { [event]: id, ...by, ...(dice.chance(1, 2) ? { plus_ms: dice.skewed(0, 300) } : {}) };
}
