/**
 * Generated meetings: several operations and faults that affect one slot within one of its rounds. Drawn one by one they
 * almost never coincide.
 */

import type { Rng, WeightedItem } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { modesOf } from "../../simulator/byzantine/registry.ts";
import { CHAIN_LINKS, drawOwnField } from "./draw-byzantine.ts";
import { aimsAtCheckpoints } from "./draw-genesis.ts";
import type { GeneratorName } from "./generators.ts";
import { BARRED, BURNER, FUNDED, GUARD, ISSUER, OWNER, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { addStrategyToAll, centsText, DECISIONS, gatherLists, holdUntil, type StepBuilder } from "./step-builder.ts";
import { addAlternatingBurns } from "./steps-burns.ts";
import { drawPayment } from "./steps-clients.ts";
import { addRelockedList, addSplitOutcome, addUnseenRival } from "./steps-halves.ts";
import { addFalseRounds, loseKey, loseResponses, returnAfterCheckpoints } from "./steps-losses.ts";
import {
  addEarlyContents,
  addFlood,
  addLapse,
  crashAtCommit,
  leaveWithLocks,
  restartBeforeApplying,
} from "./steps-moments.ts";

type InteractionGenerator = (rng: Rng, roles: Roles, builder: StepBuilder) => void;

/** Adds one meeting, if the committee has enough correct validators for it. */
export function addInteraction(rng: Rng, roles: Roles, builder: StepBuilder): void {
  if (roles.hurries) {
    builder.draw("silent proposer", () => addSilentProposer(rng, roles, builder));
    return;
  }
  if (roles.returns) {
    builder.draw("return after checkpoints", () => returnAfterCheckpoints(rng, roles, builder));
    return;
  }
  const meetings: readonly WeightedItem<readonly [GeneratorName, InteractionGenerator]>[] = [
    [10, ["restart before applying", restartBeforeApplying]],
    [7, ["leave with locks", leaveWithLocks]],
    [4, ["crash at commit", crashAtCommit]],
    [6, ["lapse of an epoch", addLapse]],
    [3, ["early contents", addEarlyContents]],
    [2, ["flood", addFlood]],
    [2, ["aged operation", addAgedOperation]],
    [1, ["opposed listings", addOpposedListings]],
    [1, ["shared allowance", addSharedAllowance]],
    [1, ["payment to an excluded address", payExcludedAddress]],
    [1, ["all but the fee spent", spendAllButFee]],
    [1, ["long partition", addLongPartition]],
    [1, ["late copies", addLateCopies]],
    [aimsAtCheckpoints(roles.swarm) ? 5 : 0, ["false root with a gap", addFalseRootWithGap]],
    [1, ["wipe among false answers", wipeAmongFalseAnswers]],
    [3, ["lost responses", loseResponses]],
    [3, ["lost key", loseKey]],
    [4, ["false rounds", addFalseRounds]],
    [4, ["split outcome", addSplitOutcome]],
    [5, ["unseen rival", addUnseenRival]],
    [3, ["relocked list", addRelockedList]],
    // Turns are judged among correct validators only.
    [roles.byzantine.length === 0 ? 100 : 0, ["alternating burns", addAlternatingBurns]],
  ];
  const [name, meeting] = rng.pickWeighted(...meetings);
  builder.draw(name, () => meeting(rng.split("meeting"), roles, builder));
}

/** An operation that waits for a list for longer than restrictions may precede it, and a restriction that becomes due later. */
function addAgedOperation(rng: Rng, _roles: Roles, builder: StepBuilder): void {
  const end = builder.at + rng.integer(6_500, 12_000);
  holdUntil(builder, end, { kinds: ["proposal"], token: "USD" });
  builder.submit(ISSUER, { mint: { from: ISSUER, token: "USD", to: rng.pick(PAYERS), value: "1" } });
  const part = { from: GUARD, token: "USD" };
  const address = rng.pick(UNKNOWN_ACCOUNTS);
  const restriction: SubmitKinds = rng.chance(1, 2)
    ? { pause: part }
    : { blacklist: { ...part, address, action: "add" } };
  builder.submit(GUARD, restriction, { at: builder.at + rng.integer(4_000, 6_500) });
}

/** Two authorities exclude and admit one address within one list, while it pays and is paid. */
function addOpposedListings(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const address = rng.pick([...PAYERS, BARRED]);
  gatherLists(rng, "USD", builder);
  const action = rng.shuffle(["add", "remove"] as const);
  for (const [index, from] of rng.shuffle([GUARD, ISSUER]).entries()) {
    const blacklist = { from, token: "USD", address, action: action[index] ?? "add" };
    builder.submit(from, { blacklist }, { at: builder.at + rng.pickSkewed(0, 40) });
    if (rng.chance(1, 3))
      builder.submit(
        from,
        { blacklist: { ...blacklist, action: action[1 - index] ?? "add" } },
        { at: builder.at + 50 },
      );
  }
  const payer = rng.pick(PAYERS.filter((name) => name !== address));
  const at = builder.at + rng.pickSkewed(0, 1_500);
  const only = [rng.pick(roles.validators)];
  builder.submit(payer, { payment: { from: payer, to: address, token: "USD", value: "0.5" } }, { at, only });
  builder.submit(address, { payment: { from: address, to: payer, token: "USD", value: "0.5" } }, { at, only });
}

/** Several mints and a burn within one list, of which an allowance covers some. */
function addSharedAllowance(rng: Rng, _roles: Roles, builder: StepBuilder): void {
  const allowance = rng.integer(1, 30);
  const role = { from: ISSUER, token: "USD", role: "MintBurnTokens", to: BURNER } as const;
  builder.submit(ISSUER, { grant: { ...role, allowance: String(allowance) } });
  builder.at += rng.integer(200, 900);
  gatherLists(rng, "USD", builder);
  for (let left = rng.integer(2, 5); left > 0; left--) {
    const value = String(rng.integer(1, allowance));
    builder.submit(BURNER, { mint: { from: BURNER, token: "USD", to: rng.pick(PAYERS), value } });
  }
  if (rng.chance(1, 2)) builder.submit(BURNER, { burn: { from: BURNER, token: "USD", value: "1" } });
  if (rng.chance(1, 3)) builder.submit(ISSUER, { grant: { ...role, allowance: String(rng.integer(0, allowance)) } });
}

/** Mints and payments to an address while it is excluded, perhaps in the list that excludes it. */
function payExcludedAddress(rng: Rng, roles: Roles, builder: StepBuilder): void {
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
  for (let left = rng.integer(1, 3); left > 0; left--) {
    const at = builder.at + rng.pickSkewed(0, 1_500);
    const value = centsText(rng.pickSkewed(1, 400));
    if (rng.chance(1, 2)) builder.submit(from, { mint: { from, token, to, value } }, { at });
    else
      builder.submit(payer, { payment: { from: payer, to, token, value } }, { at, only: [rng.pick(roles.validators)] });
  }
}

/** An account pays all that it has but the fee, or a cent more or less, while a further credit is on its way. */
function spendAllButFee(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const to = rng.pick(UNKNOWN_ACCOUNTS);
  const [giver, other] = rng.shuffle(PAYERS);
  if (giver === undefined || other === undefined) return;
  const entry = rng.pick(roles.validators);
  const give = (from: Name, value: string): SubmitKinds => ({ payment: { from, to, token: "USD", value } });
  const paid = builder.submit(giver, give(giver, "9"), { only: [entry] });
  const late = builder.submit(other, give(other, "5"));
  const kinds = rng.pick([["commit"], DECISIONS] as const);
  const side = { to: rng.pickSome(roles.validators, rng.integer(1, roles.validators.length)) };
  holdUntil(builder, builder.at + rng.integer(300, 3_000), { kinds, of: late.id, ...side });
  const value = centsText(rng.pick([899, 899, 898, 900, 1_399, 1_398]));
  const after = { applied: paid.id, by: entry, plus_ms: rng.pickSkewed(0, 300) };
  builder.submit(to, { payment: { from: to, to: giver, token: "USD", value } }, { after, only: [entry] });
}

/** A partition of more than 20 s, longer than all pauses between retries, with operations on both sides. */
function addLongPartition(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares];
  const side = rng.pickSome(nodes, rng.integer(1, Math.max(1, nodes.length - 1)));
  const others = nodes.filter((name) => !side.includes(name));
  if (others.length === 0) return;
  const at = builder.at + rng.pickSkewed(0, 300);
  builder.addAt(at, { partition: [side, others] });
  for (const from of rng.pickSome(PAYERS, rng.integer(1, 3)))
    builder.submit(from, drawPayment(rng, from), { only: [rng.pick(roles.validators)] });
  builder.submit(ISSUER, { mint: { from: ISSUER, token: "USD", to: "yan", value: "3" } }, { only: [rng.pick(side)] });
  builder.addAt(at + rng.integer(20_000, 40_000), { heal: true });
}

