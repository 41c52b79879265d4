/**
 * Generated conflicts: several operations of one account for one nonce, and what shows them together; and operations that
 * their entry validator refuses beside another one of their signer (protocol 4.2, 9.3).
 */

import { drawGroups } from "../../scenario/chaos.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { drawRivals, drawRivalsOfFields } from "./rivals.ts";
import {
  correctOf,
  drawEntryValidators,
  FUNDED,
  ISSUER,
  OWNER,
  PAYERS,
  type Roles,
  UNKNOWN_ACCOUNTS,
} from "./roles.ts";
import { centsText, type StepBuilder } from "./step-builder.ts";
import { drawBatch } from "./steps-clients.ts";

/**
 * Adds two or three operations for one nonce, each submitted to some of the validators; then a cancellation, a recovery
 * or neither.
 */
export function addConflict(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const even = rng.split("even");
  if (even.chance(1, 4)) {
    splitVotes(even, roles, builder);
    return;
  }
  const refused = rng.split("refused");
  if (refused.chance(1, 5)) {
    addRefusedOperations(refused, roles, builder);
    return;
  }
  const from = rng.chance(1, 6) ? ISSUER : rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  const groups = drawGroups(rng, roles.validators, rng.pickWeighted([5, 2], [1, 3]));
  const rivals = rng.chance(1, 2)
    ? drawRivals(rng, from, groups.length)
    : groups.map((_, index) => ({ kinds: drawConflictingOperation(rng, from, index), more: {} }));
  const signed = groups.flatMap((only, index) => {
    const rival = rivals[index];
    if (rival === undefined) return [];
    const at = builder.at + rng.pickSkewed(0, index * 100);
    return builder.submit(from, rival.kinds, { nonce, only, at, more: rival.more });
  });
  if (rng.chance(1, 3)) resubmitOnVoid(rng, rng.pick(roles.validators), builder);
  const later = builder.at + rng.pickSkewed(20, 3_000);
  const [first, second] = signed;
  if (first === undefined || second === undefined || rng.chance(1, 3)) return;
  // A recovery of payments in two tokens pays in the right one of them.
  if (first.token === second.token && rng.chance(1, 2)) {
    builder.submit(from, { cancellation: { from } }, { nonce, at: later, only: drawEntryValidators(rng, roles) });
    return;
  }
  const recovery = { account: from, evidence: [first.id, second.id], from: rng.pick(PAYERS) };
  const only = drawEntryValidators(rng, roles);
  builder.recover(`${first.id}r`, recovery, { nonce, at: later, only });
  // A proof has one id for all clients that show it: two listen to one outcome.
  const again = rng.split("listener");
  if (!again.chance(2, 3)) return;
  const other = { ...recovery, from: again.pick(PAYERS.filter((name) => name !== recovery.from)) };
  builder.recover(`${first.id}s`, other, { nonce, at: later + again.pickSkewed(0, 200), only });
}

/**
 * Adds two operations that reach one half of the validators each at one time, so that neither has a quorum, and soon what
 * shows both: payments of two tokens, or one signature read as a payment and as a mint, which proves nothing.
 */
function splitVotes(rng: Rng, roles: Roles, builder: StepBuilder): void {
  // A single validator has no other half.
  if (roles.validators.length === 1) return;
  const from = FUNDED;
  // It signs both, whatever becomes of the first.
  builder.scripted.add(from);
  const nonce = builder.nonceOf(from);
  const value = centsText(rng.pickSkewed(1, 300));
  const part = { from, to: OWNER, token: "USD", value };
  const other: SubmitKinds = rng.chance(1, 2)
    ? { payment: { ...part, token: "RWA", value: centsText(rng.pickSkewed(1, 300)) } }
    : { mint: part };
  const names = rng.shuffle(roles.validators);
  const half = Math.ceil(names.length / 2);
  const [first, second] = [
    builder.submit(from, { payment: part }, { nonce, only: names.slice(0, half) }),
    builder.submit(from, other, { nonce, only: names.slice(half), at: builder.at + rng.pickSkewed(0, 3) }),
  ];
  const later = builder.at + rng.integer(40, 900);
  if (rng.chance(1, 4)) builder.submit(from, { cancellation: { from } }, { nonce, at: later });
  const recovery = { account: from, evidence: rng.shuffle([first.id, second.id]), from: rng.pick(PAYERS) };
  builder.recover(`${first.id}r`, recovery, { nonce, at: later, only: drawEntryValidators(rng, roles) });
}

