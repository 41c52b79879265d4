/**
 * Generated meetings: several operations and faults that affect one slot within one of its rounds. Drawn one by one they
 * almost never coincide.
 */
import type { Role } from "../../core/base/operation.ts";
import type { CrashSpec } from "../../scenario/faults/nodes.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { StrategyName } from "../../simulator/byzantine/registry.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import type { Rng, Weighted } from "./rng.ts";
import { BARRED, BURNER, correctOf, GUARD, ISSUER, OWNER, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { cents, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

type Meeting = (rng: Rng, roles: Roles, builder: StepBuilder) => void;

/** Adds one meeting, if the committee has enough correct validators for it. */
export function meeting(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (roles.hurries) {
    silentProposer(rng, roles, builder);
    return;
  }
  const meetings: readonly Weighted<Meeting>[] = [
    [3, restartBehind],
    [3, leaveWithLocks],
    [3, crashAtCommit],
    [3, lapseOfRole],
    [2, flood],
    [1, opposedListings],
    [1, sharedAllowance],
    [1, payTheExcluded],
    [1, spendAllButFee],
    [1, longPartition],
    [1, lateCopies],
    [1, falseRootWithGap],
    [1, wipeAmongEpochs],
  ];
  rng.weighted(meetings)(rng.part("meeting"), roles, builder);
}

/** Kinds of messages that carry decisions. */
const DECISIONS: readonly MessageKind[] = ["finality", "decisions"];

/** Kinds of messages by which a validator learns that others have left a round. */
const LATER_ROUNDS: readonly MessageKind[] = ["roundChange", "proposal", "lock", "finality", "decisions"];

/**
 * A validator that commits to a restriction and lacks what its authority signed before: it knows the decision and
 * cannot apply it. It restarts, and a payment arrives at it and at one that has not heard of the restriction.
 */
function restartBehind(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [informed, behind, unaware] = rng.shuffled(correctOf(roles));
  if (informed === undefined || behind === undefined || unaware === undefined) return;
  allDo(roles, "double-vote", builder);
  const from = rng.pick([ISSUER, GUARD]);
  const end = builder.at + rng.between(1_500, 5_000);
  const hold = (kinds: readonly MessageKind[], to: Name, part: object): void =>
    holdUntil(builder, end, { kinds, to: [to], ...part });
  hold(DECISIONS, behind, { account: from });
  if (rng.chance(5, 6)) hold(["status", "logPage"], behind, {});
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
    after: { applied: first.id, by: informed, plus_ms: rng.between(10, 100) },
    only: [informed],
  });
  // The first application is that of the account's slot, the second that of the token's list.
  const listed = (plus: number): object => ({ applied: barred.id, by: informed, times: 2, plus_ms: plus });
  const restart = rng.skewed(0, 60);
  builder.addAfter(listed(restart), { crash: { node: behind, restart_after_ms: rng.skewed(0, 20) } });
  const payment = { from: BARRED, to: rng.pick(UNKNOWN_ACCOUNTS), token: "USD", value: "0.5" };
  builder.submit(
    BARRED,
    { payment },
    {
      after: listed(restart + rng.between(10, 200)),
      only: rng.pick([[behind, unaware], [behind, unaware], [unaware], [behind]]),
    },
  );
}

/**
 * A blocked account of which some validators hold a lock that they cannot pass on, and one that restarted holds none;
 * then a recovery shows the proof by which each leaves round 0.
 */
function leaveWithLocks(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [entry, restarted] = rng.shuffled(correctOf(roles));
  if (entry === undefined || restarted === undefined) return;
  allDo(roles, rng.pick(["withhold-votes", "withhold-votes", "silence"]), builder);
  const from = rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  builder.addAt(builder.at, { drop: { rule: builder.rule(), kinds: ["lock"], account: from } });
  const pay = (to: Name): SubmitKinds => ({ payment: { from, to, token: "USD", value: cents(rng.skewed(1, 100)) } });
  const first = builder.submit(from, pay("yan"), { nonce, only: [entry] });
  const second = builder.submit(from, pay("zoe"), { nonce, only: [entry], at: builder.at + rng.skewed(0, 60) });
  const at = builder.at + rng.between(100, 600);
  builder.addAt(at, { crash: { node: restarted, restart_after_ms: rng.skewed(0, 60) } });
  const recovery = { account: from, evidence: [first.id, second.id], from: rng.pick(PAYERS) };
  const only = [rng.pick([entry, restarted])];
  builder.addAt(at + rng.skewed(0, 300), { submit: { id: `${first.id}r`, recovery, nonce }, only });
}

