/** Generated meetings of one slot that take place within a few messages: crashes, lost votes and roles, and full queues. */
import type { Role } from "../../core/base/operation.ts";
import type { CrashSpec } from "../../scenario/faults/nodes.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import {
  BARRED,
  BURNER,
  correctOf,
  FUNDED,
  GUARD,
  ISSUER,
  OWNER,
  PAYERS,
  type Roles,
  UNKNOWN_ACCOUNTS,
} from "./roles.ts";
import { addStrategyToAll, centsText, DECISIONS, holdUntil, ownStrategies, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";
import { TREASURY } from "./steps-multisig.ts";

/** Kinds of messages by which a validator learns that others have left a round. */
const LATER_ROUNDS: readonly MessageKind[] = ["roundChange", "proposal", "lock", "finality", "decisions"];

/**
 * A validator that commits to a restriction and lacks what its authority signed before: it knows the decision and
 * cannot apply it. It restarts, and a payment arrives at it and at one that has not heard of the restriction.
 */
export function restartBeforeApplying(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [informed, behind, unaware] = rng.shuffle(correctOf(roles));
  if (informed === undefined || behind === undefined || unaware === undefined) return;
  addStrategyToAll(roles, { strategy: "double-vote" }, builder);
  const from = rng.pick([ISSUER, GUARD, GUARD]);
  const end = builder.at + rng.integer(1_500, 5_000);
  const hold = (kinds: readonly MessageKind[], to: Name, part: object): void =>
    holdUntil(builder, end, { kinds, to: [to], ...part });
  hold(DECISIONS, behind, { account: from });
  if (rng.chance(5, 6)) hold(["status"], behind, {});
  hold(["lock", ...DECISIONS], unaware, { token: "USD" });
  const earlier: SubmitKinds =
    from === GUARD
      ? { pause: { from, token: "RWA" } }
      : { payment: { from, to: rng.pick(UNKNOWN_ACCOUNTS), token: "USD", value: "0.01" } };
  const restriction: SubmitKinds = rng.chance(1, 2)
    ? { pause: { from, token: "USD" } }
    : { blacklist: { from, token: "USD", address: BARRED, action: "add" } };
  const first = builder.submit(from, earlier, { only: [informed] });
  const barred = builder.submit(from, restriction, {
    after: { applied: first.id, by: informed, plus_ms: rng.integer(10, 100) },
    only: [informed],
  });
  // It hears of no decision of the authority's account: the first that it learns is that of the token's list.
  const listed = (plus: number): TriggerSpec => ({ decided: barred.id, by: behind, plus_ms: plus });
  const restart = rng.pickSkewed(0, 20);
  builder.addAfter(listed(restart), { crash: { node: behind, restart_after_ms: rng.pickSkewed(0, 20) } });
  const payment = { from: BARRED, to: rng.pick(UNKNOWN_ACCOUNTS), token: "USD", value: "0.5" };
  builder.submit(
    BARRED,
    { payment },
    {
      after: listed(restart + rng.integer(10, 200)),
      only: rng.chance(3, 4) ? [behind, unaware] : [rng.pick([behind, unaware])],
    },
  );
}

/**
 * A blocked account of which some validators hold a lock that they cannot pass on, and one that restarted holds none;
 * then a recovery shows the proof by which each leaves round 0.
 */
export function leaveWithLocks(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [entry, restarted] = rng.shuffle(correctOf(roles));
  if (entry === undefined || restarted === undefined) return;
  addStrategyToAll(roles, { strategy: rng.pick(["withhold-votes", "withhold-votes", "silence"] as const) }, builder);
  const from = rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  builder.addAt(builder.at, { drop: { rule: builder.newRule(), kinds: ["lock"], account: from } });
  const pay = (to: Name): SubmitKinds => ({
    payment: { from, to, token: "USD", value: centsText(rng.pickSkewed(1, 100)) },
  });
  const first = builder.submit(from, pay("yan"), { nonce, only: [entry] });
  const second = builder.submit(from, pay("zoe"), { nonce, only: [entry], at: builder.at + rng.pickSkewed(0, 60) });
  const at = builder.at + rng.integer(100, 600);
  const down = rng.pickSkewed(0, 60);
  builder.addAt(at, { crash: { node: restarted, restart_after_ms: down } });
  const recovery = { account: from, evidence: [first.id, second.id], from: rng.pick(PAYERS) };
  const only = [rng.pick([entry, entry, entry, restarted])];
  const later = at + (roles.isStaged ? down : 0) + rng.pickSkewed(0, 300);
  builder.recover(`${first.id}r`, recovery, { nonce, at: later, only });
}

/**
 * A validator that crashes between its durable commit and the signature, and leaves the round with a cancellation; the
 * relay hears neither of the later round nor of enough commits, and asks for the commit again.
 */
export function crashAtCommit(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [entry, crashed] = rng.shuffle(correctOf(roles));
  if (entry === undefined || crashed === undefined) return;
  const from = rng.pick(PAYERS);
  const value = centsText(rng.pickSkewed(1, 100));
  const paid = builder.submit(from, { payment: { from, to: "yan", token: "USD", value } }, { only: [entry] });
  const end = builder.at + rng.integer(1_500, 4_000);
  holdUntil(builder, end, { kinds: ["commit"], to: [entry], account: from });
  holdUntil(builder, end, { kinds: LATER_ROUNDS, to: [entry], account: from });
  const output: CrashSpec["after_output"] = rng.pick(["persist", "persist", "sign"] as const);
  builder.addAfter(
    { voted: paid.id, by: crashed, plus_ms: rng.pickSkewed(0, 4) },
    { crash: { node: crashed, after_output: output, restart_after_ms: rng.pickSkewed(0, 30) } },
  );
  const after = { committed: paid.id, by: entry, plus_ms: rng.integer(10, 200) };
  builder.submit(from, { cancellation: { from } }, { nonce: paid.nonce, only: [crashed], after });
  if (rng.chance(1, 4)) return;
  const rule = builder.newRule();
  builder.addAfter({ ...after, plus_ms: rng.pickSkewed(1, 60) }, { hold: { rule, kinds: ["vote"], account: from } });
  builder.addAt(end, { release: rule });
}

/** Operations of the master by which a signer loses a role or funds, and its operation that needs them. */
type Lapse = readonly [from: Name, losses: readonly SubmitKinds[], acts: SubmitKinds];

/** Takes roles of the token away, or all that an account holds of it. */
function lapseCases(): readonly Lapse[] {
  const revoke = (to: Name, role: Role): SubmitKinds => ({ revoke: { from: ISSUER, token: "USD", role, to } });
  const all = { from: ISSUER, token: "USD", value: "100", account: FUNDED };
  const pays: SubmitKinds = { payment: { from: FUNDED, to: OWNER, token: "USD", value: "5" } };
  return [
    [GUARD, [revoke(GUARD, "Pause"), revoke(GUARD, "ManageList")], { pause: { from: GUARD, token: "USD" } }],
    [
      GUARD,
      [revoke(GUARD, "ManageList"), revoke(GUARD, "Pause")],
      { blacklist: { from: GUARD, token: "USD", address: "zoe", action: "add" } },
    ],
    [
      BURNER,
      [revoke(BURNER, "MintBurnTokens"), revoke(BURNER, "MasterMintBurn")],
      { mint: { from: BURNER, token: "USD", to: "bob", value: "1" } },
    ],
    [FUNDED, [{ burn: all }], pays],
    [FUNDED, [{ clawback: { ...all, to: "bob" } }], pays],
  ];
}

/**
 * An operation that a slow validator relays while its signer loses the role or the funds that it needs; then its owner
 * cancels, with nothing left to pay for it where the funds are gone.
 */
export function addLapse(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [slow, fast] = rng.shuffle(correctOf(roles));
  if (slow === undefined || fast === undefined) return;
  const ms = rng.integer(50, 400);
  const isHeld = rng.chance(2, 3);
  if (!isHeld) {
    builder.addAt(builder.at, { delay: { from: [slow], ms } });
    builder.addAt(builder.at, { delay: { to: [slow], ms } });
  }
  const [from, losses, acts] = rng.pick(lapseCases());
  const acted = builder.submit(from, acts, { only: [slow] });
  if (isHeld) {
    const others = roles.validators.filter((name) => name !== slow);
    const to = roles.isStaged ? others : rng.pickSome(others, rng.integer(Math.ceil(others.length / 2), others.length));
    holdUntil(builder, builder.at + rng.integer(200, 1_500), { kinds: ["offer"], of: acted.id, from: [slow], to });
  }
  for (const loss of rng.chance(1, 4) ? losses.slice(0, 1) : losses)
    builder.submit(ISSUER, loss, { only: [fast], at: builder.at + rng.pickSkewed(0, 100) });
  const at = builder.at + rng.integer(900, 3_000);
  // Only a validator that has the operation owes the cancellation a decision.
  builder.submit(from, { cancellation: { from } }, { nonce: acted.nonce, at, only: [slow] });
  builder.submit(from, drawPayment(rng, from), { at: at + rng.integer(500, 2_000) });
}

/**
 * A payment that its entry validator and a Byzantine one hold while offers are late, and its cancellation: the Byzantine one
 * shows contents of the skip before anyone proposes it, with what else the payment's signature may be read as.
 */
export function addEarlyContents(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [entry] = rng.shuffle(correctOf(roles));
  const [node] = ownStrategies(roles);
  if (entry === undefined || node === undefined) return;
  addStrategyToAll(roles, { strategy: "false-contents" }, builder);
  if (rng.chance(1, 2)) addStrategyToAll(roles, { strategy: "withhold-votes" }, builder);
  const from = rng.pick([FUNDED, BARRED]);
  holdUntil(builder, builder.at + rng.integer(2_000, 6_000), { kinds: ["offer"], account: from });
  const payment = { from, to: OWNER, token: "USD", value: centsText(rng.pickSkewed(1, 300)) };
  const paid = builder.submit(from, { payment }, { only: [entry, node] });
  const only = [node, ...rng.shuffle(roles.validators.filter((name) => name !== node))];
  const at = builder.at + rng.integer(40, 900);
  builder.submit(from, { cancellation: { from } }, { nonce: paid.nonce, at, only });
}

/** Signers of a flood and what they sign: many operations of one key, or one of each of many; keys cost nothing. */
type Flood = (index: number) => readonly [from: Name, kinds: SubmitKinds];

function drawFlood(rng: Rng, { swarm }: Roles): Flood {
  const mint = (from: Name, index: number): SubmitKinds => ({
    mint: { from, token: "USD", to: "bob", value: centsText(index + 1) },
  });
  return rng.pickWeighted<Flood>(
    [2, (index) => ["mallory", mint("mallory", index)]],
    [1, (index) => [`k${index}`, mint(`k${index}`, index)]],
    // Free, and valid: everybody votes for it.
    [swarm.multisigs === 0 ? 0 : 1, (index) => [`k${index}`, { multisig: { from: `k${index}`, account: TREASURY } }]],
  );
}

/** Operations that cost nothing, which a Byzantine relay discloses to all; then honest clients submit more. */
export function addFlood(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const relay = rng.pick(roles.byzantine.length === 0 ? roles.validators : roles.byzantine);
  addStrategyToAll(roles, { strategy: "careless-relay" }, builder);
  const count = rng.integer(66, 90);
  const drawn = drawFlood(rng.split("flood"), roles);
  for (let index = 0; index < count; index++) {
    const [from, kinds] = drawn(index);
    builder.submit(from, kinds, { only: [relay], at: builder.at + index });
    builder.scripted.add(from);
  }
  if (roles.isStaged) {
    // A submission after the healing is owed an answer while only the queue of disclosed operations is full.
    builder.healsAt = builder.at + count + rng.integer(100, 400);
    const [entry] = correctOf(roles);
    const at = builder.healsAt + rng.integer(20, 400);
    const payer = rng.pick(PAYERS);
    builder.submit(payer, drawPayment(rng, payer), { at, ...(entry === undefined ? {} : { only: [entry] }) });
    return;
  }
  for (const name of rng.pickSome(PAYERS, 2)) {
    const at = builder.at + count + rng.integer(100, 900);
    builder.submit(name, drawPayment(rng, name), { at });
  }
}
