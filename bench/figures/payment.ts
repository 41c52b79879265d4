/**
 * The served path, from the HTTP request to the final receipt, beside the local networks of another chain: payments a
 * second, finality of one client, memory at rest, start until the first answer. In each round every network starts anew.
 */
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { realScheme } from "../../src/backends/secp256k1.ts";
import { type ReadyAccount, readyAccounts, TEST_MNEMONIC } from "../../src/server/setup/accounts.ts";
import { type Load, load, loadFor, warmedUp } from "../http/load.ts";
import { REFERENCES } from "../http/other-chains.ts";
import { bareHttp, servedNetwork } from "../http/served.ts";
import type { Target } from "../http/target.ts";
import { openWire } from "../http/wire.ts";
import { type Effort, orderOf } from "../page/rounds.ts";
import type { Plot, Section } from "../page/section.ts";
import { digits, ratiosOf, type Spread, spreadOf } from "../page/statistics.ts";
import { barChart } from "../page/svg.ts";
import { type Goal, type Row, type State, table } from "../page/table.ts";

const CONNECTIONS = 10;
/** As many as the configuration of hardhat has. */
const ACCOUNTS = 64;
const COLD_PAYMENTS = 100;
/** Until a network at rest is measured. */
const REST_MS = 500;
const ATTEMPTS = 3;
const OURS = "served, links of 0 ms";
const BARE = "bare node:http";

interface Contestant {
  readonly name: string;
  start(accounts: readonly ReadyAccount[]): Promise<Target>;
}

/** Measured in one round. */
interface Found {
  readonly startMs: number;
  readonly idleMB: number;
  readonly cold: Load;
  readonly many: Load;
  readonly one: Load;
}

type Rounds = ReadonlyMap<string, readonly Found[]>;

const CONTESTANTS: readonly Contestant[] = [
  { name: OURS, start: (accounts) => servedNetwork(accounts, "0") },
  { name: BARE, start: (accounts) => bareHttp(accounts, realScheme()) },
  ...REFERENCES.filter(({ isInstalled }) => isInstalled).map(({ name, start }) => ({
    name,
    start: (accounts: readonly ReadyAccount[]) => start(accounts.length),
  })),
];

export async function paymentFigures(effort: Effort): Promise<Section> {
  const accounts = readyAccounts(TEST_MNEMONIC, ACCOUNTS);
  const rounds = new Map<string, Found[]>(CONTESTANTS.map(({ name }) => [name, []]));
  for (let round = 0; round < effort.rounds; round++)
    for (const [name, found] of await completeRound(orderOf(CONTESTANTS, round), accounts, effort.ms))
      rounds.get(name)?.push(found);
  return { title: "The served path", rows: rowsOf(rounds), text: [detailsOf(rounds)], plots: plotsOf(rounds) };
}

/** A reference that loses a transaction makes the whole round begin anew. @throws its error the third time */
async function completeRound(...round: Parameters<typeof measuredRound>): ReturnType<typeof measuredRound> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await measuredRound(...round);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.error(`  the round begins anew: ${(error as Error).message.split("\n")[0]}`);
    }
  }
}

/** All start, then all take each load in turn: those that wait use no time. */
async function measuredRound(
  contestants: readonly Contestant[],
  accounts: readonly ReadyAccount[],
  ms: number,
): Promise<ReadonlyMap<string, Found>> {
  const [many, one] = [{ accounts: accounts.slice(0, CONNECTIONS) }, { accounts: accounts.slice(0, 1) }];
  const started: {
    readonly target: Target;
    readonly startMs: number;
    readonly idleMB: number;
    readonly name: string;
  }[] = [];
  try {
    for (const { name, start } of contestants) started.push({ name, ...(await startedNow(() => start(accounts))) });
    const each = async <T>(measure: (target: Target, at: number) => Promise<T>): Promise<readonly T[]> => {
      const all: T[] = [];
      for (const [at, { target }] of started.entries()) all.push(await measure(target, at));
      return all;
    };
    const cold = await each((target) => load(target, { ...many, payments: COLD_PAYMENTS }));
    const warm = await each((target) => warmedUp(target, many, ms));
    const loads = await each((target, at) => loadFor(target, many, ms, (warm[at] as Load).rate));
    const trial = await each((target) => warmedUp(target, one, ms / 10));
    const single = await each((target, at) => loadFor(target, one, ms, (trial[at] as Load).rate));
    return new Map(
      started.map(({ name, startMs, idleMB }, at) => [
        name,
        { startMs, idleMB, cold: cold[at] as Load, many: loads[at] as Load, one: single[at] as Load },
      ]),
    );
  } finally {
    for (const { target } of started) target.child.stop();
  }
}

async function startedNow(start: () => Promise<Target>): Promise<{ target: Target; startMs: number; idleMB: number }> {
  const began = performance.now();
  const target = await start();
  const wire = openWire(target.child.url);
  await target.firstAnswer(wire);
  const startMs = performance.now() - began;
  wire.close();
  await setTimeout(REST_MS);
  return { target, startMs, idleMB: (target.child.residentBytes() ?? Number.NaN) / 1e6 };
}