/** Adds a crash right after an output, with a restart before the others have progressed. */
export function resubmitOnVoid(rng: Rng, node: Name, builder: StepBuilder): void {
  const { at } = builder;
  const output = rng.pick(["sign", "sign", "send", "persist"] as const);
  builder.addAt(at, { crash: { node, after_output: output, restart_after_ms: rng.pickSkewed(0, 60) } });
}

/**
 * Returns an operation that conflicts for a nonce; the issuer's payment and mint have equal signed bytes (protocol
 * 3.0).
 */
function drawConflictingOperation(rng: Rng, from: Name, index: number): SubmitKinds {
  if (from === ISSUER) {
    const parts = { from, to: "bob", token: "USD", value: "3" };
    return index === 0 ? { payment: parts } : { mint: parts };
  }
  const value = centsText(rng.pickSkewed(1, 3_000) + index);
  if (rng.chance(1, 4)) return drawBatch(rng, from);
  // A skip of both pays in the token of one of them.
  if (index % 2 === 1 && rng.split("token").chance(3, 4)) return { payment: { from, to: OWNER, token: "RWA", value } };
  return { payment: { from, to: UNKNOWN_ACCOUNTS[index % 2] ?? "zoe", token: "USD", value } };
}

/** Adds a second operation for a nonce whose first may be refused undisclosed. */
export function secondSubmission(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const refused = rng.split("refused");
  if (refused.chance(1, 2)) {
    addRefusedOperations(refused, roles, builder);
    return;
  }
  const from = rng.pick(PAYERS);
  const nonce = builder.nonceOf(from);
  const only = drawEntryValidators(rng, roles);
  const first = { from, to: "zoe", token: "USD", value: centsText(rng.integer(1, 20_000)) };
  builder.submit(from, { payment: first }, { nonce, only });
  const other = { from, to: "yan", token: "USD", value: centsText(rng.integer(1, 2_000)) };
  builder.submit(from, { payment: other }, { nonce, at: builder.at + rng.integer(20, 400) });
}

/** Adds operations of one or two of these sorts, all at one validator. */
export function addRefusedOperations(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const steady = correctOf(roles);
  const entry = rng.pick(steady.length === 0 ? roles.validators : steady);
  // First, since of a queue in which one is refused nothing later is admitted.
  if (rng.split("reading").chance(1, 2)) addSecondReading(rng.split("reading"), entry, builder);
  rng.pickWeighted([3, addFieldRivals], [2, addTokenQueue])(rng, entry, builder);
}

/** For each field of a kind a pair that differs in it: the second one is refused, unless the two have one id. */
function addFieldRivals(rng: Rng, entry: Name, builder: StepBuilder): void {
  const from = rng.chance(1, 2) ? ISSUER : FUNDED;
  for (const [index, pair] of drawRivalsOfFields(rng, from).entries()) {
    const nonce = builder.nonceOf(from);
    for (const kinds of pair) builder.submit(from, kinds, { nonce, only: [entry], at: builder.at + index * 5 });
  }
}

/** A payment and a mint with the same signed bytes, in either order. */
function addSecondReading(rng: Rng, entry: Name, builder: StepBuilder): void {
  const part = { from: FUNDED, to: OWNER, token: "USD", value: centsText(rng.pickSkewed(1, 300)) };
  const nonce = builder.nonceOf(FUNDED);
  const wide = rng.pickSkewed(0, 100);
  for (const [index, kinds] of rng.shuffle<SubmitKinds>([{ payment: part }, { mint: part }]).entries())
    builder.submit(FUNDED, kinds, { nonce, only: [entry], at: builder.at + index * wide });
}

/** Payments in a row whose sum the balance of no token covers, where that of each token covers its own. */
function addTokenQueue(rng: Rng, entry: Name, builder: StepBuilder): void {
  const tokens = rng.shuffle(["USD", "RWA"]);
  for (const token of rng.chance(1, 3) ? [...tokens, rng.pick(tokens)] : tokens) {
    const payment = { from: FUNDED, to: OWNER, token, value: centsText(rng.integer(4_500, 8_500)) };
    builder.submit(FUNDED, { payment }, { only: [entry] });
  }
}
