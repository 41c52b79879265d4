/** Generated traffic of multisig accounts: creations, payments by several choices of signers, conflicts, and worthless signatures. */
import type { GenesisSpec } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import type { Rng } from "./rng.ts";
import { drawEntryValidators, drawGroups, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import { cents, type KnownOperation, type StepBuilder } from "./step-builder.ts";

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
      [TREASURY]: { USD: cents(10_000) },
      [VAULT]: { USD: cents(rng.chance(1, 2) ? 10_000 : rng.skewed(1, 10_000)) },
    },
  };
}

/** Adds one of them. */
export function multisig(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const act = rng.weighted([
    [2, create],
    [4, pay],
    [2, disagree],
    [7, pretend],
    [roles.byzantine.length === 0 ? 0 : 5, lend],
  ]);
  act(rng, roles, builder);
}

/** Creates the treasury, again in many scenarios: often by another account, once it has used a nonce. */
function create(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const by = (from: Name, when: { readonly after?: TriggerSpec }): void => {
    const only = drawEntryValidators(rng, roles);
    builder.submit(from, { multisig: { from, account: TREASURY } }, { ...when, only });
  };
  by(rng.pick(PAYERS), {});
  if (rng.chance(1, 2)) pay(rng, roles, builder);
  const again = rng.part("again");
  if (again.chance(1, 3)) return;
  const paid = pay(again, roles, builder);
  by(again.pick(PAYERS), { after: { applied: paid.id, plus_ms: again.skewed(0, 300) } });
}

/** Pays with any sufficient choice of signers, in some scenarios with another one as well, and cancels some of it. */
function pay(rng: Rng, roles: Roles, builder: StepBuilder): KnownOperation {
  const kinds = { payment: { from: TREASURY, to: rng.pick(PAYERS), token: "USD", value: cents(rng.skewed(1, 2_000)) } };
  const at = builder.at + rng.skewed(0, 400);
  const only = drawEntryValidators(rng, roles);
  const paid = builder.submit(TREASURY, kinds, { at, only, more: signersIn(rng) });
  const { nonce } = paid;
  if (rng.chance(1, 4)) builder.submit(TREASURY, kinds, { nonce, at, more: signersIn(rng) });
  if (rng.chance(1, 6))
    builder.submit(TREASURY, { cancellation: { from: TREASURY } }, { nonce, at: at + rng.skewed(0, 600) });
  return paid;
}

/** Two choices of signers sign different payments for one nonce; a cancellation or a recovery may follow. */
function disagree(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nonce = builder.nonceOf(VAULT);
  const [first, second] = drawGroups(rng, roles.validators, 2).map((only, index) => {
    const payment = {
      from: VAULT,
      to: UNKNOWN_ACCOUNTS[index] ?? "zoe",
      token: "USD",
      value: cents(rng.skewed(1, 500)),
    };
    return builder.submit(VAULT, { payment }, { nonce, only, more: signersIn(rng) });
  });
  const at = builder.at + rng.skewed(20, 3_000);
  if (rng.chance(1, 2)) builder.submit(VAULT, { cancellation: { from: VAULT } }, { nonce, at, more: signersIn(rng) });
  else if (first !== undefined && second !== undefined && rng.chance(2, 3)) {
    const recovery = { account: VAULT, evidence: [first.id, second.id], from: rng.pick(PAYERS) };
    builder.recover(`${first.id}r`, recovery, { nonce, at });
  }
}

/**
 * Offers a payment that lacks weight, repeats a signer, has a stranger, a wrong order or a false signature, of which only the
 * last may be false; often others and a good one later.
 */
function pretend(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nonce = builder.nonceOf(VAULT);
  const defects = ["reversed", "broken", "high_s", "last_broken", "last_broken", "last_broken"] as const;
  const defective = rng.chance(1, 2) ? [{ signers: rng.pick(SUFFICIENT), signature: rng.pick(defects) }] : [];
  const offers = [...defective, ...rng.some(WORTHLESS, rng.between(1, 4)).map((signers) => ({ signers }))];
  const good = rng.chance(1, 2) ? [signersIn(rng)] : [];
  // Each is a payment of its own: copies of one payment add up.
  for (const [index, more] of [...offers, ...good].entries()) {
    const payment = { from: VAULT, to: rng.pick(PAYERS), token: "USD", value: cents(rng.skewed(1, 200) + index) };
    const at = builder.at + index * rng.between(0, 100);
    builder.submit(VAULT, { payment }, { nonce, at, only: drawEntryValidators(rng, roles), more });
  }
}

/** A Byzantine validator that has seen signatures of all signers lends them to a payment that lacks weight. */
function lend(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const node = rng.pick(roles.byzantine);
  const pay = (at: number, signers: readonly Name[], nonce = builder.nonceOf(VAULT)): void => {
    const payment = { from: VAULT, to: rng.pick(PAYERS), token: "USD", value: cents(rng.skewed(1, 50)) };
    builder.submit(VAULT, { payment }, { nonce, at, only: [node], more: { signers } });
  };
  builder.addAt(builder.at, {
    byzantine: { node, strategy: "false-signers", mode: rng.pick(["borrow", "borrow", "any"]) },
  });
  const { at } = builder;
  pay(at, ["bob", "carol", "dave"]);
  if (rng.chance(1, 2)) pay(at, ["alice", "bob"]);
  const later = at + rng.between(300, 2_000);
  const nonce = builder.nonceOf(VAULT);
  for (const [index, signers] of rng.shuffled(LACKING).slice(0, rng.between(1, 3)).entries())
    pay(later + index, signers, nonce);
}

function signersIn(rng: Rng): { readonly signers?: readonly Name[] } {
  return rng.chance(1, 4) ? {} : { signers: rng.pick(SUFFICIENT) };
}
