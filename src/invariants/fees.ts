/**
 * Design 7.10: every receipt's fee is the schedule's, mint and burn are free, the pool is the sum of fees. That a
 * skip's step is the highest that the payer's balance covered is judged where the balance is known: at each honest
 * vote, by `validity`. By the time a node applies the skip, credits may have made a higher one affordable.
 */
import { unreachable } from "../core/base/assert.ts";
import type { Address } from "../core/base/ids.ts";
import type { Receipt } from "../core/base/receipt.ts";
import { Trie } from "../core/base/trie.ts";
import { type Application, carried } from "./application.ts";
import { type Oracle, oracle, type Report } from "./fold.ts";
import type { Setting } from "./observation.ts";
import { feeEntry, skipFee } from "./reference/fees.ts";
import { short, slotName, tokenName } from "./words.ts";

/** Sum of the fees that a node's receipts show in its present life, by node and token. */
type State = Trie<Trie<bigint>>;

const START: State = Trie.empty();

interface Due {
  readonly fee: bigint;
  readonly token: Address | undefined;
  readonly why: string;
}

/** Judges receipts and pools of each honest node, slot by slot. */
export function fees(setting: Setting): Oracle {
  return oracle("fees", ["applied", "crashed", "restarted"], START, (state, _seen, record, report) => {
    if (record.type !== "applied") return state.delete(record.node);
    if (!record.honest) return state;
    return state.set(record.node, judged(setting, state.get(record.node) ?? Trie.empty(), record, report));
  });
}

function judged(setting: Setting, old: Trie<bigint>, one: Application, report: Report): Trie<bigint> {
  let sums = old;
  const paid = new Set<Address>();
  for (const receipt of one.receipts) {
    judgeReceipt(setting, one, receipt, report);
    if (receipt.fee === 0n || receipt.feeToken === undefined) continue;
    sums = sums.set(receipt.feeToken, (sums.get(receipt.feeToken) ?? 0n) + receipt.fee);
    paid.add(receipt.feeToken);
  }
  for (const change of one.changes) {
    if (change.of !== "pool") continue;
    paid.delete(change.token);
    const sum = sums.get(change.token) ?? 0n;
    if (change.after !== sum) {
      report(`${start(setting, one, change.token)} is ${change.after}, the receipts' fees sum to ${sum}`, {
        where: one,
      });
    }
  }
  for (const token of paid)
    report(`${start(setting, one, token)} did not change, though a fee was paid`, { where: one });
  return sums;
}

function start(setting: Setting, one: Application, token: Address): string {
  return `at ${one.node} after ${slotName(one.slot)} the fee pool of ${tokenName(setting.genesis, token)}`;
}

function judgeReceipt(setting: Setting, one: Application, receipt: Receipt, report: Report): void {
  const due = feeDue(setting, one, receipt);
  if (due === undefined) return;
  const rightToken = due.fee === 0n || due.token === receipt.feeToken;
  if (receipt.fee === due.fee && rightToken) return;
  const paid = receipt.feeToken === undefined ? "" : ` ${tokenName(setting.genesis, receipt.feeToken)}`;
  const owed = due.token === undefined ? "" : ` ${tokenName(setting.genesis, due.token)}`;
  report(
    `at ${one.node} ${short(receipt.id)} paid ${receipt.fee}${paid} in ${slotName(one.slot)}, where ${due.why} costs ` +
      `${due.fee}${owed}`,
    { where: one },
  );
}

function feeDue(setting: Setting, one: Application, receipt: Receipt): Due | undefined {
  const { value } = one;
  const schedule = setting.genesis.fees;
  if (value.type === "skip") {
    const fee = skipFee(schedule, value, value.feeStep);
    return { fee, token: value.feeToken, why: `a skip by ${value.by} at the ${value.feeStep} step` };
  }
  const signed = carried(value, one.operations).find(({ id }) => id === receipt.id)?.signed;
  if (signed === undefined) return undefined;
  const { operation } = signed;
  switch (operation.kind) {
    case "payment":
      return { fee: feeEntry(schedule, operation.token).payment, token: operation.token, why: "a payment" };
    case "mint":
    case "burn":
    case "issue":
    case "metadata":
    case "list":
    case "authority":
    case "pause":
      return { fee: 0n, token: undefined, why: `an operation of kind ${operation.kind}` };
    case "cancellation":
      return undefined;
    default:
      return unreachable(operation);
  }
}
