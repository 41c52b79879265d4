/**
 * Generated crowds: an account with many operations at once beside quiet ones, in a network without faults, so that what
 * the quiet ones wait for is the order of service and nothing else (protocol 7.16).
 */

import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import { BARRED, BURNER, drawEntryValidators, GUARD, ISSUER, MINTER, PAYERS, type Roles } from "./roles.ts";
import { centsText, type StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";

/** Open operations of a hot account: all that it ever signs. */
export const HOT_WINDOW = 256;

/** Operations of a hot account, and the time between two of them in virtual milliseconds. */
interface Crowd {
  readonly from: Name;
  readonly count: number;
  readonly everyMs: number;
  readonly kinds: (index: number) => SubmitKinds;
}

/** Adds one crowd and operations of quiet accounts that meet it. */
export function addCrowd(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const shape = rng.pickWeighted(
    [1, drawPaymentCrowd],
    [4, drawBurnCrowd],
    [3, drawRestrictionCrowd],
    [1, drawMintCrowd],
  );
  const { from, count, everyMs, kinds } = shape(rng.split("shape"), roles, builder);
  const only = drawEntryValidators(rng, roles)?.slice(0, 1);
  builder.hot.add(from);
  for (let index = 0; index < count; index++)
    builder.submit(from, kinds(index), { at: builder.at + index * everyMs, only });
  for (const name of rng.pickSome(PAYERS, rng.integer(1, 3)))
    builder.submit(name, drawPayment(rng, name), { at: builder.at + rng.integer(0, count * everyMs) });
}

function drawPaymentCrowd(rng: Rng): Crowd {
  const to = rng.pick(PAYERS);
  const payment = { from: BARRED, to, token: "USD", value: "0.01" };
  return { from: BARRED, count: rng.integer(60, 200), everyMs: rng.integer(0, 4), kinds: () => ({ payment }) };
}

/** Burns of one authority in a row; another one burns once or as often, and their owner pays once or between their turns. */
function drawBurnCrowd(rng: Rng, roles: Roles, builder: StepBuilder): Crowd {
  const [hot, quiet] = rng.shuffle([ISSUER, BURNER]) as [Name, Name];
  const burn = { token: "USD", value: "0.01", account: BARRED };
  const count = rng.integer(9, 30);
  const everyMs = rng.integer(0, 150);
  const at = (): number => builder.at + rng.integer(0, count * everyMs + 500);
  // Two authorities at once make burns due sooner than the account's slots can take them.
  const others = rng.pick([1, rng.integer(2, count), count]);
  for (let index = 0; index < others; index++)
    builder.submit(
      quiet,
      { burn: { ...burn, from: quiet } },
      { at: others === 1 ? at() : builder.at + index * everyMs },
    );
  if (others > 1) builder.hot.add(quiet);
  // An owner that wants nothing has no turn.
  if (others === 1 && rng.chance(1, 2))
    return { from: hot, count, everyMs, kinds: () => ({ burn: { ...burn, from: hot } }) };
  const payment = { from: BARRED, to: rng.pick(PAYERS), token: "USD", value: "0.01" };
  const only = drawEntryValidators(rng, roles);
  for (const paid of Array.from({ length: others === 1 ? 1 : rng.integer(2, 6) }, at).sort((a, b) => a - b))
    builder.submit(BARRED, { payment }, { at: paid, only });
  return { from: hot, count, everyMs, kinds: () => ({ burn: { ...burn, from: hot } }) };
}

/** More restrictions than one list takes, and mints that wait among them. */
function drawRestrictionCrowd(rng: Rng, _roles: Roles, builder: StepBuilder): Crowd {
  const count = rng.integer(20, 50);
  const everyMs = rng.integer(0, 40);
  for (const from of rng.pickSome([ISSUER, MINTER], rng.integer(1, 2))) {
    const mint = { from, token: "USD", to: rng.pick(PAYERS), value: "0.5" };
    builder.submit(from, { mint }, { at: builder.at + rng.integer(0, count * everyMs) });
  }
  const address = (index: number): Name => `0x${(0x1000 + index).toString(16).padStart(40, "0")}`;
  const kinds = (index: number): SubmitKinds => ({
    blacklist: { from: GUARD, token: "USD", address: address(index), action: "add" },
  });
  return { from: GUARD, count, everyMs, kinds };
}

function drawMintCrowd(rng: Rng, _roles: Roles, builder: StepBuilder): Crowd {
  const count = rng.integer(40, 120);
  const everyMs = rng.integer(0, 20);
  const mint = { token: "USD", to: rng.pick(PAYERS), value: "0.5" };
  builder.submit(MINTER, { mint: { ...mint, from: MINTER } }, { at: builder.at + rng.integer(0, count * everyMs) });
  return {
    from: ISSUER,
    count,
    everyMs,
    kinds: (index) => ({ mint: { ...mint, from: ISSUER, value: centsText(index + 1) } }),
  };
}