/** A further copy of an operation, with another signature or at another validator, after its rival was decided. */
function addLateCopies(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  const [one, two] = rng.shuffle(roles.validators);
  const pay = (to: Name): SubmitKinds => ({ payment: { from, to, token: "USD", value: "0.5" } });
  const first = builder.submit(from, pay("yan"), { nonce, only: [one ?? "v1"] });
  const second = builder.submit(from, pay("zoe"), {
    nonce,
    only: [two ?? "v1"],
    at: builder.at + rng.pickSkewed(0, 30),
  });
  builder.submit(from, { cancellation: { from } }, { nonce, at: builder.at + rng.pickSkewed(100, 1_500) });
  for (const { id } of [first, second]) {
    const plus = rng.pickSkewed(0, 2_000);
    const only = [rng.pick(roles.validators)];
    const copy = { repeat: id, ...(rng.split(id).chance(1, 2) ? { signature: "second" as const } : {}) };
    builder.addAfter({ decided: rng.pick([first.id, second.id]), plus_ms: plus }, { submit: copy, only });
    builder.addAt(builder.at + rng.integer(2_000, 4_000), { submit: { repeat: id }, only });
  }
}

/** Several checkpoints, the false ones among them proposed to a validator that lacks a decision which they list. */
function addFalseRootWithGap(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const root = rng.pick(["stateRoot", "transactionsRoot", "receiptsRoot"]);
  const field = `proposal.contents[].value.header.${root}`;
  const other = rng.chance(1, 2)
    ? ({ strategy: "mutate", ...drawOwnField(rng, CHAIN_LINKS), chance: "1/1" } as const)
    : ({ strategy: "false-checkpoint", mode: rng.pick(modesOf("false-checkpoint")) } as const);
  const wrong = { strategy: "mutate", field, mutation: "changed", chance: "1/1" } as const;
  addStrategyToAll(roles, rng.chance(2, 3) ? wrong : other, builder);
  const paidMs = rng.integer(150, 500);
  for (let index = rng.integer(2, 6) - 1, at = builder.at; index >= 0; index--, at += paidMs) {
    const small = { from: FUNDED, to: rng.pick(PAYERS), token: "USD", value: centsText(rng.pickSkewed(1, 100)) };
    builder.submit(FUNDED, { payment: small }, { at });
  }
  const from = rng.pick(PAYERS);
  const paid = builder.submit(from, drawPayment(rng, from));
  const to = rng.pickSome(roles.validators, rng.integer(1, 2));
  holdUntil(builder, builder.at + rng.integer(500, 5_000), { kinds: DECISIONS, of: paid.id, to });
  if (rng.chance(1, 2))
    holdUntil(builder, builder.at + rng.integer(500, 5_000), { kinds: ["fetch", "status"], from: to });
}

