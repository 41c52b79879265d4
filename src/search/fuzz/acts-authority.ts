/** Generated steps of authorities, often in parallel with payments that they affect. */
import { ROLES } from "../../core/base/operation.ts";
import type { SubmitKinds } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { cents, WIDEST } from "./amounts.ts";
import { drawAsked } from "./asked.ts";
import { BARRED, BURNER, type Cast, GUARD, ISSUER, OWNER, PAYERS, STRANGERS, steadyOf, WALLETS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Script } from "./script.ts";

/** Adds mints or burns of own units, one or several; sometimes beyond the maximum supply, sometimes during a pause. */
export function supply(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick([ISSUER, BURNER]);
  const only = drawAsked(dice, cast);
  const count = dice.weighted([
    [2, 1],
    [1, 2],
    [1, 3],
  ]);
  for (let index = 0; index < count; index++) {
    const value = cents(dice.skewed(1, 6_000));
    const to = dice.pick([...PAYERS, ...STRANGERS]);
    const kinds: SubmitKinds = dice.chance(3, 4)
      ? { mint: { from, token: "USD", to, value } }
      : { burn: { from, token: "USD", value } };
    script.submit(from, kinds, { only, at: script.at + index * dice.skewed(0, 50) });
  }
  const more = dice.part("more");
  gather(more, "USD", script);
  if (more.chance(1, 12)) {
    for (const to of STRANGERS) script.submit(ISSUER, { mint: { from: ISSUER, token: "USD", to, value: WIDEST } });
  } else if (more.chance(1, 4)) {
    share(more, script);
  } else if (more.chance(1, 3)) {
    script.submit(GUARD, { pause: { from: GUARD, token: "USD" } }, { at: script.at + more.skewed(0, 100) });
    const at = script.at + more.between(1_000, 3_000);
    script.submit(GUARD, { unpause: { from: GUARD, token: "USD" } }, { at });
  }
}

/** Adds an allowance and two mints of which it covers either but not both. */
function share(dice: Dice, script: Script): void {
  const part = { from: ISSUER, token: "USD", role: "MintBurnTokens", to: BURNER, allowance: "10" } as const;
  script.submit(ISSUER, { grant: part });
  const at = script.at + dice.between(200, 900);
  const rule = script.rule();
  script.does(at, { hold: { rule, token: "USD", kinds: ["proposal"] } });
  for (const to of STRANGERS) script.submit(BURNER, { mint: { from: BURNER, token: "USD", to, value: "6" } }, { at });
  script.does(at + dice.between(100, 900), { release: rule });
}

/** Holds list proposals for a while, so that operations authorised meanwhile share one list. */
function gather(dice: Dice, token: Name, script: Script): void {
  const own = dice.part("gather");
  if (own.chance(1, 2)) return;
  const rule = script.rule();
  script.does(script.at, { hold: { rule, token, kinds: ["proposal"] } });
  script.does(script.at + own.between(100, 900), { release: rule });
}

/** Adds a restriction, perhaps its lifting, and a concurrent payment through another validator. */
export function restrict(dice: Dice, cast: Cast, script: Script): void {
  // Several restrictions hidden at once would delay each other's finality.
  const isHidden = !script.hides && dice.chance(3, 4);
  const payer = isHidden ? BARRED : dice.pick(PAYERS);
  const [from, barred, allowed] = drawRestriction(dice, payer, isHidden);
  const steady = steadyOf(cast);
  const asked = dice.pick(steady.length === 0 || dice.chance(1, 4) ? cast.validators : steady);
  const payment: SubmitKinds = { payment: { from: payer, to: dice.pick(STRANGERS), token: "USD", value: "0.5" } };
  if (dice.chance(1, 4)) script.submit(payer, payment, { only: drawAsked(dice, cast) });
  script.submit(from, barred, { only: drawAsked(dice, cast), at: script.at + dice.skewed(0, 30) });
  if (isHidden) hide(dice, asked, cast, script);
  if (dice.chance(1, isHidden ? 2 : 4)) {
    const name = `N${script.known.length}`;
    script.submit(OWNER, { metadata: { from: OWNER, token: "RWA", name } }, { at: script.at + dice.skewed(0, 150) });
  }
  if (isHidden || dice.chance(2, 3)) {
    const at = script.at + (isHidden ? dice.between(200, 700) : dice.skewed(10, 1_000));
    script.submit(payer, payment, { only: [asked], at });
  }
  if (!dice.chance(2, 3)) return;
  // A hidden restriction must be in force for a while before it is lifted.
  const at = script.at + (isHidden ? dice.between(900, 3_000) : dice.skewed(30, 2_000));
  script.submit(from, allowed, { at });
  if (dice.chance(1, 4)) return;
  const only = dice.chance(1, 2) ? [asked] : drawAsked(dice, cast);
  script.submit(payer, payment, { at: at + dice.skewed(50, 3_000), only });
}