/**
 * A validator that crashes between its durable commit and the signature, and leaves the round with a cancellation; the
 * relay hears neither of the later round nor of enough commits, and asks for the commit again.
 */
function crashAtCommit(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [entry, crashed] = rng.shuffled(correctOf(roles));
  if (entry === undefined || crashed === undefined) return;
  const from = rng.pick(PAYERS);
  const value = cents(rng.skewed(1, 100));
  const paid = builder.submit(from, { payment: { from, to: "yan", token: "USD", value } }, { only: [entry] });
  const end = builder.at + rng.between(1_500, 4_000);
  holdUntil(builder, end, { kinds: ["commit"], to: [entry], account: from });
  holdUntil(builder, end, { kinds: LATER_ROUNDS, to: [entry], account: from });
  const output: CrashSpec["after_output"] = rng.pick(["persist", "persist", "sign"] as const);
  builder.addAfter(
    { voted: paid.id, by: crashed, plus_ms: rng.skewed(0, 4) },
    { crash: { node: crashed, after_output: output, restart_after_ms: rng.skewed(0, 30) } },
  );
  const after = { committed: paid.id, by: entry, plus_ms: rng.between(10, 200) };
  builder.submit(from, { cancellation: { from } }, { nonce: paid.nonce, only: [crashed], after });
  if (rng.chance(1, 4)) return;
  const rule = builder.rule();
  builder.addAfter({ ...after, plus_ms: rng.skewed(1, 60) }, { hold: { rule, kinds: ["vote"], account: from } });
  builder.addAt(end, { release: rule });
}

/** An authority's operation that a slow validator relays while the authority loses its role; then it cancels. */
function lapseOfRole(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [slow, fast] = rng.shuffled(correctOf(roles));
  if (slow === undefined || fast === undefined) return;
  const ms = rng.between(50, 400);
  const isHeld = rng.chance(2, 3);
  if (!isHeld) {
    builder.addAt(builder.at, { delay: { from: [slow], ms } });
    builder.addAt(builder.at, { delay: { to: [slow], ms } });
  }
  const [from, roleNames, acts] = rng.pick<readonly [Name, readonly Role[], SubmitKinds]>([
    [GUARD, ["Pause", "ManageList"], { pause: { from: GUARD, token: "USD" } }],
    [GUARD, ["ManageList", "Pause"], { blacklist: { from: GUARD, token: "USD", address: "zoe", action: "add" } }],
    [BURNER, ["MintBurnTokens", "MasterMintBurn"], { mint: { from: BURNER, token: "USD", to: "bob", value: "1" } }],
  ]);
  const acted = builder.submit(from, acts, { only: [slow] });
  if (isHeld) {
    const others = roles.validators.filter((name) => name !== slow);
    const to = rng.some(others, rng.between(Math.ceil(others.length / 2), others.length));
    holdUntil(builder, builder.at + rng.between(200, 1_500), { kinds: ["offer"], of: acted.id, from: [slow], to });
  }
  // Mostly all of its roles: with one left it still pays for rounds.
  for (const role of rng.chance(1, 4) ? roleNames.slice(0, 1) : roleNames) {
    const revoke = { from: ISSUER, token: "USD", role, to: from };
    builder.submit(ISSUER, { revoke }, { only: [fast], at: builder.at + rng.skewed(0, 100) });
  }
  const at = builder.at + rng.between(900, 3_000);
  // Only a validator that has the operation owes the cancellation a decision.
  builder.submit(from, { cancellation: { from } }, { nonce: acted.nonce, at, only: [slow] });
  builder.submit(from, drawPayment(rng, from), { at: at + rng.between(500, 2_000) });
}

/** Operations that nobody votes for, which a Byzantine relay discloses to all; then honest clients submit more. */
function flood(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const relay = rng.pick(roles.byzantine.length === 0 ? roles.validators : roles.byzantine);
  allDo(roles, "careless-relay", builder);
  const from = "mallory";
  const count = rng.between(66, 90);
  for (let index = 0; index < count; index++) {
    const mint = { from, token: "USD", to: "bob", value: cents(index + 1) };
    builder.submit(from, { mint }, { only: [relay], at: builder.at + index });
  }
  builder.scripted.add(from);
  for (const name of rng.some(PAYERS, 2)) {
    const at = builder.at + count + rng.between(100, 900);
    builder.submit(name, drawPayment(rng, name), { at });
  }
}