/** A lost disk while Byzantine validators give false answers. */
function wipeAmongFalseAnswers(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const strategies = [
    { strategy: "mutate", ...drawOwnField(rng, ["decisions.decided", "decisions", "status"]), chance: "1/1" },
    { strategy: "mutate", field: rng.pick(["vote.epoch", "commit.epoch"]), mutation: "next", chance: "1/1" },
    { strategy: "double-close" },
  ] as const;
  for (const strategy of strategies) if (rng.chance(2, 3)) addStrategyToAll(roles, strategy, builder);
  for (const node of roles.wiped) {
    const at = builder.at + rng.integer(100, 2_000);
    builder.addAt(at, { wipe: node });
    builder.addAt(at + rng.pickSkewed(1, 1_500), { restart: node });
  }
  const from = rng.pick(PAYERS);
  builder.submit(from, drawPayment(rng, from), { at: builder.at + rng.integer(100, 3_000) });
}

/** Lists one after the other, of which the proposer of some never proposes, while every epoch ends within its first round. */
function addSilentProposer(rng: Rng, roles: Roles, builder: StepBuilder): void {
  // Without a strategy it would be a correct validator, from which nothing is kept after the healing.
  addStrategyToAll(roles, { strategy: "careless-relay" }, builder);
  const from = roles.byzantine.slice(0, 1);
  builder.addAt(0, { drop: { rule: builder.newRule(), kinds: ["proposal"], from, token: "USD" } });
  const lists = rng.integer(3, 6);
  for (let index = 0; index < lists; index++) {
    const mint = { from: ISSUER, token: "USD", to: rng.pick(PAYERS), value: "1" };
    builder.submit(ISSUER, { mint }, { at: builder.at + index * 350 });
  }
}