function rowsOf(rounds: Rounds): readonly Row[] {
  const goals = { hardhat: 2.5, anvil: 8, ganache: 15 };
  const served = `served payments/s, N = 4, real signatures, ${CONNECTIONS} connections, each with its receipt`;
  const first = `served payments/s, the first ${COLD_PAYMENTS} after the start`;
  const value = (kind: Goal["kind"], of: number): Goal => ({ kind, value: of });
  const versus = (
    figure: string,
    state: State,
    reference: string,
    goal: Goal,
    of: (found: Found) => number,
    unit: string,
  ): Row => ({
    figure,
    state,
    reference,
    goal,
    ...against(rounds, reference, of, unit),
  });
  return [
    ...Object.entries(goals).map(([name, goal]) =>
      versus(served, "warm", name, value("floor", goal), ({ many }) => many.rate, "payments/s"),
    ),
    ...Object.entries(goals).map(([name, goal]) =>
      versus(first, "cold", name, value("floor", goal), ({ cold }) => cold.rate, "payments/s"),
    ),
    finalityRow(rounds),
    versus("memory at rest (resident)", "any", "hardhat", value("ceiling", 0.7), ({ idleMB }) => idleMB, "MB"),
    versus("start until the first answer", "cold", "hardhat", value("ceiling", 0.3), ({ startMs }) => startMs, "ms"),
  ];
}

function finalityRow(rounds: Rounds): Row {
  const p50 = ({ one }: Found): number => one.receipt.p50;
  const [better] = ["hardhat", "anvil"]
    .flatMap((name) => {
      const found = rounds.get(name);
      return found === undefined ? [] : [{ name, median: spreadOf(found.map(p50)).median }];
    })
    .sort((a, b) => a.median - b.median);
  const reference = better?.name ?? "hardhat";
  return {
    figure: "p50 of finality, one connection, links of 0 ms",
    state: "warm",
    reference: better === undefined ? "better of hardhat and anvil" : `${reference}, the better of hardhat and anvil`,
    goal: { kind: "ceiling", value: 0.7 },
    ...against(rounds, reference, p50, "ms"),
  };
}

function against(
  rounds: Rounds,
  reference: string,
  of: (found: Found) => number,
  unit: string,
): { readonly here: Spread | undefined; readonly absolute: string } {
  const ours = (rounds.get(OURS) ?? []).map(of);
  const theirs = rounds.get(reference)?.map(of);
  const own = digits(spreadOf(ours).median);
  if (theirs === undefined) return { here: undefined, absolute: `${own} ${unit}` };
  return { here: spreadOf(ratiosOf(ours, theirs)), absolute: `${own} : ${digits(spreadOf(theirs).median)} ${unit}` };
}

function detailsOf(rounds: Rounds): string {
  const columns = [
    "network",
    "payments/s",
    "p50 of finality, ms",
    "p99, ms",
    "server's CPU, ms each",
    "one connection: payments/s",
    "p50, ms",
    "p99, ms",
  ];
  const middle = (all: readonly Found[], of: (found: Found) => number | undefined): string =>
    digits(spreadOf(all.map((found) => of(found) ?? Number.NaN)).median);
  const rows = [...rounds].map(([name, all]) => [
    name,
    middle(all, ({ many }) => many.rate),
    middle(all, ({ many }) => many.receipt.p50),
    middle(all, ({ many }) => many.receipt.p99),
    middle(all, ({ many }) => many.cpu),
    middle(all, ({ one }) => one.rate),
    middle(all, ({ one }) => one.receipt.p50),
    middle(all, ({ one }) => one.receipt.p99),
  ]);
  const absent = REFERENCES.filter(({ isInstalled }) => !isInstalled).map(({ name }) => [
    name,
    ...Array<string>(7).fill("not here"),
  ]);
  const note = `Each payment costs the served network one recovery. Its certificate is signed when somebody reads it, which these
clients do not: they read the receipt, which holds no signature.`;
  return `Medians of the rounds, warm, ${CONNECTIONS} connections and one. ${note}\n\n${table(columns, [...rows, ...absent])}`;
}

function plotsOf(rounds: Rounds): readonly Plot[] {
  const bars = [...rounds]
    .filter(([name]) => name !== BARE)
    .map(([name, all]) => {
      const { min, median, max } = spreadOf(all.map(({ many }) => many.rate));
      return { name, value: median, from: min, to: max, isReference: !name.startsWith("served") };
    });
  const title = `Payments with receipts, ${CONNECTIONS} connections, real signatures`;
  return [
    {
      file: "served",
      alt: "payments per second of the served network and of the references",
      svg: barChart({ title, x: "payments per second (whiskers: least and most of the rounds)", bars }),
    },
  ];
}