/** Two authorities exclude and admit one address within one list, while it pays and is paid. */
function opposedListings(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const address = rng.pick([...PAYERS, BARRED]);
  gatherLists(rng, "USD", builder);
  const action = rng.shuffled(["add", "remove"] as const);
  for (const [index, from] of rng.shuffled([GUARD, ISSUER]).entries()) {
    const blacklist = { from, token: "USD", address, action: action[index] ?? "add" };
    builder.submit(from, { blacklist }, { at: builder.at + rng.skewed(0, 40) });
    if (rng.chance(1, 3))
      builder.submit(
        from,
        { blacklist: { ...blacklist, action: action[1 - index] ?? "add" } },
        { at: builder.at + 50 },
      );
  }
  const payer = rng.pick(PAYERS.filter((name) => name !== address));
  const at = builder.at + rng.skewed(0, 1_500);
  const only = [rng.pick(roles.validators)];
  builder.submit(payer, { payment: { from: payer, to: address, token: "USD", value: "0.5" } }, { at, only });
  builder.submit(address, { payment: { from: address, to: payer, token: "USD", value: "0.5" } }, { at, only });
}

/** Several mints and a burn within one list, of which an allowance covers some. */
function sharedAllowance(rng: Rng, _roles: Roles, builder: StepBuilder): void {
  const allowance = rng.between(1, 30);
  const role = { from: ISSUER, token: "USD", role: "MintBurnTokens", to: BURNER } as const;
  builder.submit(ISSUER, { grant: { ...role, allowance: String(allowance) } });
  builder.at += rng.between(200, 900);
  gatherLists(rng, "USD", builder);
  for (let left = rng.between(2, 5); left > 0; left--) {
    const value = String(rng.between(1, allowance));
    builder.submit(BURNER, { mint: { from: BURNER, token: "USD", to: rng.pick(PAYERS), value } });
  }
  if (rng.chance(1, 2)) builder.submit(BURNER, { burn: { from: BURNER, token: "USD", value: "1" } });
  if (rng.chance(1, 3)) builder.submit(ISSUER, { grant: { ...role, allowance: String(rng.between(0, allowance)) } });
}

/** Mints and payments to an address while it is excluded, perhaps in the list that excludes it. */
function payTheExcluded(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const isPrivate = rng.chance(1, 3);
  const [token, from] = isPrivate ? ["RWA", OWNER] : ["USD", ISSUER];
  const to = rng.pick([...PAYERS, ...UNKNOWN_ACCOUNTS]);
  if (rng.chance(1, 2)) gatherLists(rng, token, builder);
  const part = { from, token, address: to };
  builder.submit(
    from,
    isPrivate ? { whitelist: { ...part, action: "remove" } } : { blacklist: { ...part, action: "add" } },
  );
  const payer = rng.pick(PAYERS.filter((name) => name !== to));
  for (let left = rng.between(1, 3); left > 0; left--) {
    const at = builder.at + rng.skewed(0, 1_500);
    const value = cents(rng.skewed(1, 400));
    if (rng.chance(1, 2)) builder.submit(from, { mint: { from, token, to, value } }, { at });
    else
      builder.submit(payer, { payment: { from: payer, to, token, value } }, { at, only: [rng.pick(roles.validators)] });
  }
}

/** An account pays all that it has but the fee, or a cent more or less, while a further credit is on its way. */
function spendAllButFee(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const to = rng.pick(UNKNOWN_ACCOUNTS);
  const [giver, other] = rng.shuffled(PAYERS);
  if (giver === undefined || other === undefined) return;
  const entry = rng.pick(roles.validators);
  const give = (from: Name, value: string): SubmitKinds => ({ payment: { from, to, token: "USD", value } });
  const paid = builder.submit(giver, give(giver, "9"), { only: [entry] });
  const late = builder.submit(other, give(other, "5"));
  const kinds = rng.pick([["commit"], DECISIONS] as const);
  const side = { to: rng.some(roles.validators, rng.between(1, roles.validators.length)) };
  holdUntil(builder, builder.at + rng.between(300, 3_000), { kinds, of: late.id, ...side });
  const value = cents(rng.pick([899, 899, 898, 900, 1_399, 1_398]));
  const after = { applied: paid.id, by: entry, plus_ms: rng.skewed(0, 300) };
  builder.submit(to, { payment: { from: to, to: giver, token: "USD", value } }, { after, only: [entry] });
}

