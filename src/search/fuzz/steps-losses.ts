/** Generated meetings in which answers, disks or justifications are missing: what a validator makes up for, or must not. */
import { bounds } from "../../invariants/history/quorum.ts";
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import { modesOf } from "../../simulator/byzantine/registry.ts";
import { drawField } from "./draw-byzantine.ts";
import { RETURN_INTERVAL_MS } from "./draw-genesis.ts";
import { holdUntil, ownStrategies } from "./meeting-parts.ts";
import type { Rng } from "./rng.ts";
import { BARRED, correctOf, FUNDED, OWNER, PAYERS, type Roles } from "./roles.ts";
import { cents, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

/** A validator that was cut off reads what it missed in the logs of others, and their responses get lost for a while. */
export function lostResponses(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares];
  const [node = "v1"] = rng.shuffled(correctOf(roles));
  const others = nodes.filter((name) => name !== node);
  if (others.length === 0) return;
  const [cut, heal] = [builder.at, builder.at + rng.between(200, 900)];
  builder.addAt(cut, { partition: [others, [node]] });
  for (const from of rng.some(PAYERS, rng.between(1, 3)))
    builder.submit(from, drawPayment(rng, from), { at: cut + 1, only: [rng.pick(others)] });
  const rule = builder.rule();
  builder.addAt(heal - 1, { drop: { rule, kinds: ["decisions"], to: [node] } });
  builder.addAt(heal, { heal: true });
  builder.addAt(heal + rng.between(8_000, 25_000), { undrop: rule });
}

/** Time from one checkpoint to the next with its decision; one whose proposer is away takes more than a second. */
const CHECKPOINT_MS = 5 * RETURN_INTERVAL_MS;

function neverHealsWithout(node: Name, { validators, byzantine, wiped }: Roles, builder: StepBuilder): void {
  const weak = new Set([...byzantine, ...wiped, node]);
  if (validators.length - weak.size < bounds(validators.length).quorum) builder.neverHeals = true;
}

/**
 * A validator signs, loses its disk, and is asked again before it hears of what it signed. Nothing is demanded of the end
 * where too few keys are left.
 */
export function lostKey(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [node] = rng.shuffled(correctOf(roles));
  if (node === undefined) return;
  neverHealsWithout(node, roles, builder);
  const payers = rng.shuffled(PAYERS).slice(0, 2);
  for (const from of payers)
    builder.submit(from, drawPayment(rng, from), { at: builder.at + rng.skewed(0, 40), only: [node] });
  const lost = builder.at + rng.between(10, 200);
  builder.addAt(lost, { wipe: node });
  const rule = builder.rule();
  builder.addAt(lost, { hold: { rule, kinds: ["decisions", "finality", "snapshot"], to: [node] } });
  builder.addAt(lost + rng.between(1_100, 2_500), { release: rule });
  builder.addAt(lost + rng.skewed(1, 60), { restart: node });
  for (const from of payers)
    builder.submit(from, drawPayment(rng, from), { at: lost + rng.between(100, 4_000), only: [node] });
}

/**
 * A validator misses more checkpoints than others keep, and at first only a Byzantine one offers it a state: with false
 * pieces, with other pieces than were asked for, with few of them and late, or with none. Or the offers are late: it has lost
 * its disk by then, and is in another epoch than the one of its question.
 */
export function returnBehind(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [node = "v1"] = rng.shuffled(correctOf(roles));
  const others = roles.validators.filter((name) => name !== node && !roles.byzantine.includes(name));
  const missed = rng.between(19, 24);
  const back = missed * CHECKPOINT_MS;
  // One payment for each checkpoint, which is due by then, to an account that no list excludes.
  for (let index = 0; index < missed + 3; index++) {
    const from = index % 2 === 0 ? FUNDED : BARRED;
    const payment = { from, to: OWNER, token: "USD", value: cents(rng.skewed(1, 100)) };
    builder.submit(from, { payment }, { at: index * CHECKPOINT_MS, only: [rng.pick(others)] });
  }
  if (rng.chance(1, 4)) lateOffers(rng, node, back, roles, builder);
  else falseSources(rng, node, others, back, roles, builder);
}

