/** Cost of a payment by the number of validators, of accounts and of operations before it. */
import { type Curve, curveSection, drawnCurves } from "../page/curve.ts";
import type { Effort } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { spreadOf } from "../page/statistics.ts";
import { cpuMsEach, cpuMsOf } from "../support/cpu.ts";
import { everySlots } from "../support/genesis.ts";
import { payments, runBare, runJudged } from "../support/payments.ts";
import { Traffic } from "../support/traffic.ts";

const COST = "CPU ms per payment";
const COMMITTEES = [1, 4, 10, 20, 40, 100];
const COMMITTEES_QUICK = [1, 4, 20, 40];
/** Payments of one run, so that large committees do not take minutes. */
const WORK = 2_000;
const RUNS_MOST = 300;
const RUNS_LEAST = 20;
const PAYERS = 20;

export function validatorsCurve(effort: Effort): Promise<Section> {
  const sizes = effort.quick ? COMMITTEES_QUICK : COMMITTEES;
  const curve = (name: string, run: typeof runJudged): Curve => ({
    name,
    points: sizes.map((validators) => {
      const count = Math.min(RUNS_MOST, Math.max(RUNS_LEAST, Math.round(WORK / validators)));
      const work = payments({ count, validators });
      const once = (): number => {
        run(work);
        return count;
      };
      return { size: validators, measure: (ms) => cpuMsEach(once, ms), warmUp: once };
    }),
  });
  const curves = [curve("oracles off", runBare), curve("all oracles", runJudged)];
  const names = {
    file: "validators",
    title: "Cost of a payment by the number of validators",
    size: "validators",
    cost: COST,
  };
  return curveSection({ ...names, curves }, effort);
}

/** `most`: the largest number of accounts. */
export function accountsCurve(most: number): (effort: Effort) => Promise<Section> {
  return (effort) => {
    const sizes = powersOfTen(100, effort.quick ? Math.min(most, 10_000) : most);
    const curve = (name: string, slots: number | undefined): Curve => ({
      name,
      points: sizes.map((accounts) => {
        const checkpoints = slots === undefined ? undefined : everySlots(slots, 60_000);
        const traffic = new Traffic({ validators: 4, accounts: PAYERS, payees: accounts - PAYERS, checkpoints });
        const once = (): number => {
          for (let at = 0; at < 5; at++) traffic.burst(PAYERS);
          return 5 * PAYERS;
        };
        return { size: accounts, measure: (ms) => cpuMsEach(once, ms), warmUp: once };
      }),
    });
    const curves = [curve("without checkpoints", undefined), curve("a checkpoint after 100 slots", 100)];
    const names = {
      file: "accounts",
      title: "Cost of a payment by the number of accounts",
      size: "accounts",
      cost: COST,
    };
    return curveSection({ ...names, curves }, effort);
  };
}

/** One run of each kind, longer and longer: the mean cost of all payments so far. */
export async function operationsCurve({ quick }: Effort): Promise<Section> {
  const sizes = quick ? [1_000, 3_000, 10_000] : [1_000, 3_000, 10_000, 30_000, 100_000];
  const curve = (name: string, slots: number | undefined) => {
    const checkpoints = slots === undefined ? undefined : everySlots(slots, 60_000);
    const traffic = new Traffic({ validators: 4, accounts: PAYERS, checkpoints });
    let cpuMs = 0;
    const points = sizes.map((size) => {
      cpuMs += cpuMsOf(() => {
        while (traffic.payments < size) traffic.burst(PAYERS);
      });
      return { size, cost: spreadOf([cpuMs / size]) };
    });
    return { name, points };
  };
  const judged = (): { name: string; points: { size: number; cost: ReturnType<typeof spreadOf> }[] } => ({
    name: "scenario with all oracles",
    points: sizes
      .filter((size) => size <= 10_000)
      .map((size) => {
        const work = payments({ count: size });
        return { size, cost: spreadOf([cpuMsOf(() => runJudged(work)) / size]) };
      }),
  });
  const names = {
    file: "operations",
    title: "Mean cost of a payment by the length of the run",
    size: "operations",
    cost: COST,
  };
  return drawnCurves(names, [
    curve("without checkpoints", undefined),
    curve("a checkpoint after 100 slots", 100),
    judged(),
  ]);
}

function powersOfTen(from: number, to: number): readonly number[] {
  return from > to ? [] : [from, ...powersOfTen(10 * from, to)];
}