/** A partition of more than 20 s, longer than all pauses between retries, with operations on both sides. */
function longPartition(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares];
  const side = rng.some(nodes, rng.between(1, Math.max(1, nodes.length - 1)));
  const others = nodes.filter((name) => !side.includes(name));
  if (others.length === 0) return;
  const at = builder.at + rng.skewed(0, 300);
  builder.addAt(at, { partition: [side, others] });
  for (const from of rng.some(PAYERS, rng.between(1, 3)))
    builder.submit(from, drawPayment(rng, from), { only: [rng.pick(roles.validators)] });
  builder.submit(ISSUER, { mint: { from: ISSUER, token: "USD", to: "yan", value: "3" } }, { only: [rng.pick(side)] });
  builder.addAt(at + rng.between(20_000, 40_000), { heal: true });
}

/** A further copy of an operation, with another signature or at another validator, after its rival was decided. */
function lateCopies(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  const [one, two] = rng.shuffled(roles.validators);
  const pay = (to: Name): SubmitKinds => ({ payment: { from, to, token: "USD", value: "0.5" } });
  const first = builder.submit(from, pay("yan"), { nonce, only: [one ?? "v1"] });
  const second = builder.submit(from, pay("zoe"), { nonce, only: [two ?? "v1"], at: builder.at + rng.skewed(0, 30) });
  builder.submit(from, { cancellation: { from } }, { nonce, at: builder.at + rng.skewed(100, 1_500) });
  for (const { id } of [first, second]) {
    const plus = rng.skewed(0, 2_000);
    const only = [rng.pick(roles.validators)];
    builder.addAfter({ decided: rng.pick([first.id, second.id]), plus_ms: plus }, { submit: { repeat: id }, only });
    builder.addAt(builder.at + rng.between(2_000, 4_000), { submit: { repeat: id }, only });
  }
}

/** Checkpoints with false roots, proposed to a validator that lacks a decision which they list. */
function falseRootWithGap(rng: Rng, roles: Roles, builder: StepBuilder): void {
  allDo(roles, "false-checkpoint", builder);
  const from = rng.pick(PAYERS);
  const paid = builder.submit(from, drawPayment(rng, from));
  const to = rng.some(roles.validators, rng.between(1, 2));
  holdUntil(builder, builder.at + rng.between(500, 5_000), { kinds: DECISIONS, of: paid.id, to });
  if (rng.chance(1, 2))
    holdUntil(builder, builder.at + rng.between(500, 5_000), { kinds: ["fetch", "status", "logPage"], from: to });
}

/** A lost disk while Byzantine validators give false answers about epochs. */
function wipeAmongEpochs(rng: Rng, roles: Roles, builder: StepBuilder): void {
  for (const strategy of ["false-answers", "other-epoch", "double-close"] as const)
    if (rng.chance(2, 3)) allDo(roles, strategy, builder);
  for (const node of roles.wiped) {
    const at = builder.at + rng.between(100, 2_000);
    builder.addAt(at, { wipe: node });
    builder.addAt(at + rng.skewed(1, 1_500), { restart: node });
  }
  const from = rng.pick(PAYERS);
  builder.submit(from, drawPayment(rng, from), { at: builder.at + rng.between(100, 3_000) });
}

/** Lists one after the other, of which the proposer of some never proposes, while every epoch ends within its first round. */
function silentProposer(rng: Rng, { byzantine }: Roles, builder: StepBuilder): void {
  const from = byzantine.slice(0, 1);
  builder.addAt(0, { drop: { rule: builder.rule(), kinds: ["proposal"], from, token: "USD" } });
  for (let index = rng.between(4, 8); index > 0; index--) {
    const mint = { from: ISSUER, token: "USD", to: rng.pick(PAYERS), value: "1" };
    builder.submit(ISSUER, { mint }, { at: builder.at + index * 350 });
  }
}

/** Gives every Byzantine validator that runs a strategy a further one. */
function allDo(
  { byzantine, twins, losing, keepsLast, validators }: Roles,
  strategy: StrategyName,
  builder: StepBuilder,
): void {
  for (const node of byzantine) {
    const isOwn = twins.includes(node) || losing.includes(node) || (keepsLast && node === validators.at(-1));
    if (!isOwn) builder.addAt(0, { byzantine: { node, strategy } });
  }
}

/** Holds messages from the builder's time until `end`. */
function holdUntil(builder: StepBuilder, end: number, messages: object): void {
  const rule = builder.rule();
  builder.addAt(builder.at, { hold: { rule, ...messages } });
  builder.addAt(end, { release: rule });
}

/** Holds list proposals for a while, so that operations authorised meanwhile share one list. */
function gatherLists(rng: Rng, token: Name, builder: StepBuilder): void {
  holdUntil(builder, builder.at + rng.between(200, 900), { kinds: ["proposal"], token });
}
