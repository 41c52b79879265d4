/** Generated meetings in which some validators know what the others lack: a credit, a second payment, or a decision. */

import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { modesOf } from "../../simulator/byzantine/registry.ts";
import { BARRED, BURNER, correctOf, FUNDED, ISSUER, OWNER, PAYERS, type Roles } from "./roles.ts";
import { centsText, DECISIONS, gatherLists, holdUntil, ownStrategies, type StepBuilder } from "./step-builder.ts";
import { TREASURY } from "./steps-multisig.ts";

/**
 * Two authorities take the whole balance of an account and a part more, while one half of the validators lacks a credit:
 * the last burn is possible for the other half only, so that each outcome has votes.
 */
export function addSplitOutcome(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const names = rng.shuffle(roles.validators);
  const half = Math.ceil(names.length / 2);
  const [isolated, others] = [names.slice(0, half), names.slice(half)];
  if (others.length === 0) return;
  const from = rng.pick(PAYERS);
  const more = rng.pick([100, 500, 5_000]);
  const payment = { from, to: FUNDED, token: "USD", value: centsText(more) };
  // Commits, too: an isolated validator would collect them itself.
  const end = builder.at + rng.integer(3_000, 6_000);
  holdUntil(builder, end, { account: from, kinds: ["commit", ...DECISIONS], to: isolated });
  builder.submit(from, { payment }, { only: others.slice(0, 1) });
  const burns = rng.shuffle([
    [ISSUER, 10_000],
    [BURNER, more],
  ] as const);
  for (const [by, value] of burns) {
    const debit = { from: by, token: "USD", value: centsText(value), account: FUNDED };
    const kinds: SubmitKinds = rng.chance(3, 4) ? { burn: debit } : { clawback: { ...debit, to: rng.pick(PAYERS) } };
    builder.submit(by, kinds, { at: builder.at + rng.pickSkewed(0, 60) });
  }
}

/** A payment that only one validator has, and another operation of its nonce that the others see, which ends in a skip. */
export function addUnseenRival(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [entry, apart] = rng.shuffle(correctOf(roles));
  if (entry === undefined || apart === undefined) return;
  if (rng.chance(1, 2)) addRivalUnseenByRecovery(rng, entry, apart, builder);
  else addRivalUnseenByCancellation(rng, roles, [entry, apart], builder);
}

/**
 * A payment that its validator tells nobody of yet, and an operation that its owner cancels at another one: where there are
 * multisig accounts a creation, whose skip costs nothing.
 */
function addRivalUnseenByCancellation(
  rng: Rng,
  { swarm }: Roles,
  [entry, apart]: readonly [entry: Name, apart: Name],
  builder: StepBuilder,
): void {
  const from = FUNDED;
  // It signs both, whatever becomes of the first.
  builder.scripted.add(from);
  const nonce = builder.nonceOf(from);
  const { at } = builder;
  holdUntil(builder, at + rng.integer(100, 900), {
    account: from,
    kinds: ["offer", "vote", "roundChange"],
    from: [apart],
  });
  const part = { from, to: OWNER, token: "USD", value: centsText(rng.pickSkewed(1, 300)) };
  builder.submit(from, { payment: part }, { nonce, only: [apart] });
  const rival = swarm.multisigs === 0 ? { mint: { ...part, value: "0.5" } } : { multisig: { from, account: TREASURY } };
  builder.submit(from, rival, { nonce, only: [entry], at: at + rng.pickSkewed(0, 10) });
  builder.submit(from, { cancellation: { from } }, { nonce, only: [entry], at: at + rng.pickSkewed(10, 60) });
}

/** Payments of two tokens, of which one is at a validator that goes down at once, and no offer arrives: a recovery alone shows both. */
function addRivalUnseenByRecovery(rng: Rng, entry: Name, down: Name, builder: StepBuilder): void {
  const end = builder.at + rng.integer(2_000, 6_000);
  builder.addAt(builder.at, { crash: { node: down, restart_after_ms: end - builder.at } });
  for (const from of [FUNDED, BARRED]) {
    // It signs both, whatever becomes of the first.
    builder.scripted.add(from);
    const nonce = builder.nonceOf(from);
    holdUntil(builder, end, { account: from, kinds: ["offer"] });
    const pay = (token: Name, only: readonly Name[]): Name => {
      const payment = { from, to: OWNER, token, value: centsText(rng.pickSkewed(1, 300)) };
      return builder.submit(from, { payment }, { nonce, only }).id;
    };
    const [seen, unseen] = rng.shuffle(["USD", "RWA"] as const) as [Name, Name];
    const shown = [pay(seen, [entry]), pay(unseen, [down])];
    const recovery = { account: from, evidence: rng.shuffle(shown), from: rng.pick(PAYERS) };
    const at = builder.at + rng.integer(20, 600);
    builder.recover(`${shown[0]}r`, recovery, { nonce, at, only: [entry] });
  }
}

/**
 * A list that has a lock and no decision in round after round, as its commits arrive late, and a Byzantine validator that
 * proposes another one where the justification shows that lock.
 */
export function addRelockedList(rng: Rng, roles: Roles, builder: StepBuilder): void {
  for (const node of ownStrategies(roles)) {
    const other = { strategy: "false-justification", mode: rng.pick(modesOf("false-justification")) } as const;
    builder.addAt(0, { byzantine: { node, ...(rng.chance(3, 4) ? { strategy: "double-proposal" } : other) } });
  }
  gatherLists(rng, "USD", builder);
  for (let left = rng.integer(2, 4); left > 0; left--) {
    const mint = { from: ISSUER, token: "USD", to: rng.pick(PAYERS), value: centsText(rng.pickSkewed(1, 300)) };
    builder.submit(ISSUER, { mint }, { at: builder.at + rng.pickSkewed(0, 60) });
  }
  holdUntil(builder, builder.at + rng.integer(4_000, 12_000), { kinds: ["commit"], token: "USD" });
}