function lateOffers(rng: Rng, node: Name, back: number, roles: Roles, builder: StepBuilder): void {
  neverHealsWithout(node, roles, builder);
  builder.addAt(0, { govern: { to: [node], epoch: 0 } });
  builder.addAfter({ closed: 0, by: node, plus_ms: rng.skewed(0, 300) }, { crash: { node } });
  const rule = builder.rule();
  builder.addAt(back, { hold: { rule, kinds: ["snapshot"], to: [node] } });
  builder.addAt(back, { restart: node });
  const held = (plus: number): TriggerSpec => ({ held: rule, plus_ms: plus });
  const lost = rng.skewed(1, 60);
  builder.addAfter(held(lost), { wipe: node });
  builder.addAfter(held(lost + 20), { restart: node });
  builder.addAfter(held(lost + 20 + rng.skewed(1, 200)), { release: rule });
}

function falseSources(
  rng: Rng,
  node: Name,
  others: readonly Name[],
  back: number,
  roles: Roles,
  builder: StepBuilder,
): void {
  for (const source of ownStrategies(roles)) {
    const strategy = rng.weighted<Omit<ByzantineSpec, "node">>([
      [6, { strategy: "false-state", mode: rng.pick(["pieces", "pieces", "pieces", "offers"]) }],
      [2, { strategy: "altered-field", field: "statePieces.pieces", mutation: "emptied", chance: "1/1" }],
      [3, { strategy: "altered-field", ...drawField(rng, ["statePieces"]), chance: "1/1" }],
      [4, { strategy: "slow-state" }],
    ]);
    builder.addAt(0, { byzantine: { node: source, ...strategy } });
    if (strategy.strategy === "slow-state") needReturned(rng, source, back, others, builder);
  }
  builder.addAt(0, { crash: { node, restart_after_ms: back } });
  const rule = builder.rule();
  builder.addAt(back - 50, { drop: { rule, kinds: ["snapshot"], from: others, to: [node] } });
  builder.addAt(back + rng.between(1_500, 4_000), { undrop: rule });
}

/** A Byzantine source that takes part in nothing else any more, so that what follows needs the one that returns. */
function needReturned(rng: Rng, source: Name, back: number, others: readonly Name[], builder: StepBuilder): void {
  const kinds = ["vote", "commit", "lock", "finality"] as const;
  builder.addAt(back, { drop: { rule: builder.rule(), kinds, from: [source] } });
  // A transfer of a small state takes little longer than the bound, even so.
  builder.healsAt = back + rng.between(1_100, 1_600);
  const payment = { from: FUNDED, to: OWNER, token: "USD", value: "0.5" };
  builder.submit(FUNDED, { payment }, { at: back + rng.between(1_600, 2_500), only: [rng.pick(others)] });
}

/** Rounds above 0 of several accounts, some of which a validator proposes in with a justification that is none. */
export function falseRounds(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (roles.validators.length === 1) return;
  const modes = [...modesOf("false-justification"), ...Array.from({ length: 6 }, () => "other-round")];
  for (const node of ownStrategies(roles))
    builder.addAt(0, { byzantine: { node, strategy: "false-justification", mode: rng.pick(modes) } });
  const accounts = rng.some(PAYERS, rng.between(2, 4));
  for (const from of accounts) {
    const nonce = builder.nonceOf(from);
    const half = Math.ceil(roles.validators.length / 2);
    const pay = (to: Name): SubmitKinds => ({ payment: { from, to, token: "USD", value: cents(rng.skewed(1, 100)) } });
    builder.submit(from, pay("yan"), { nonce, only: roles.validators.slice(0, half) });
    builder.submit(from, pay("zoe"), { nonce, only: roles.validators.slice(half) });
    builder.submit(from, { cancellation: { from } }, { nonce, at: builder.at + rng.between(60, 400) });
    if (rng.chance(1, 2)) holdUntil(builder, builder.at + rng.between(300, 2_500), { kinds: ["vote"], account: from });
  }
}
