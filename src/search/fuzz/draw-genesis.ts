/** Generated genesis: tokens with policies of all kinds, balances, fees, checkpoints, epochs. */
import type { CheckpointsPart, FeeRow, FeesPart, GenesisPart, TokenPart } from "../../scenario/scenario.ts";
import type { Decimal, Name } from "../../scenario/scenario-words.ts";
import { cents, DECIMALS, WIDE } from "./amounts.ts";
import { BARRED, BURNER, type Cast, GUARD, ISSUER, MINTER, OWNER, PAYERS, SCRIBE, WALLETS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import type { Swarm } from "./swarm.ts";

/** Draws the genesis. */
export function drawGenesis(dice: Dice, { swarm, validators }: Cast): GenesisPart {
  const hasCheckpoints = formsCheckpoints(swarm);
  // So many that a returning validator finds none of the kept ones that it could continue from.
  const isOften = swarm.checkpoints === 2 || swarm.absences > 0;
  const rewarded = dice.part("rewards").some(validators, swarm.epochs);
  return {
    tokens: { USD: drawPublic(dice.part("USD")), RWA: drawPrivate(dice.part("RWA")) },
    balances: drawBalances(dice.part("balances")),
    fees: drawFees(dice.part("fees"), swarm.fees > 0),
    ...(swarm.lists === 0 ? {} : { list_limit: dice.part("lists").between(1, 4) }),
    ...(dice.part("open").chance(1, 8) ? { open_tokens: true } : {}),
    ...(hasCheckpoints ? { checkpoints: drawCheckpoints(dice.part("checkpoints"), isOften) } : {}),
    ...(hasCheckpoints && swarm.epochs > 0
      ? { epochs: { checkpoints: dice.part("epochs").between(1, swarm.epochs === 2 ? 2 : 5) } }
      : {}),
    ...(rewarded.length === 0 ? {} : { rewards: Object.fromEntries(rewarded.map((name) => [name, "alice"])) }),
  };
}

/** Returns true if checkpoints are formed from the start. */
export function formsCheckpoints({ checkpoints, absences }: Swarm): boolean {
  return checkpoints > 0 || absences > 0;
}

/** Draws the default fees, or others for each token; skips cost more than payments. */
export function drawFees(dice: Dice, isOdd: boolean): FeesPart {
  if (!isOdd) return { payment: "0.01", cancellation: "0.02", recovery: "0.02" };
  return {
    ...drawRow(dice, 40),
    ...(dice.chance(1, 2) ? { tokens: { RWA: drawRow(dice, 200) } } : {}),
    ...(dice.chance(1, 4) ? { unnamed: { payment: "3", cancellation: "5", recovery: "7" } } : {}),
  };
}

function drawRow(dice: Dice, most: number): FeeRow {
  const payment = dice.skewed(1, most);
  return {
    payment: cents(payment),
    cancellation: cents(payment + dice.skewed(1, most)),
    recovery: cents(payment + dice.skewed(1, most)),
  };
}

/**
 * Draws intervals from one checkpoint for each slot to rare ones; those without slots leave time for a slot in between.
 */
export function drawCheckpoints(dice: Dice, isOften: boolean): CheckpointsPart {
  const isEmpty = dice.chance(1, 6);
  const interval = isOften ? dice.between(20, 400) : dice.between(100, 3_000);
  return {
    interval_ms: isEmpty ? 2_000 + interval : interval,
    slots: isOften ? dice.between(1, 8) : dice.between(1, 60),
    limit: dice.between(isOften ? 4 : 20, 60),
    period_s: dice.pick([0, 0, 0, 1]),
    ...(isEmpty ? { empty: true } : {}),
  };
}

function drawPublic(dice: Dice): TokenPart {
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
    allowances: { [BURNER]: cents(dice.skewed(1, 10_000)), [MINTER]: cents(dice.skewed(1, 3_000)) },
    ...(dice.chance(1, 16) ? { state: "paused" } : {}),
    ...(dice.chance(1, 8) ? { blacklist: dice.some([...PAYERS, ...WALLETS], 1) } : {}),
  };
}

function drawPrivate(dice: Dice): TokenPart {
  const whitelist = dice.some([...PAYERS, ...WALLETS], dice.between(1, 6));
  return {
    decimals: DECIMALS,
    master: OWNER,
    ...(dice.chance(3, 4) ? { private: true, whitelist: [...whitelist, OWNER] } : {}),
    roles: { ManageList: [GUARD], Pause: [GUARD] },
  };
}

/** Draws balances: large, just enough for a fee, none, or beyond a 64-bit amount. */
function drawBalances(dice: Dice): NonNullable<GenesisPart["balances"]> {
  const wide = dice.part("wide");
  const some = (): Decimal => {
    const usual = cents(
      dice.weighted([
        [5, 10_000],
        [1, dice.between(0, 5)],
        [2, dice.skewed(1, 2_000)],
      ]),
    );
    return wide.chance(1, 24) ? WIDE : usual;
  };
  const usd = [...PAYERS, ...WALLETS, ISSUER, BURNER].map((name): readonly [Name, Record<Name, Decimal>] => [
    name,
    { USD: some() },
  ]);
  const rwa = new Set(dice.some([...PAYERS, ...WALLETS], 4));
  return Object.fromEntries(
    [...usd, [BARRED, { USD: cents(10_000) }] as const].map(
      ([name, held]) => [name, rwa.has(name) ? { ...held, RWA: some() } : held] as const,
    ),
  );
}
