/** Arbitrary client actions, before nonces and names are known, so that each shrinks by itself. */
import fc from "fast-check";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { MixEntrySpec, MixKind } from "../../scenario/schema/workload.ts";
import { ACCOUNTS, ALL_ACCOUNTS, type Drawn } from "./fragment.ts";

/** Orders of each kind, from wallets and authorities that race with single submissions. */
const ORDERS: Readonly<Record<MixKind, readonly MixEntrySpec[]>> = {
  payment: [{ payment: { token: "USD", value: "1..30" } }, { payment: { token: "RWA", value: "1..3" } }],
  cancellation: [{ cancellation: true }],
  mint: [
    { mint: { from: "boss", token: "USD", value: "1..9" } },
    { mint: { from: "frank", token: "USD", value: "0.5" } },
  ],
  burn: [
    { burn: { from: "boss", token: "USD", value: "0.01..1" } },
    { burn: { from: "boss", token: "USD", value: "1..150", accounts: ALL_ACCOUNTS } },
  ],
  metadata: [{ metadata: { from: "scribe", token: "USD", name: "Dollar", additional: { a: "b" } } }],
  blacklist: [{ blacklist: { from: "boss", token: "USD", addresses: ["alice", "erin", "boss"] } }],
  whitelist: [{ whitelist: { from: "boss", token: "RWA" } }],
  grant: [
    { grant: { from: "boss", token: "USD", role: "MintBurnTokens", to: ["frank", "boss"], allowance: "0..20" } },
    { grant: { from: "owner", token: "USD", role: "Pause", to: ["scribe", "grace"] } },
  ],
  revoke: [
    { revoke: { from: "boss", token: "USD", role: "MintBurnTokens", to: ["frank"] } },
    { revoke: { from: "owner", token: "USD", role: "Pause", to: ["scribe", "grace"] } },
  ],
  pause: [{ pause: { from: "scribe", token: "USD" } }],
  unpause: [{ unpause: { from: "boss", token: "USD" } }],
  issue: [{ issue: { symbol: "NEW", decimals: 2, master: "owner" } }],
};

/** All orders; payments are the first. */
const MIX: readonly MixEntrySpec[] = Object.values(ORDERS).flat();

const account: fc.Arbitrary<string> = fc.constantFrom(...ACCOUNTS);
const value: fc.Arbitrary<string> = fc.integer({ min: 1, max: 20 }).map(String);

const authority: fc.Arbitrary<SubmitKinds> = fc.oneof(
  account.map((to) => ({ mint: { from: "issuer", token: "USD", to, value: "5" } })),
  fc.tuple(account, fc.integer({ min: 1, max: 150 })).map(([of, burned]) => ({
    burn: { from: "issuer", token: "USD", account: of, value: String(burned) },
  })),
  fc.constant({ pause: { from: "issuer", token: "USD" } }),
  fc.constant({ unpause: { from: "issuer", token: "USD" } }),
  fc.tuple(account, fc.constantFrom("add" as const, "remove" as const)).map(([address, action]) => ({
    blacklist: { from: "issuer", token: "USD", address, action },
  })),
);

/** One client action; every other kind shrinks to a payment. */
export const clientAction = fc.oneof(
  { withCrossShrink: true },
  /** A payment, and its cancellation after `cancelAfter` milliseconds. */
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("pay" as const),
      from: account,
      to: fc.oneof(account, fc.constant("zoe")),
      value,
      cancelAfter: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined, freq: 3 }),
    }),
  },
  /** Two payments for one nonce, each to one half of the validators. */
  { weight: 2, arbitrary: fc.record({ act: fc.constant("conflict" as const), from: account, value }) },
  /** A payment that may exceed the balance, and a later one with the same nonce. */
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("second" as const),
      from: account,
      first: fc.integer({ min: 1, max: 200 }),
      value,
    }),
  },
  /** An operation of the token's issuer. */
  { weight: 3, arbitrary: fc.record({ act: fc.constant("authority" as const), operation: authority }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("workload" as const),
      mix: fc.uniqueArray(fc.nat(MIX.length - 1), { minLength: 1, maxLength: MIX.length }).map(ordersOf),
      count: fc.integer({ min: 1, max: 25 }),
      everyMs: fc.integer({ min: 1, max: 120 }),
    }),
  },
);

export type ClientAction = Drawn<typeof clientAction>;

/** The chosen orders, with a payment if all others are cancellations. */
function ordersOf(chosen: readonly number[]): readonly MixEntrySpec[] {
  const orders = chosen.flatMap((index) => MIX[index] ?? []);
  return orders.some((order) => order.cancellation === undefined) ? orders : [...orders, ...ORDERS.payment.slice(0, 1)];
}
