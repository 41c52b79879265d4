import type { Amount } from "../core/base/amount.ts";
import type { Address } from "../core/base/ids.ts";
import { credit } from "../core/ledger/balances.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Shares that exceed the pool (bugs D11). */
export const roundedUpFees: KnownBadVariant = {
  name: "rounded-up-fees",
  mistake: "if an epoch's fees are not divisible, every validator gets one unit more",
  source: "bugs D11",
  caughtBy: ["conservation", "fees", "validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      openNext: (state, next, number) => {
        const { validators } = state.parameters;
        let opened = real.ledger.openNext(state, next, number);
        for (const [token, pool] of state.pools.entries()) {
          if (pool % BigInt(validators.length) === 0n) continue;
          for (const { reward } of validators) opened = credit(opened, reward, token as Address, 1n as Amount);
        }
        return opened;
      },
    },
  }),
};
