/** Generated workloads: wallet orders at a rate, with authorities that race them. */
import type { MixEntrySpec } from "../../scenario/scenario.ts";
import { cents } from "./amounts.ts";
import type { Rng } from "./rng.ts";
import { MINTER, type Roles, SCRIBE, WALLETS } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";
import type { SwarmKind } from "./swarm.ts";

/** Orders by swarm kind; disabled kinds are left out. */
const ORDERS: readonly (readonly [SwarmKind, MixEntrySpec])[] = [
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
export function workload(rng: Rng, { profile, swarm }: Roles, builder: StepBuilder): void {
  const most = cents(rng.skewed(1, 2_000));
  const others = rng.some(
    ORDERS.filter(([kind]) => swarm[kind] > 0).map(([, order]) => order),
    rng.between(0, 5),
  );
  builder.addAt(builder.at, {
    workload: {
      id: `w${builder.steps.length}`,
      accounts: rng.some(WALLETS, rng.between(1, WALLETS.length)),
      count: rng.between(1, profile.orders),
      every_ms: `0..${rng.skewed(1, 120)}`,
      mix: [{ weight: 3, payment: { token: "USD", value: most === "0.01" ? most : `0.01..${most}` } }, ...others],
    },
  });
}