/**
 * Discloses the restriction to some validators only, perhaps not to the payment's entry validator or to one that
 * commits to it.
 */
function hide(dice: Dice, asked: Name, { validators, liars }: Cast, script: Script): void {
  script.hides = true;
  const end = script.at + dice.between(1_000, 4_000);
  const quiet = (kinds: readonly MessageKind[], to: readonly Name[]): void => {
    const rule = script.rule();
    script.does(script.at, { hold: { rule, token: "USD", kinds, to } });
    script.does(end, { release: rule });
  };
  if (dice.chance(1, 4)) {
    quiet(["finality", "decisions"], validators);
    return;
  }
  quiet(["lock", "fetch", "decisions", "finality"], [asked]);
  const others = validators.filter((name) => name !== asked && !liars.includes(name));
  if (others.length > 0 && dice.chance(7, 8))
    quiet(["proposal", "fetch", "decisions", "finality"], [dice.pick(others)]);
}

function drawRestriction(
  dice: Dice,
  payer: Name,
  isOfPayment: boolean,
): readonly [from: Name, barred: SubmitKinds, allowed: SubmitKinds] {
  const from = dice.pick([ISSUER, ISSUER, GUARD]);
  const what = dice.pick(["pause", "pause", "list", "white"] as const);
  switch (isOfPayment && what === "white" ? "list" : what) {
    case "pause":
      return [from, { pause: { from, token: "USD" } }, { unpause: { from, token: "USD" } }];
    case "list": {
      const part = { from, token: "USD", address: payer };
      return [from, { blacklist: { ...part, action: "add" } }, { blacklist: { ...part, action: "remove" } }];
    }
    case "white": {
      const part = { from: OWNER, token: "RWA", address: dice.pick([...PAYERS, ...WALLETS]) };
      return [OWNER, { whitelist: { ...part, action: "remove" } }, { whitelist: { ...part, action: "add" } }];
    }
  }
}

/** Grants and revokes roles, often of an account that acts at the same time. */
export function roles(dice: Dice, cast: Cast, script: Script): void {
  const to = dice.pick([BURNER, GUARD, "alice"]);
  const role = dice.weighted([
    [3, "MintBurnTokens" as const],
    [2, "Pause" as const],
    [1, dice.pick(ROLES)],
  ]);
  const part = { from: ISSUER, token: "USD", role, to };
  const isMinting = role === "MintBurnTokens";
  const grant: SubmitKinds = { grant: { ...part, ...(isMinting ? { allowance: cents(dice.skewed(0, 5_000)) } : {}) } };
  const order = dice.chance(1, 2) ? [{ revoke: part }, grant] : [grant, { revoke: part }];
  for (const kinds of order.slice(0, dice.between(1, 2))) {
    script.submit(ISSUER, kinds, { at: script.at + dice.skewed(0, 400), only: drawAsked(dice, cast) });
  }
  gather(dice, "USD", script);
  if (to === "alice" || dice.chance(1, 3)) return;
  const acts: SubmitKinds =
    to === BURNER
      ? { mint: { from: to, to: "bob", token: "USD", value: cents(dice.skewed(1, 4_000)) } }
      : { pause: { from: to, token: "USD" } };
  script.submit(to, acts, { at: script.at + dice.skewed(0, 400), only: drawAsked(dice, cast) });
}

/** Adds a few changes of a token's name in a row, each waiting for the list before it. */
export function metadata(dice: Dice, cast: Cast, script: Script): void {
  const [from, token] = dice.pick([
    [ISSUER, "USD"],
    [OWNER, "RWA"],
  ] as const);
  const only = drawAsked(dice, cast);
  const count = dice.between(1, 4);
  const wide = dice.skewed(0, 300);
  gather(dice, token, script);
  for (let index = 0; index < count; index++) {
    const name = `N${script.known.length}`;
    const more = dice.part(`${index}`).chance(1, 5) ? { additional: { a: "b" } } : {};
    script.submit(from, { metadata: { from, token, name, ...more } }, { only, at: script.at + dice.between(0, wide) });
  }
}

/** Issues a token unknown so far, and its first units. */
export function issue(dice: Dice, cast: Cast, script: Script): void {
  const symbol = `T${script.known.length}`;
  const isPrivate = dice.chance(1, 4);
  const issued = { symbol, decimals: 2, master: OWNER, ...(isPrivate ? { private: true } : {}) };
  script.submit("operator", { issue: issued }, { only: drawAsked(dice, cast) });
  const at = script.at + dice.skewed(20, 1_500);
  if (dice.chance(1, 2)) script.submit(OWNER, { unpause: { from: OWNER, token: symbol } }, { at });
  if (dice.chance(1, 2))
    script.submit(OWNER, { mint: { from: OWNER, to: "alice", token: symbol, value: "7" } }, { at: at + 1 });
}
