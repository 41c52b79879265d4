/**
 * Generated meetings: several operations and faults that affect one slot within one of its rounds. Drawn one by one they
 * almost never coincide.
 */
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { modesOf } from "../../simulator/byzantine/registry.ts";
import { aimsAtCheckpoints } from "./draw-genesis.ts";
import { allDo, DECISIONS, gatherLists, holdUntil } from "./meeting-parts.ts";
import type { Rng, Weighted } from "./rng.ts";
import { BARRED, BURNER, FUNDED, GUARD, ISSUER, OWNER, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { cents, type StepBuilder } from "./step-builder.ts";
import { turns } from "./steps-burns.ts";
import { drawPayment } from "./steps-clients.ts";
import { relockedList, splitOutcome, unseenRival } from "./steps-halves.ts";
import { falseRounds, lostKey, lostResponses, returnBehind } from "./steps-losses.ts";
import { crashAtCommit, earlyContents, flood, lapse, leaveWithLocks, restartBehind } from "./steps-moments.ts";

type Meeting = (rng: Rng, roles: Roles, builder: StepBuilder) => void;

/** Adds one meeting, if the committee has enough correct validators for it. */
export function meeting(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (roles.hurries) {
    silentProposer(rng, roles, builder);
    return;
  }
  if (roles.returns) {
    returnBehind(rng, roles, builder);
    return;
  }
  const meetings: readonly Weighted<Meeting>[] = [
    [10, restartBehind],
    [7, leaveWithLocks],
    [4, crashAtCommit],
    [6, lapse],
    [3, earlyContents],
    [2, flood],
    [2, agedOperation],
    [1, opposedListings],
    [1, sharedAllowance],
    [1, payTheExcluded],
    [1, spendAllButFee],
    [1, longPartition],
    [1, lateCopies],
    [aimsAtCheckpoints(roles.swarm) ? 5 : 0, falseRootWithGap],
    [1, wipeAmongFalseAnswers],
    [3, lostResponses],
    [3, lostKey],
    [4, falseRounds],
    [4, splitOutcome],
    [5, unseenRival],
    [3, relockedList],
    // Turns are judged among correct validators only.
    [roles.byzantine.length === 0 ? 100 : 0, turns],
  ];
  rng.weighted(meetings)(rng.part("meeting"), roles, builder);
}

/** An operation that waits for a list for longer than restrictions may precede it, and a restriction that becomes due later. */
function agedOperation(rng: Rng, _roles: Roles, builder: StepBuilder): void {
  const end = builder.at + rng.between(6_500, 12_000);
  holdUntil(builder, end, { kinds: ["proposal"], token: "USD" });
  builder.submit(ISSUER, { mint: { from: ISSUER, token: "USD", to: rng.pick(PAYERS), value: "1" } });
  const part = { from: GUARD, token: "USD" };
  const address = rng.pick(UNKNOWN_ACCOUNTS);
  const restriction: SubmitKinds = rng.chance(1, 2)
    ? { pause: part }
    : { blacklist: { ...part, address, action: "add" } };
  builder.submit(GUARD, restriction, { at: builder.at + rng.between(4_000, 6_500) });
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

/** Several checkpoints, the false ones among them proposed to a validator that lacks a decision which they list. */
function falseRootWithGap(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const root = rng.pick(["state-root", "transactions-root", "receipts-root"] as const);
  allDo(roles, "false-checkpoint", builder, rng.chance(2, 3) ? root : rng.pick(modesOf("false-checkpoint")));
  const paidMs = rng.between(150, 500);
  for (let index = rng.between(2, 6) - 1, at = builder.at; index >= 0; index--, at += paidMs) {
    const small = { from: FUNDED, to: rng.pick(PAYERS), token: "USD", value: cents(rng.skewed(1, 100)) };
    builder.submit(FUNDED, { payment: small }, { at });
  }
  const from = rng.pick(PAYERS);
  const paid = builder.submit(from, drawPayment(rng, from));
  const to = rng.some(roles.validators, rng.between(1, 2));
  holdUntil(builder, builder.at + rng.between(500, 5_000), { kinds: DECISIONS, of: paid.id, to });
  if (rng.chance(1, 2))
    holdUntil(builder, builder.at + rng.between(500, 5_000), { kinds: ["fetch", "status"], from: to });
}

/** A lost disk while Byzantine validators give false answers. */
function wipeAmongFalseAnswers(rng: Rng, roles: Roles, builder: StepBuilder): void {
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
function silentProposer(rng: Rng, roles: Roles, builder: StepBuilder): void {
  // Without a strategy it would be a correct validator, from which nothing is kept after the healing.
  allDo(roles, "careless-relay", builder);
  const from = roles.byzantine.slice(0, 1);
  builder.addAt(0, { drop: { rule: builder.rule(), kinds: ["proposal"], from, token: "USD" } });
  const lists = rng.between(3, 6);
  for (let index = 0; index < lists; index++) {
    const mint = { from: ISSUER, token: "USD", to: rng.pick(PAYERS), value: "1" };
    builder.submit(ISSUER, { mint }, { at: builder.at + index * 350 });
  }
}
