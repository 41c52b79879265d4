/** Cost of the interface: payments that are admitted under stand-in signatures, beside bare `node:http`. */
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { readyAccounts, TEST_MNEMONIC } from "../../src/server/setup/accounts.ts";
import { type Load, loadFor, warmedUp } from "../http/load.ts";
import { bareHttp, standInNetwork } from "../http/served.ts";
import type { Target as Network } from "../http/target.ts";
import { type Effort, interleaved, valuesOf } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, ratiosOf, spreadOf } from "../page/statistics.ts";
import type { Row } from "../page/table.ts";

const CONNECTIONS = 10;

export async function postFigures(effort: Effort): Promise<Section> {
  const accounts = readyAccounts(TEST_MNEMONIC, CONNECTIONS);
  const setup = { accounts, receipts: false };
  const networks: Network[] = [];
  try {
    networks.push(await standInNetwork(accounts), await bareHttp(accounts, keyedHash));
    const rates = new Map<string, number>();
    const targets = networks.map((network) => ({
      name: network.name,
      warmUp: async (ms: number) => void rates.set(network.name, (await warmedUp(network, setup, ms)).rate),
      measure: (ms: number) => loadFor(network, setup, ms, rates.get(network.name) ?? 1),
    }));
    const loads = await interleaved<Load>(targets, effort);
    const [served = [], bare = []] = networks.map(({ name }) => valuesOf(loads, name));
    return { title: "The interface", rows: rowsOf(served, bare) };
  } finally {
    for (const { child } of networks) child.stop();
  }
}

function rowsOf(served: readonly Load[], bare: readonly Load[]): readonly Row[] {
  const rate = ({ rate: own }: Load): number => own;
  const cpu = ({ cpu: own = Number.NaN }: Load): number => own;
  const middle = (all: readonly Load[], of: (load: Load) => number): string => digits(spreadOf(all.map(of)).median);
  const row = (figure: string, of: (load: Load) => number, ratios: readonly number[], unit: string): Row => ({
    figure,
    state: "warm",
    reference: "bare node:http",
    goal: { kind: "floor", value: 0.4 },
    here: spreadOf(ratios),
    absolute: `${middle(served, of)} : ${middle(bare, of)} ${unit}`,
  });
  const figure = `payments admitted per second (POST), stand-in signatures, ${CONNECTIONS} connections`;
  return [
    row(figure, rate, ratiosOf(served.map(rate), bare.map(rate)), "requests/s, the client's own cost in both"),
    // The other way round, so that more is better here too.
    row("the same per CPU second of the server", cpu, ratiosOf(bare.map(cpu), served.map(cpu)), "ms CPU each"),
  ];
}
