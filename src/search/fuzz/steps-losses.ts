/** Generated meetings in which answers, disks or justifications are missing: what a validator makes up for, or must not. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import { modesOf } from "../../simulator/byzantine/registry.ts";
import { drawOwnField, STATES } from "./draw-byzantine.ts";
import { RETURN_INTERVAL_MS } from "./draw-genesis.ts";
import { BARRED, correctOf, FUNDED, OWNER, PAYERS, type Roles } from "./roles.ts";
import { centsText, holdUntil, ownStrategies, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

/** A validator that was cut off reads what it missed in the logs of others, and their responses get lost for a while. */
export function loseResponses(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares];
  const [node = "v1"] = rng.shuffle(correctOf(roles));
  const others = nodes.filter((name) => name !== node);
  if (others.length === 0) return;
  const [cut, heal] = [builder.at, builder.at + rng.integer(200, 900)];
  builder.addAt(cut, { partition: [others, [node]] });
  for (const from of rng.pickSome(PAYERS, rng.integer(1, 3)))
    builder.submit(from, drawPayment(rng, from), { at: cut + 1, only: [rng.pick(others)] });
  const rule = builder.newRule();
  builder.addAt(heal - 1, { drop: { rule, kinds: ["decisions"], to: [node] } });
  builder.addAt(heal, { heal: true });
  builder.addAt(heal + rng.integer(8_000, 25_000), { undrop: rule });
}

/** Time from one checkpoint to the next with its decision; one whose proposer is away takes more than a second. */
const CHECKPOINT_MS = 5 * RETURN_INTERVAL_MS;

function forbidHealingWithout(node: Name, { validators, byzantine, wiped }: Roles, builder: StepBuilder): void {
  const weak = new Set([...byzantine, ...wiped, node]);
  if (validators.length - weak.size < bounds(validators.length).quorum) builder.neverHeals = true;
}

/**
 * A validator signs, loses its disk, and is asked again before it hears of what it signed. Nothing is demanded of the end
 * where too few keys are left.
 */
export function loseKey(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [node] = rng.shuffle(correctOf(roles));
  if (node === undefined) return;
  forbidHealingWithout(node, roles, builder);
  const payers = rng.shuffle(PAYERS).slice(0, 2);
  for (const from of payers)
    builder.submit(from, drawPayment(rng, from), { at: builder.at + rng.pickSkewed(0, 40), only: [node] });
  const lost = builder.at + rng.integer(10, 200);
  builder.addAt(lost, { wipe: node });
  const rule = builder.newRule();
  builder.addAt(lost, { hold: { rule, kinds: ["decisions", "finality", "snapshot"], to: [node] } });
  builder.addAt(lost + rng.integer(1_100, 2_500), { release: rule });
  builder.addAt(lost + rng.pickSkewed(1, 60), { restart: node });
  for (const from of payers)
    builder.submit(from, drawPayment(rng, from), { at: lost + rng.integer(100, 4_000), only: [node] });
}

/**
 * A validator misses more checkpoints than others keep, and at first only a Byzantine one offers it a state: with false
 * pieces, with other pieces than were asked for, with few of them and late, or with none. Or the offers are late: it has lost
 * its disk by then, and is in another epoch than the one of its question.
 */
export function returnAfterCheckpoints(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [node = "v1"] = rng.shuffle(correctOf(roles));
  const others = roles.validators.filter((name) => name !== node && !roles.byzantine.includes(name));
  const missed = rng.integer(19, 24);
  const back = missed * CHECKPOINT_MS;
  // One payment for each checkpoint, which is due by then, to an account that no list excludes.
  for (let index = 0; index < missed + 3; index++) {
    const from = index % 2 === 0 ? FUNDED : BARRED;
    const payment = { from, to: OWNER, token: "USD", value: centsText(rng.pickSkewed(1, 100)) };
    builder.submit(from, { payment }, { at: index * CHECKPOINT_MS, only: [rng.pick(others)] });
  }
  if (rng.chance(1, 4)) delayOffers(rng, node, back, roles, builder);
  else addFalseSources(rng, node, others, back, roles, builder);
}

