/** Generated payments that spend a credit at once, before other validators have it. */
import { cents } from "./amounts.ts";
import { type Cast, PAYERS, STRANGERS, steadyOf } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Script } from "./script.ts";

/**
 * Pays an account without balance, which pays on through the first validator with the credit: the others lack it and
 * wait for it (protocol 4.2).
 */
export function lean(dice: Dice, cast: Cast, script: Script): void {
  const from = dice.pick(PAYERS);
  const to = dice.pick(STRANGERS);
  const steady = steadyOf(cast);
  const first = dice.pick(steady.length === 0 ? cast.validators : steady);
  const paid = script.submit(from, { payment: { from, to, token: "USD", value: "9" } }, { only: [first] });
  const others = cast.validators.filter((name) => name !== first);
  if (others.length > 0) {
    const rule = script.rule();
    const late = dice.some(others, dice.between(1, others.length));
    const kinds = ["finality", "decisions"] as const;
    script.does(script.at, { hold: { rule, of: paid.id, kinds, to: late } });
    script.does(script.at + dice.between(300, 4_000), { release: rule });
  }
  const on = { from: to, to: dice.pick(PAYERS), token: "USD", value: cents(dice.between(1, 700)) };
  const after = { applied: paid.id, by: first, plus_ms: dice.skewed(0, 60) };
  script.submit(to, { payment: on }, { after, only: [first] });
}
