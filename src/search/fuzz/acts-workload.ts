/** Generated workloads: wallet orders at a rate, with authorities that race them. */
import type { MixPart } from "../../scenario/scenario.ts";
import { cents } from "./amounts.ts";
import { type Cast, MINTER, SCRIBE, WALLETS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Script } from "./script.ts";
import type { Kind } from "./swarm.ts";

/** Orders by swarm kind; disabled kinds are left out. */
const ORDERS: readonly (readonly [Kind, MixPart])[] = [
  ["payments", { payment: { token: "RWA", value: "0.5..3" } }],
  ["cancellations", { cancellation: true }],
  ["supply", { mint: { from: MINTER, token: "USD", value: "0.5..4" } }],
  ["burns", { burn: { from: MINTER, token: "USD", value: "1..120", accounts: [...WALLETS, "alice"] } }],
  ["metadata", { metadata: { from: SCRIBE, token: "USD", name: "Dollar", additional: { a: "b" } } }],
  ["restrictions", { pause: { from: SCRIBE, token: "USD" } }],
  ["restrictions", { unpause: { from: SCRIBE, token: "USD" } }],
  ["roles", { grant: { from: MINTER, token: "USD", role: "MintBurnTokens", to: [MINTER], allowance: "0..20" } }],
];

/** Adds a workload; it always has payments, so that cancellations have targets. */
export function work(dice: Dice, { profile, swarm }: Cast, script: Script): void {
  const most = cents(dice.skewed(1, 2_000));
  const others = dice.some(
    ORDERS.filter(([kind]) => swarm[kind] > 0).map(([, order]) => order),
    dice.between(0, 5),
  );
  script.does(script.at, {
    workload: {
      id: `w${script.steps.length}`,
      accounts: dice.some(WALLETS, dice.between(1, WALLETS.length)),
      count: dice.between(1, profile.orders),
      every_ms: `0..${dice.skewed(1, 120)}`,
      mix: [{ weight: 3, payment: { token: "USD", value: most === "0.01" ? most : `0.01..${most}` } }, ...others],
    },
  });
}
