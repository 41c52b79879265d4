/** Generated genesis: tokens with policies of all kinds, balances, fees, checkpoints, epochs. */

import type { Decimal, Name } from "../../scenario/scalar-types.ts";
import type { CheckpointsSpec, FeeRowSpec, FeesSpec, GenesisSpec, TokenSpec } from "../../scenario/scenario.ts";
import { cents, DECIMALS, WIDE } from "./amounts.ts";
import type { Rng } from "./rng.ts";
import { BARRED, BURNER, GUARD, ISSUER, MINTER, OWNER, PAYERS, type Roles, SCRIBE, WALLETS } from "./roles.ts";
import type { Swarm } from "./swarm.ts";

/** Draws the genesis. */
export function drawGenesis(rng: Rng, { swarm, validators }: Roles): GenesisSpec {
  const hasCheckpoints = formsCheckpoints(swarm);
  // So many that a returning validator finds none of the kept ones that it could continue from.
  const isOften = swarm.checkpoints === 2 || swarm.absences > 0;
  const rewarded = rng.part("rewards").some(validators, swarm.epochs);
  return {
    tokens: { USD: drawPublic(rng.part("USD")), RWA: drawPrivate(rng.part("RWA")) },
    balances: drawBalances(rng.part("balances")),
    fees: drawFees(rng.part("fees"), swarm.fees > 0),
    ...(swarm.lists === 0 ? {} : { list_limit: rng.part("lists").between(1, 4) }),
    ...(rng.part("open").chance(1, 8) ? { open_tokens: true } : {}),
    ...(hasCheckpoints ? { checkpoints: drawCheckpoints(rng.part("checkpoints"), isOften) } : {}),
    ...(hasCheckpoints && swarm.epochs > 0
      ? { epochs: { checkpoints: rng.part("epochs").between(1, swarm.epochs === 2 ? 2 : 5) } }
      : {}),
    ...(rewarded.length === 0 ? {} : { rewards: Object.fromEntries(rewarded.map((name) => [name, "alice"])) }),
  };
}

/** Returns true if checkpoints are formed from the start. */
export function formsCheckpoints({ checkpoints, absences }: Swarm): boolean {
  return checkpoints > 0 || absences > 0;
}

/** Draws the default fees, or others for each token; skips cost more than payments. */
export function drawFees(rng: Rng, isOdd: boolean): FeesSpec {
  if (!isOdd) return { payment: "0.01", cancellation: "0.02", recovery: "0.02" };
  return {
    ...drawRow(rng, 40),
    ...(rng.chance(1, 2) ? { tokens: { RWA: drawRow(rng, 200) } } : {}),
    ...(rng.chance(1, 4) ? { unnamed: { payment: "3", cancellation: "5", recovery: "7" } } : {}),
  };
}

function drawRow(rng: Rng, most: number): FeeRowSpec {
  const payment = rng.skewed(1, most);
  return {
    payment: cents(payment),
    cancellation: cents(payment + rng.skewed(1, most)),
    recovery: cents(payment + rng.skewed(1, most)),
  };
}

/**
 * Draws intervals from one checkpoint for each slot to rare ones; those without slots leave time for a slot in between.
 */
export function drawCheckpoints(rng: Rng, isOften: boolean): CheckpointsSpec {
  const isEmpty = rng.chance(1, 6);
  const interval = isOften ? rng.between(20, 400) : rng.between(100, 3_000);
  return {
    interval_ms: isEmpty ? 2_000 + interval : interval,
    slots: isOften ? rng.between(1, 8) : rng.between(1, 60),
    limit: rng.between(isOften ? 4 : 20, 60),
    period_s: rng.pick([0, 0, 0, 1]),
    ...(isEmpty ? { empty: true } : {}),
  };
}

function drawPublic(rng: Rng): TokenSpec {
  return {
    decimals: DECIMALS,
    master: ISSUER,
    roles: {
      MasterMintBurn: [BURNER],
      MintBurnTokens: [BURNER, MINTER],
      Pause: [GUARD, SCRIBE],
      ManageList: [GUARD],
      UpdateMetadata: [SCRIBE],
    },
    allowances: { [BURNER]: cents(rng.skewed(1, 10_000)), [MINTER]: cents(rng.skewed(1, 3_000)) },
    ...(rng.chance(1, 16) ? { state: "paused" } : {}),
    ...(rng.chance(1, 8) ? { blacklist: rng.some([...PAYERS, ...WALLETS], 1) } : {}),
  };
}

function drawPrivate(rng: Rng): TokenSpec {
  const whitelist = rng.some([...PAYERS, ...WALLETS], rng.between(1, 6));
  return {
    decimals: DECIMALS,
    master: OWNER,
    ...(rng.chance(3, 4) ? { private: true, whitelist: [...whitelist, OWNER] } : {}),
    roles: { ManageList: [GUARD], Pause: [GUARD] },
  };
}

/** Draws balances: large, just enough for a fee, none, or beyond a 64-bit amount. */
function drawBalances(rng: Rng): NonNullable<GenesisSpec["balances"]> {
  const wide = rng.part("wide");
  const some = (): Decimal => {
    const usual = cents(
      rng.weighted([
        [5, 10_000],
        [1, rng.between(0, 5)],
        [2, rng.skewed(1, 2_000)],
      ]),
    );
    return wide.chance(1, 24) ? WIDE : usual;
  };
  const usd = [...PAYERS, ...WALLETS, ISSUER, BURNER].map((name): readonly [Name, Record<Name, Decimal>] => [
    name,
    { USD: some() },
  ]);
  const rwa = new Set(rng.some([...PAYERS, ...WALLETS], 4));
  return Object.fromEntries(
    [...usd, [BARRED, { USD: cents(10_000) }] as const].map(
      ([name, held]) => [name, rwa.has(name) ? { ...held, RWA: some() } : held] as const,
    ),
  );
}