function delayOffers(rng: Rng, node: Name, back: number, roles: Roles, builder: StepBuilder): void {
  forbidHealingWithout(node, roles, builder);
  builder.addAt(0, { govern: { to: [node], epoch: 0 } });
  builder.addAfter({ closed: 0, by: node, plus_ms: rng.pickSkewed(0, 300) }, { crash: { node } });
  const rule = builder.newRule();
  builder.addAt(back, { hold: { rule, kinds: ["snapshot"], to: [node] } });
  builder.addAt(back, { restart: node });
  const whenHeld = (plus: number): TriggerSpec => ({ held: rule, plus_ms: plus });
  const lost = rng.pickSkewed(1, 60);
  builder.addAfter(whenHeld(lost), { wipe: node });
  builder.addAfter(whenHeld(lost + 20), { restart: node });
  builder.addAfter(whenHeld(lost + 20 + rng.pickSkewed(1, 200)), { release: rule });
}

function addFalseSources(
  rng: Rng,
  node: Name,
  others: readonly Name[],
  back: number,
  roles: Roles,
  builder: StepBuilder,
): void {
  for (const source of ownStrategies(roles)) {
    const strategy = rng.pickWeighted<Omit<ByzantineSpec, "node">>(
      [2, { strategy: "mutate", field: "statePieces.pieces", mutation: "emptied", chance: "1/1" }],
      [3, { strategy: "false-state" }],
      [6, { strategy: "mutate", ...drawOwnField(rng, STATES), chance: rng.pick(["1/2", "1/1"]) }],
      [4, { strategy: "slow-state" }],
    );
    builder.addAt(0, { byzantine: { node: source, ...strategy } });
    if (strategy.strategy === "slow-state") requireReturnedNode(rng, source, back, others, builder);
  }
  builder.addAt(0, { crash: { node, restart_after_ms: back } });
  const rule = builder.newRule();
  builder.addAt(back - 50, { drop: { rule, kinds: ["snapshot"], from: others, to: [node] } });
  builder.addAt(back + rng.integer(1_500, 4_000), { undrop: rule });
}

/** A Byzantine source that takes part in nothing else any more, so that what follows needs the one that returns. */
function requireReturnedNode(
  rng: Rng,
  source: Name,
  back: number,
  others: readonly Name[],
  builder: StepBuilder,
): void {
  const kinds = ["vote", "commit", "lock", "finality"] as const;
  builder.addAt(back, { drop: { rule: builder.newRule(), kinds, from: [source] } });
  // A transfer of a small state takes little longer than the bound, even so.
  builder.healsAt = back + rng.integer(1_100, 1_600);
  const payment = { from: FUNDED, to: OWNER, token: "USD", value: "0.5" };
  builder.submit(FUNDED, { payment }, { at: back + rng.integer(1_600, 2_500), only: [rng.pick(others)] });
}

/** Rounds above 0 of several accounts, some of which a validator proposes in with a justification that is none. */
export function addFalseRounds(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (roles.validators.length === 1) return;
  for (const node of ownStrategies(roles)) {
    const strategy = rng.pickWeighted<Omit<ByzantineSpec, "node">>(
      [3, { strategy: "false-justification", mode: rng.pick(modesOf("false-justification")) }],
      [7, { strategy: "mutate", field: "proposal.round", mutation: "next-turn", chance: "1/1" }],
      [4, { strategy: "mutate", ...drawOwnField(rng, ["proposal.justification"]), chance: "1/1" }],
    );
    builder.addAt(0, { byzantine: { node, ...strategy } });
  }
  const accounts = rng.pickSome(PAYERS, rng.integer(2, 4));
  for (const from of accounts) {
    const nonce = builder.nonceOf(from);
    const half = Math.ceil(roles.validators.length / 2);
    const pay = (to: Name): SubmitKinds => ({
      payment: { from, to, token: "USD", value: centsText(rng.pickSkewed(1, 100)) },
    });
    builder.submit(from, pay("yan"), { nonce, only: roles.validators.slice(0, half) });
    builder.submit(from, pay("zoe"), { nonce, only: roles.validators.slice(half) });
    builder.submit(from, { cancellation: { from } }, { nonce, at: builder.at + rng.integer(60, 400) });
    if (rng.chance(1, 2)) holdUntil(builder, builder.at + rng.integer(300, 2_500), { kinds: ["vote"], account: from });
  }
}
