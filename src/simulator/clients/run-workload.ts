/** Workloads: orders for correct clients, each drawn by its number. */

import { type Amount, toAmount } from "../../core/base/amount.ts";
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import type { ClientName } from "../../core/validator/message.ts";
import type { Engine, RunningWorkload } from "../engine.ts";
import type { AmountRange, MixEntry, OperationDraft, WorkloadPlan } from "../plan.ts";
import { DRAW_MAX } from "../random.ts";
import type { Client, OpenSubmission } from "./client.ts";
import { cancelOperation, orderOperation } from "./run-client.ts";

/** Begins a workload; its first order is due after one interval. @throws RangeError for a used name or an empty mix. */
export function beginWorkload(engine: Engine, plan: WorkloadPlan): void {
  if (engine.workloads.some((workload) => workload.plan.name === plan.name)) {
    throw new RangeError(`workload: "${plan.name}" exists already`);
  }
  if (plan.mix.length === 0 || plan.clients.length === 0) throw new RangeError("workload: expected a mix and clients");
  const accounts = plan.clients.flatMap((client) =>
    client.accounts.map((account) => ({ client: client.client, account })),
  );
  engine.workloads = [...engine.workloads, { plan, accounts }];
  scheduleOrder(engine, plan, 1);
}

/** Submits an order and schedules the next one. */
export function submitOrder(engine: Engine, name: string, number: number): void {
  const workload = requireDefined(
    engine.workloads.find(({ plan }) => plan.name === name),
    `workload ${name}`,
  );
  const { plan } = workload;
  const draw = (label: string, bound: number): number =>
    engine.choices.choose(engine.choices.stream(`workload ${name} ${label}`), number, bound);
  placeOrder(engine, workload, number, draw);
  scheduleOrder(engine, plan, number + 1);
}

type DrawFunction = (label: string, bound: number) => number;

function scheduleOrder(engine: Engine, plan: WorkloadPlan, number: number): void {
  if (number > plan.count) return;
  const stream = engine.choices.stream(`workload ${plan.name} interval`);
  const interval = engine.choices.chooseInRange(stream, number, plan.intervalMs);
  engine.schedule(engine.now + interval, { type: "order", workload: plan.name, number });
}

function drawEntry(plan: WorkloadPlan, draw: DrawFunction): MixEntry {
  const total = plan.mix.reduce((sum, { weight }) => sum + weight, 0);
  let left = draw("kind", total);
  for (const entry of plan.mix) {
    left -= entry.weight;
    if (left < 0) return entry;
  }
  throw new RangeError(`workload: weights must be positive, got a sum of ${total}`);
}

function placeOrder(engine: Engine, workload: RunningWorkload, number: number, draw: DrawFunction): void {
  const entry = drawEntry(workload.plan, draw);
  switch (entry.kind) {
    case "payment": {
      const payer = requireDefined(workload.accounts[draw("payer", workload.accounts.length)], "payer");
      const recipient = payeeOf(workload, payer.account, draw);
      const { chainId } = workload.plan;
      const value = amountIn(entry.value, draw);
      const draft = { kind: "payment", layout: "client", chainId, token: entry.token, recipient, value } as const;
      orderOperation(engine, ownerOf(engine, payer.client), payer.account, draft);
      return;
    }
    case "cancellation":
      cancelOpenOperation(engine, workload, draw);
      return;
    case "drawn": {
      const draft = requireDefined(entry.drafts[draw("draft", entry.drafts.length)], "draft");
      const valued = entry.value === undefined ? draft : { ...draft, value: amountIn(entry.value, draw) };
      orderOperation(
        engine,
        ownerOf(engine, entry.client),
        entry.account,
        withNumber(valued as OperationDraft, number),
      );
      return;
    }
    default:
      unreachable(entry);
  }
}

function ownerOf(engine: Engine, name: ClientName): Client {
  const owner = engine.client(name);
  if (owner === undefined) throw new RangeError(`workload: "${name}" is not a client`);
  return owner;
}

/** An issue's symbol and a source transaction must be new. */
function withNumber(draft: OperationDraft, number: number): OperationDraft {
  if (draft.kind === "bridgeMint") return { ...draft, sourceTxHash: `${draft.sourceTxHash}${number}` };
  return draft.kind === "issue" ? { ...draft, symbol: `${draft.symbol}${number}` } : draft;
}

/** Returns one of evenly spaced values, both ends included, if the range exceeds a draw. */
function amountIn({ from, to }: AmountRange, draw: DrawFunction): Amount {
  const span = to - from;
  if (span < BigInt(DRAW_MAX)) return toAmount(from + BigInt(draw("value", Number(span) + 1)));
  return toAmount(from + (span * BigInt(draw("value", DRAW_MAX))) / BigInt(DRAW_MAX - 1));
}

/** Cancels an open operation of a client of the workload that is not cancelled yet. */
function cancelOpenOperation(engine: Engine, { plan, accounts }: RunningWorkload, draw: DrawFunction): void {
  const signers = plan.mix.flatMap((entry) => (entry.kind === "drawn" ? [entry.client] : []));
  const names = new Set([...accounts.map(({ client }) => client), ...signers]);
  const found = [...names].flatMap((name) => {
    const client = ownerOf(engine, name);
    const inOrder = [...client.open.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return inOrder.filter(isCancellable).map((open) => ({ client, open }));
  });
  if (found.length === 0) return;
  const { client, open } = requireDefined(found[draw("cancelled", found.length)], "open operation");
  cancelOperation(engine, client, requireDefined(open.account, "account"), open.nonce);
}

function isCancellable({ submission, cancellation }: OpenSubmission): boolean {
  return cancellation === undefined && !isRecovery(submission) && submission.operation.kind !== "cancellation";
}

/** Returns any account but the payer's, if there is one. */
function payeeOf({ plan, accounts }: RunningWorkload, payer: Address, draw: DrawFunction): Address {
  const { recipients } = plan;
  const count = recipients?.length ?? accounts.length;
  const first = draw("payee", count);
  const at = (index: number): Address | undefined => recipients?.[index] ?? accounts[index]?.account;
  const drawn = requireDefined(at(first), "payee");
  return drawn === payer ? requireDefined(at((first + 1) % count), "payee") : drawn;
}
