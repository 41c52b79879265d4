/** Generated traffic of multisig accounts: creations, payments by several choices of signers, conflicts, and worthless signatures. */

import { drawGroups } from "../../scenario/chaos.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { GenesisSpec } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import { drawEntryValidators, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { centsText, type KnownOperation, type StepBuilder } from "./step-builder.ts";

/** Account whose signers keep the rules, and one whose signers do not. */
export const TREASURY = "treasury";
const VAULT = "vault";
/** Every second signer is one too few of some choice: weights differ, and no two sums that matter are alike. */
const SET = { signers: { alice: 2, bob: 1, carol: 1, dave: 1 }, threshold: 3 };
/** The same with one signer more, who never signs: one set is one account. */
const VAULT_SET = { ...SET, signers: { ...SET.signers, yan: 1 } };
const SUFFICIENT: readonly (readonly Name[])[] = [
  ["alice", "bob"],
  ["alice", "carol"],
  ["bob", "carol", "dave"],
  ["alice", "bob", "dave"],
];
const LACKING: readonly (readonly Name[])[] = [["alice"], ["bob", "carol"], ["bob"], ["dave"]];
const WORTHLESS: readonly (readonly Name[])[] = [
  ["alice"],
  ["bob", "carol"],
  ["alice", "alice"],
  ["bob", "bob", "carol"],
  ["alice", "zoe"],
  ["alice", "bob", "zoe"],
];

/** Returns the multisig accounts and their balances; a treasury may have to be created. */
export function drawMultisigs(rng: Rng): Pick<GenesisSpec, "multisig" | "balances"> {
  const treasury = rng.chance(1, 3) ? { ...SET, created: false } : SET;
  return {
    multisig: { [TREASURY]: treasury, [VAULT]: VAULT_SET },
    balances: {
      [TREASURY]: { USD: centsText(10_000) },
      [VAULT]: { USD: centsText(rng.chance(1, 2) ? 10_000 : rng.pickSkewed(1, 10_000)) },
    },
  };
}

/** Adds one of them. */
export function addMultisigStep(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const act = rng.pickWeighted(
    [2, createTreasury],
    [4, payFromTreasury],
    [2, signRivalPayments],
    [7, offerInvalidSignatures],
    [roles.byzantine.length === 0 ? 0 : 5, lendSignatures],
  );
  act(rng, roles, builder);
}

/** Creates the treasury, again in many scenarios: often by another account, once it has used a nonce. */
function createTreasury(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const createBy = (from: Name, when: { readonly after?: TriggerSpec }): void => {
    const only = drawEntryValidators(rng, roles);
    builder.submit(from, { multisig: { from, account: TREASURY } }, { ...when, only });
  };
  createBy(rng.pick(PAYERS), {});
  if (rng.chance(1, 2)) payFromTreasury(rng, roles, builder);
  const again = rng.split("again");
  if (again.chance(1, 3)) return;
  const paid = payFromTreasury(again, roles, builder);
  createBy(again.pick(PAYERS), { after: { applied: paid.id, plus_ms: again.pickSkewed(0, 300) } });
}

/** Pays with any sufficient choice of signers, in some scenarios with another one as well, and cancels some of it. */
function payFromTreasury(rng: Rng, roles: Roles, builder: StepBuilder): KnownOperation {
  const kinds = {
    payment: { from: TREASURY, to: rng.pick(PAYERS), token: "USD", value: centsText(rng.pickSkewed(1, 2_000)) },
  };
  const at = builder.at + rng.pickSkewed(0, 400);
  const only = drawEntryValidators(rng, roles);
  const paid = builder.submit(TREASURY, kinds, { at, only, more: drawSigners(rng) });
  const { nonce } = paid;
  if (rng.chance(1, 4)) builder.submit(TREASURY, kinds, { nonce, at, more: drawSigners(rng) });
  if (rng.chance(1, 6))
    builder.submit(TREASURY, { cancellation: { from: TREASURY } }, { nonce, at: at + rng.pickSkewed(0, 600) });
  return paid;
}

/** Two choices of signers sign different payments for one nonce; a cancellation or a recovery may follow. */
function signRivalPayments(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nonce = builder.nonceOf(VAULT);
  const [first, second] = drawGroups(rng, roles.validators, 2).map((only, index) => {
    const payment = {
      from: VAULT,
      to: UNKNOWN_ACCOUNTS[index] ?? "zoe",
      token: "USD",
      value: centsText(rng.pickSkewed(1, 500)),
    };
    return builder.submit(VAULT, { payment }, { nonce, only, more: drawSigners(rng) });
  });
  const at = builder.at + rng.pickSkewed(20, 3_000);
  if (rng.chance(1, 2)) builder.submit(VAULT, { cancellation: { from: VAULT } }, { nonce, at, more: drawSigners(rng) });
  else if (first !== undefined && second !== undefined && rng.chance(2, 3)) {
    const recovery = { account: VAULT, evidence: [first.id, second.id], from: rng.pick(PAYERS) };
    builder.recover(`${first.id}r`, recovery, { nonce, at });
  }
}

/**
 * Offers a payment that lacks weight, repeats a signer, has a stranger, a wrong order or a false signature, of which only the
 * last may be false; often others and a good one later.
 */
function offerInvalidSignatures(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nonce = builder.nonceOf(VAULT);
  const defects = ["reversed", "broken", "high_s", "last_broken", "last_broken", "last_broken"] as const;
  const defective = rng.chance(1, 2) ? [{ signers: rng.pick(SUFFICIENT), signature: rng.pick(defects) }] : [];
  const offers = [...defective, ...rng.pickSome(WORTHLESS, rng.integer(1, 4)).map((signers) => ({ signers }))];
  const good = rng.chance(1, 2) ? [drawSigners(rng)] : [];
  // Each is a payment of its own: copies of one payment add up.
  for (const [index, more] of [...offers, ...good].entries()) {
    const payment = {
      from: VAULT,
      to: rng.pick(PAYERS),
      token: "USD",
      value: centsText(rng.pickSkewed(1, 200) + index),
    };
    const at = builder.at + index * rng.integer(0, 100);
    builder.submit(VAULT, { payment }, { nonce, at, only: drawEntryValidators(rng, roles), more });
  }
}

/** A Byzantine validator that has seen signatures of all signers lends them to a payment that lacks weight. */
function lendSignatures(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const node = rng.pick(roles.byzantine);
  const pay = (at: number, signers: readonly Name[], nonce = builder.nonceOf(VAULT)): void => {
    const payment = { from: VAULT, to: rng.pick(PAYERS), token: "USD", value: centsText(rng.pickSkewed(1, 50)) };
    builder.submit(VAULT, { payment }, { nonce, at, only: [node], more: { signers } });
  };
  builder.addAt(builder.at, {
    byzantine: { node, strategy: "false-signers", mode: rng.pick(["borrow", "borrow", "any"]) },
  });
  const { at } = builder;
  pay(at, ["bob", "carol", "dave"]);
  if (rng.chance(1, 2)) pay(at, ["alice", "bob"]);
  const later = at + rng.integer(300, 2_000);
  const nonce = builder.nonceOf(VAULT);
  for (const [index, signers] of rng.shuffle(LACKING).slice(0, rng.integer(1, 3)).entries())
    pay(later + index, signers, nonce);
}

function drawSigners(rng: Rng): { readonly signers?: readonly Name[] } {
  return rng.chance(1, 4) ? {} : { signers: rng.pick(SUFFICIENT) };
}
