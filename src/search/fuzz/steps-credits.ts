/** Generated payments that spend a credit at once, before other validators have it. */
import { cents } from "./amounts.ts";
import type { Rng } from "./rng.ts";
import { correctOf, PAYERS, type Roles, UNKNOWN_ACCOUNTS } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";

/**
 * Pays an account without balance, which pays on through the first validator with the credit: the others lack it and
 * wait for it (protocol 4.2).
 */
export function spendCredit(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick(PAYERS);
  const to = rng.pick(UNKNOWN_ACCOUNTS);
  const steady = correctOf(roles);
  const first = rng.pick(steady.length === 0 ? roles.validators : steady);
  const paid = builder.submit(from, { payment: { from, to, token: "USD", value: "9" } }, { only: [first] });
  const others = roles.validators.filter((name) => name !== first);
  if (others.length > 0) {
    const rule = builder.rule();
    const late = rng.some(others, rng.between(1, others.length));
    const kinds = ["finality", "decisions"] as const;
    builder.addAt(builder.at, { hold: { rule, of: paid.id, kinds, to: late } });
    builder.addAt(builder.at + rng.between(300, 4_000), { release: rule });
  }
  const on = { from: to, to: rng.pick(PAYERS), token: "USD", value: cents(rng.between(1, 700)) };
  const after = { applied: paid.id, by: first, plus_ms: rng.skewed(0, 60) };
  builder.submit(to, { payment: on }, { after, only: [first] });
}
