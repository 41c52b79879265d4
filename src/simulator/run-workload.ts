/** Workloads: orders for correct clients, each drawn by its number. */

import { toAmount } from "../core/base/amount.ts";
import { present, unreachable } from "../core/base/assert.ts";
import type { Address } from "../core/base/ids.ts";
import type { ClientName } from "../core/validator/message.ts";
import type { Engine, RunningWorkload } from "./engine.ts";
import type { Draft, MixEntry, WorkloadPlan } from "./plan.ts";
import { order } from "./run-client.ts";

/** Begins a workload; its first order is due after one interval. @throws RangeError for a used name or an empty mix. */
export function beginWorkload(engine: Engine, plan: WorkloadPlan): void {
  if (engine.workloads.some((one) => one.plan.name === plan.name)) {
    throw new RangeError(`workload: "${plan.name}" is there already`);
  }
  if (plan.mix.length === 0 || plan.clients.length === 0) throw new RangeError("workload: expected a mix and clients");
  const accounts = plan.clients.flatMap((one) => one.accounts.map((account) => ({ client: one.client, account })));
  engine.workloads = [...engine.workloads, { plan, accounts, placed: 0 }];
  scheduleOrder(engine, plan, 1);
}

/** Places an order and schedules the next one. */
export function placeOrder(engine: Engine, name: string, number: number): void {
  const workload = present(
    engine.workloads.find((one) => one.plan.name === name),
    `workload ${name}`,
  );
  const { plan } = workload;
  engine.workloads = engine.workloads.map((one) => (one === workload ? { ...one, placed: number } : one));
  const draw = (what: string, bound: number): number =>
    engine.choices.choose(engine.choices.stream(`workload ${name} ${what}`), number, bound);
  const [client, account, draft] = draftOf(workload, entryOf(plan, draw), draw);
  const owner = engine.client(client);
  if (owner === undefined) throw new RangeError(`workload: "${client}" is no client`);
  order(engine, owner, account, draft);
  scheduleOrder(engine, plan, number + 1);
}

type Draw = (what: string, bound: number) => number;

function scheduleOrder(engine: Engine, plan: WorkloadPlan, number: number): void {
  if (number > plan.count) return;
  const stream = engine.choices.stream(`workload ${plan.name} interval`);
  const interval = engine.choices.within(stream, number, plan.intervalMs);
  engine.schedule(engine.now + interval, { type: "order", workload: plan.name, number });
}

function entryOf(plan: WorkloadPlan, draw: Draw): MixEntry {
  const total = plan.mix.reduce((sum, { weight }) => sum + weight, 0);
  let left = draw("kind", total);
  for (const entry of plan.mix) {
    left -= entry.weight;
    if (left < 0) return entry;
  }
  throw new RangeError(`workload: weights must be positive, got a sum of ${total}`);
}

function draftOf(workload: RunningWorkload, entry: MixEntry, draw: Draw): readonly [ClientName, Address, Draft] {
  const { plan, accounts } = workload;
  switch (entry.kind) {
    case "payment": {
      const payer = present(accounts[draw("payer", accounts.length)], "payer");
      const recipient = payeeOf(workload, payer.account, draw);
      const value = toAmount(BigInt(entry.value.from + draw("value", entry.value.to - entry.value.from + 1)));
      const { chainId } = plan;
      const draft = { kind: "payment", layout: "client", chainId, token: entry.token, recipient, value } as const;
      return [payer.client, payer.account, draft];
    }
    case "fixed": {
      const owner = plan.clients.find(({ accounts }) => accounts.includes(entry.account));
      if (owner === undefined) throw new RangeError(`workload: no client has the account ${entry.account}`);
      return [owner.client, entry.account, entry.draft];
    }
    default:
      return unreachable(entry);
  }
}

/** Anybody but the payer, where there is anybody else. */
function payeeOf({ plan, accounts }: RunningWorkload, payer: Address, draw: Draw): Address {
  const { recipients } = plan;
  const count = recipients?.length ?? accounts.length;
  const first = draw("payee", count);
  const at = (index: number): Address | undefined => recipients?.[index] ?? accounts[index]?.account;
  const drawn = present(at(first), "payee");
  return drawn === payer ? present(at((first + 1) % count), "payee") : drawn;
}
