/**
 * Oracle of protocol 7.10: every receipt's fee follows the schedule of the epoch in which its slot was decided, mint
 * and burn are free, the pool is the sum of fees less what is owed and the shares, and the shares are exact. Slots that
 * a node applies before the closing of an epoch were decided in that epoch.
 */
import type { EpochParameters, FeeSchedule } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { nodeOracle, type Oracle, type ReportViolation } from "../fold.ts";
import { explainAmount, netAmounts, paidDebt } from "../history/balance-totals.ts";
import type { Chronicle } from "../history/chronicle.ts";
import { type Application, operationIn } from "../history/content.ts";
import type { Change, EventOf, RunSetting } from "../observation.ts";
import { feeEntry, feePayee, shareOf, skipFee } from "../reference/epoch.ts";
import { closingName, shortId, slotName, subjectName, tokenName } from "../text.ts";

/** Fees of one node in its current incarnation. */
interface FeeTotals {
  /** Of the node's epoch. */
  parameters: EpochParameters;
  /** Fees of its receipts that no closing has shared, by token. */
  readonly sums: Map<Address, bigint>;
}

interface DueFee {
  readonly fee: bigint;
  readonly token: Address | undefined;
  readonly why: string;
}

/** Checks receipts and pools of each honest node, slot by slot and epoch by epoch. */
export function fees(setting: RunSetting): Oracle {
  const start = (): FeeTotals => ({ parameters: setting.genesis, sums: new Map() });
  return nodeOracle("fees", start, { applied: checkFees, closed: checkPoolShares });
}

function checkFees(totals: FeeTotals, application: Application, { setting }: Chronicle, report: ReportViolation): void {
  const { parameters, sums } = totals;
  const paid = paidDebts(application.changes);
  for (const receipt of application.receipts) {
    report.judged();
    judgeReceipt(setting, parameters.fees, application, receipt, report);
    const { fee, feeToken } = receipt;
    const signed = operationIn(application.value, application.operations, receipt.id);
    const isPooled = signed === undefined || feePayee(signed.operation, setting.genesis) === undefined;
    if (fee !== 0n && feeToken !== undefined && isPooled) paid.set(feeToken, (paid.get(feeToken) ?? 0n) + fee);
  }
  for (const [token, fee] of paid) sums.set(token, (sums.get(token) ?? 0n) + fee);
  for (const change of application.changes) {
    if (change.of !== "pool") continue;
    paid.delete(change.token);
    const sum = sums.get(change.token) ?? 0n;
    if (change.after !== sum) {
      report(
        `${poolText(setting, application, change.token)} is ${change.after}, the fees that were paid sum to ${sum}`,
      );
    }
  }
  for (const [token, fee] of paid)
    if (fee !== 0n) report(`${poolText(setting, application, token)} did not change, though a fee was paid`);
}

/** Returns what balances pay of the fees that they owed, by token; below zero where they owe more than before. */
function paidDebts(changes: readonly Change[]): Map<Address, bigint> {
  const paid = new Map<Address, bigint>();
  for (const change of changes) {
    const part = paidDebt(change);
    if (part !== 0n && change.of === "balance") paid.set(change.token, (paid.get(change.token) ?? 0n) + part);
  }
  return paid;
}

/** End of an epoch: equal shares of each pool for its validators' reward accounts; the remainder stays. */
function checkPoolShares(
  till: FeeTotals,
  closed: EventOf<"closed">,
  { setting }: Chronicle,
  report: ReportViolation,
): void {
  const { sums } = till;
  const { validators } = till.parameters;
  const amounts = netAmounts(closed.changes);
  for (const [token, pool] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = shareOf(pool, validators);
    const rest = pool - share * BigInt(validators.length);
    sums.set(token, rest);
    if (share === 0n) continue;
    explainAmount(amounts, "pool", token, undefined, rest - pool);
    for (const { reward } of validators) explainAmount(amounts, "balance", token, reward, share);
  }
  // A reward account that owes a fee pays it from its share.
  for (const [token, part] of paidDebts(closed.changes)) {
    sums.set(token, (sums.get(token) ?? 0n) + part);
    explainAmount(amounts, "pool", token, undefined, part);
  }
  for (const amount of amounts) {
    if (amount.is === amount.owed) continue;
    report(
      `at ${closed.node} ${closingName(closed.value.epoch)} changed ${subjectName(setting.genesis, amount)} by ${amount.is}, ` +
        `but equal shares for ${validators.length} validators make it ${amount.owed}`,
    );
  }
  till.parameters = closed.value.next;
}

function poolText(setting: RunSetting, application: Application, token: Address): string {
  return `at ${application.node} after ${slotName(application.slot)} the fee pool of ${tokenName(setting.genesis, token)}`;
}

function judgeReceipt(
  setting: RunSetting,
  schedule: FeeSchedule,
  application: Application,
  receipt: Receipt,
  report: ReportViolation,
): void {
  const due = dueFee(schedule, application, receipt);
  if (due === undefined) return;
  const rightToken = due.fee === 0n || due.token === receipt.feeToken;
  if (receipt.fee === due.fee && rightToken) return;
  const paid = receipt.feeToken === undefined ? "" : ` ${tokenName(setting.genesis, receipt.feeToken)}`;
  const owed = due.token === undefined ? "" : ` ${tokenName(setting.genesis, due.token)}`;
  report(
    `at ${application.node} ${shortId(receipt.id)} paid ${receipt.fee}${paid} in ${slotName(application.slot)}, where ${due.why} costs ` +
      `${due.fee}${owed}`,
  );
}

function dueFee(schedule: FeeSchedule, application: Application, receipt: Receipt): DueFee | undefined {
  const { value } = application;
  if (value.type === "skip") {
    return { fee: skipFee(schedule, value), token: value.feeToken, why: `a skip by ${value.by}` };
  }
  const signed = operationIn(value, application.operations, receipt.id);
  if (signed === undefined) return undefined;
  const { operation } = signed;
  switch (operation.kind) {
    case "payment":
    case "batch":
      return { fee: feeEntry(schedule, operation.token).payment, token: operation.token, why: `a ${operation.kind}` };
    case "bridgeBurn":
      return { fee: operation.escrowFee, token: operation.token, why: "a burn and bridge with this escrow fee" };
    case "cancellation":
      return undefined;
    default:
      return { fee: 0n, token: undefined, why: `an operation of kind ${operation.kind}` };
  }
}
