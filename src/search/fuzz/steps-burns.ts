/** Generated forced burns and clawbacks: of the balance, of more, of an arriving credit, and in long series. */

import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import { BURNER, drawEntryValidators, FUNDED, ISSUER, OWNER, PAYERS, type Roles } from "./roles.ts";
import { centsText, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

/** Adds forced burns of one account's units, with payments of the same account in between. */
export function addBurns(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const shape = rng.pickWeighted([3, "some"], [4, "turns"], [roles.swarm.burns === 2 ? 4 : 0, "endless"]);
  // One authority signs them all: the burns of a second account would be reached too late.
  const isFirst = !builder.known.some(({ account }) => account !== undefined);
  // A burn behind one that is refused would never come.
  const isFresh = [ISSUER, BURNER].every((from) => builder.nonceOf(from) === 0);
  if (shape === "turns" && isFirst && isFresh) addAlternatingBurns(rng, roles, builder);
  else if (shape === "endless" && isFirst) addBurnSeries(rng, roles, builder);
  else addSomeBurns(rng, roles, builder);
}

function addSomeBurns(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const account = rng.pick(PAYERS);
  const wide = rng.pickSkewed(0, 80);
  const size = rng.chance(1, 2) ? 10_000 : 400;
  for (let left = rng.integer(1, 4); left > 0; left--) {
    const value = rng.chance(1, 2) ? size : rng.pickSkewed(1, size);
    addForcedBurn(rng, roles, builder, account, value, builder.at + rng.integer(0, wide));
  }
  if (rng.chance(2, 3)) {
    const at = builder.at + rng.pickSkewed(0, 1_500);
    builder.submit(account, drawPayment(rng, account), { at, only: drawEntryValidators(rng, roles) });
  }
  if (rng.chance(1, 2)) addCredit(rng, builder, account, size / 2, builder.at + rng.pickSkewed(0, 700));
}

/** Adds burns of two authorities, all due before the account's slots proceed, and payments of the owner among them. */
export function addAlternatingBurns(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const account = rng.chance(3, 4) ? FUNDED : rng.pick(PAYERS);
  const rule = builder.newRule();
  const end = builder.at + rng.integer(600, 2_000);
  builder.addAt(builder.at, { hold: { rule, account } });
  // More than half of most balances: all but the first fail, and take their turns, too.
  const value = rng.split("failing").chance(1, 3) ? "60" : "0.5";
  for (const from of [ISSUER, BURNER]) {
    // A client asks for one burn after the other.
    builder.scripted.add(from);
    for (let left = rng.integer(2, 4); left > 0; left--)
      builder.submit(from, { burn: { from, token: "USD", value, account } }, { at: builder.at + 1 });
  }
  const asked = rng.integer(10, 300);
  for (let left = rng.chance(1, 6) ? 0 : rng.integer(2, 4); left > 0; left--) {
    const small = { from: account, to: rng.pick(PAYERS), token: "USD", value: centsText(rng.pickSkewed(1, 50)) };
    const at = end - asked - left;
    builder.submit(account, { payment: small }, { at, only: drawEntryValidators(rng, roles) });
  }
  builder.addAt(end, { release: rule });
}

/**
 * Adds a long series of small burns, all due before the account's slots proceed; then its owner pays, and disks become
 * slow: often so many and so slow that the burns in a row would exceed the bound on the owner's wait.
 */
function addBurnSeries(rng: Rng, roles: Roles, builder: StepBuilder): void {
  // No other step burns from these accounts, and the owner's turn comes in time if no round is lost to a Byzantine
  // proposer.
  const account = rng.pick(PAYERS.slice(1));
  const rule = builder.newRule();
  const end = builder.at + rng.integer(2_000, 6_000);
  builder.addAt(builder.at, { hold: { rule, account } });
  const units = rng.chance(1, 3) ? rng.integer(9, 18) : rng.integer(28, 40);
  for (let left = units; left > 0; left--)
    builder.submit(ISSUER, { burn: { from: ISSUER, token: "USD", value: "0.5", account } }, { at: builder.at + 1 });
  builder.submit(account, drawPayment(rng, account), {
    at: end - rng.integer(1, 900),
    only: drawEntryValidators(rng, roles),
  });
  const write = roles.byzantine.length > 0 ? 0 : rng.pick([0, 250, 250]);
  for (const node of write === 0 ? [] : roles.validators) builder.addAt(end, { disk: { node, write_ms: write } });
  builder.addAt(end, { release: rule });
}

function addForcedBurn(rng: Rng, roles: Roles, builder: StepBuilder, account: Name, value: number, at: number): void {
  const from = rng.pickWeighted([3, ISSUER], [1, BURNER]);
  const debit = { from, token: "USD", value: centsText(value), account };
  const to = rng.split("recipient").pick([...PAYERS, "zoe"]);
  const only = drawEntryValidators(rng, roles);
  if (!rng.split("clawback").chance(1, 2)) builder.submit(from, { burn: debit }, { at, only });
  // Most recipients are not on the list of the private token.
  else if (rng.split("private").chance(1, 2))
    builder.submit(OWNER, { clawback: { ...debit, from: OWNER, token: "RWA", to } }, { at, only });
  else builder.submit(from, { clawback: { ...debit, to } }, { at, only });
}

/** Adds a payment from another account. */
function addCredit(rng: Rng, builder: StepBuilder, account: Name, value: number, at: number): void {
  const from = rng.pick(PAYERS.filter((name) => name !== account));
  builder.submit(from, { payment: { from, to: account, token: "USD", value: centsText(value) } }, { at });
}
