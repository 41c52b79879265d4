/** Generated forced burns: of the balance, of more, of an arriving credit, and in long series. */
import type { Name } from "../../scenario/scenario-words.ts";
import { drawPayment } from "./acts-payments.ts";
import { cents } from "./amounts.ts";
import { drawAsked } from "./asked.ts";
import { BURNER, type Cast, ISSUER, PAYERS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Script } from "./script.ts";

/** Adds forced burns of one account's units, with payments of the same account in between. */
export function burn(dice: Dice, cast: Cast, script: Script): void {
  const how = dice.weighted([
    [3, "some"],
    [2, "split"],
    [cast.swarm.burns === 2 ? 4 : 0, "endless"],
  ]);
  // One authority signs them all: the burns of a second account would be reached too late.
  const isFirst = !script.known.some(({ account }) => account !== undefined);
  if (how === "split") split(dice, cast, script);
  else if (how === "endless" && isFirst) endless(dice, cast, script);
  else some(dice, cast, script);
}

function some(dice: Dice, cast: Cast, script: Script): void {
  const account = dice.pick(PAYERS);
  const wide = dice.skewed(0, 80);
  const size = dice.chance(1, 2) ? 10_000 : 400;
  for (let left = dice.between(1, 4); left > 0; left--) {
    const value = dice.chance(1, 2) ? size : dice.skewed(1, size);
    force(dice, cast, script, account, value, script.at + dice.between(0, wide));
  }
  if (dice.chance(2, 3)) {
    const at = script.at + dice.skewed(0, 1_500);
    script.submit(account, drawPayment(dice, account), { at, only: drawAsked(dice, cast) });
  }
  if (dice.chance(1, 2)) credit(dice, script, account, size / 2, script.at + dice.skewed(0, 700));
}

/** Burns the whole balance and a part more, while only some validators have received a credit. */
function split(dice: Dice, cast: Cast, script: Script): void {
  const account = dice.pick(PAYERS);
  const from = credit(dice, script, account, 5_000, script.at + dice.skewed(0, 20));
  const rule = script.rule();
  const deaf = dice.some(cast.validators, Math.ceil(cast.validators.length / 2));
  script.does(script.at, { hold: { rule, account: from, kinds: ["finality", "decisions"], to: deaf } });
  force(dice, cast, script, account, 10_000, script.at + dice.skewed(0, 20), ISSUER);
  force(dice, cast, script, account, 5_000, script.at + dice.skewed(0, 20), BURNER);
  script.does(script.at + dice.between(1_500, 5_000), { release: rule });
}

/**
 * Adds a long series of small burns, all due before the account's slots proceed; then its owner pays, and disks become
 * slow: often so many and so slow that the burns in a row would exceed the bound on the owner's wait.
 */
function endless(dice: Dice, cast: Cast, script: Script): void {
  // No other step burns from these accounts, and the owner's turn comes in time if no round is lost to a Byzantine
  // proposer.
  const account = dice.pick(PAYERS.slice(1));
  const rule = script.rule();
  const end = script.at + dice.between(2_000, 6_000);
  script.does(script.at, { hold: { rule, account } });
  const units = dice.chance(1, 3) ? dice.between(9, 18) : dice.between(28, 40);
  for (let left = units; left > 0; left--)
    script.submit(ISSUER, { burn: { from: ISSUER, token: "USD", value: "0.5", account } }, { at: script.at + 1 });
  script.submit(account, drawPayment(dice, account), { at: end - dice.between(1, 900), only: drawAsked(dice, cast) });
  const write = cast.liars.length > 0 ? 0 : dice.pick([0, 250, 250]);
  for (const node of write === 0 ? [] : cast.validators) script.does(end, { disk: { node, write_ms: write } });
  script.does(end, { release: rule });
}

function force(dice: Dice, cast: Cast, script: Script, account: Name, value: number, at: number, by?: Name): void {
  const from =
    by ??
    dice.weighted([
      [3, ISSUER],
      [1, BURNER],
    ]);
  script.submit(
    from,
    { burn: { from, token: "USD", value: cents(value), account } },
    { at, only: drawAsked(dice, cast) },
  );
}

/** Adds a payment from another account; returns the payer. */
function credit(dice: Dice, script: Script, account: Name, value: number, at: number): Name {
  const from = dice.pick(PAYERS.filter((name) => name !== account));
  script.submit(from, { payment: { from, to: account, token: "USD", value: cents(value) } }, { at });
  return from;
}
