/**
 * Oracle of protocol 7.3: money is conserved at every honest node, and receipts explain every change of a balance. At
 * the end of an epoch the withdrawals from pools explain the credits (`fees` checks the shares).
 */
import type { Address } from "../../core/base/ids.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { Trie } from "../../core/base/trie.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import { type Application, operationsOf } from "../history/content.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import { closingName, slotName, tokenName } from "../text.ts";
import { addTo, type BalanceTotals, totalName, totalsMoved } from "./balance-totals.ts";

type StateDifference = Pick<Application, "changes">;

/** Sums of one token at one node. `minted` and `burned` count from genesis on, `minted` by receipts. */
interface Sums {
  readonly balances: bigint;
  readonly pool: bigint;
  readonly minted: bigint;
  readonly burned: bigint;
  /** Excess of the node's own minted counter over `minted` when first seen. */
  readonly base: bigint | undefined;
  /** Missing amount, or surplus if negative. Reported once, when it changes. */
  readonly gap: bigint;
}

/** By node, then by token; an absent node is at genesis. */
type State = Trie<Trie<Sums>>;

const START: State = Trie.empty();

/** Keeps running sums of applied changes, and explains each change from receipts. */
export function conservation(setting: RunSetting): Oracle {
  const start = genesisSums(setting);
  const eventTypes = ["applied", "closed", "crashed", "restarted"] as const;
  return oracle("conservation", eventTypes, START, (state, _seen, record, report) => {
    if (record.type === "crashed" || record.type === "restarted") return state.delete(record.node);
    if (!record.honest) return state;
    const old = state.get(record.node) ?? start;
    const next =
      record.type === "applied"
        ? judged(setting, start, old, record, report)
        : shared(setting, start, old, record, report);
    return state.set(record.node, next);
  });
}

function genesisSums(setting: RunSetting): Trie<Sums> {
  let sums = Trie.empty<Sums>();
  for (const { token, amount } of setting.genesis.balances) {
    const old = sums.get(token) ?? NONE;
    sums = sums.set(token, { ...old, balances: old.balances + amount });
  }
  return sums;
}

const NONE: Sums = { balances: 0n, pool: 0n, minted: 0n, burned: 0n, base: undefined, gap: 0n };

function judged(
  setting: RunSetting,
  start: Trie<Sums>,
  old: Trie<Sums>,
  one: Application,
  report: ReportViolation,
): Trie<Sums> {
  const real = totalsMoved(one.changes);
  const owed = explained(one);
  const unexplained = (key: string, is: bigint, should: bigint): void => {
    if (is === should) return;
    report(`${place()} ${totalName(setting.genesis, key)} changed by ${is}, but the receipts explain ${should}`, {
      where: one,
    });
  };
  const place = (): string => `at ${one.node} after ${slotName(one.slot)}`;
  for (const [key, is] of real) unexplained(key, is, owed.money.get(key) ?? 0n);
  for (const [key, should] of owed.money) if (!real.has(key)) unexplained(key, 0n, should);
  let sums = old;
  for (const token of touched(owed.minted, one)) {
    const genesis = start.get(token)?.balances ?? 0n;
    const before = sums.get(token) ?? NONE;
    const next = advanced(before, token, genesis, real, owed.minted.get(token) ?? 0n, one);
    sums = sums.set(token, next);
    const should = genesis + next.minted - next.burned;
    if (next.gap !== before.gap && next.gap !== 0n) {
      report(
        `${place()} ${tokenName(setting.genesis, token)} is not conserved: balances ${next.balances} + ` +
          `pool ${next.pool} = ${next.balances + next.pool}, but genesis ${genesis} + minted ${next.minted} - ` +
          `burned ${next.burned} = ${should}`,
        { where: one },
      );
    }
    counter(setting, next, token, genesis, one, report);
  }
  return sums;
}

/** A closing moves money from a pool to balances, all of it. */
function shared(
  setting: RunSetting,
  start: Trie<Sums>,
  old: Trie<Sums>,
  one: EventOf<"closed">,
  report: ReportViolation,
): Trie<Sums> {
  const real = totalsMoved(one.changes);
  const place = `at ${one.node} ${closingName(one.value.epoch)}`;
  for (const [key, is] of real) {
    if (key.startsWith("balance/") ? is >= 0n : key.startsWith("pool/") && is <= 0n) continue;
    report(`${place} changed ${totalName(setting.genesis, key)} by ${is}: a closing only distributes the pools`);
  }
  let sums = old;
  for (const token of new Set(one.changes.flatMap((change) => ("token" in change ? change.token : [])))) {
    const genesis = start.get(token)?.balances ?? 0n;
    const before = sums.get(token) ?? NONE;
    const next = advanced(before, token, genesis, real, 0n, one);
    sums = sums.set(token, next);
    if (next.gap === before.gap) continue;
    const taken = before.pool - next.pool;
    report(
      `${place} took ${taken} from the fee pool of ${tokenName(setting.genesis, token)}, but credited ` +
        `${next.balances - before.balances}`,
    );
  }
  return sums;
}

/** The node's own minted counter starts at 0 or at the genesis balances, and follows the receipts. */
function counter(
  setting: RunSetting,
  sums: Sums,
  token: Address,
  genesis: bigint,
  one: Application,
  report: ReportViolation,
): void {
  const mintedAfter = mintedCounter(one, token);
  if (mintedAfter === undefined) return;
  const base = sums.base ?? 0n;
  if (mintedAfter - sums.minted === base && (base === 0n || base === genesis)) return;
  report(
    `at ${one.node} after ${slotName(one.slot)} ${tokenName(setting.genesis, token)} shows ${mintedAfter} minted, ` +
      `but the receipts explain ${sums.minted}`,
    { where: one },
  );
}

function mintedCounter(one: StateDifference, token: Address): bigint | undefined {
  let mintedAfter: bigint | undefined;
  for (const change of one.changes)
    if (change.of === "token" && change.token === token) mintedAfter = change.after.minted;
  return mintedAfter;
}

function advanced(
  old: Sums,
  token: Address,
  genesis: bigint,
  real: BalanceTotals,
  mintedNow: bigint,
  one: StateDifference,
): Sums {
  let { balances } = old;
  for (const change of one.changes) {
    if (change.of === "balance" && change.token === token) balances += change.after - change.before;
  }
  const pool = old.pool + (real.get(`pool/${token}`) ?? 0n);
  const burned = old.burned + (real.get(`burned/${token}`) ?? 0n);
  const minted = old.minted + mintedNow;
  const mintedAfter = mintedCounter(one, token);
  const base = old.base ?? (mintedAfter === undefined ? undefined : mintedAfter - minted);
  return { balances, pool, minted, burned, base, gap: genesis + minted - burned - balances - pool };
}

function touched(minted: ReadonlyMap<Address, bigint>, one: Application): Set<Address> {
  const tokens = new Set<Address>(minted.keys());
  for (const change of one.changes) if ("token" in change) tokens.add(change.token);
  return tokens;
}

interface Explanation {
  readonly money: BalanceTotals;
  readonly minted: Map<Address, bigint>;
}

function explained(one: Application): Explanation {
  const explanation: Explanation = { money: new Map(), minted: new Map() };
  const operations = new Map(operationsOf(one.value, one.operations).map(({ id, signed }) => [id, signed]));
  for (const receipt of one.receipts) {
    const signed = operations.get(receipt.id);
    feePaid(explanation, receipt, one.slot.kind === "account" ? one.slot.address : signed?.sender);
    if (receipt.success && signed !== undefined) effect(explanation, one, signed);
  }
  return explanation;
}

function feePaid(explanation: Explanation, receipt: Receipt, payer: Address | undefined): void {
  if (receipt.fee === 0n || receipt.feeToken === undefined || payer === undefined) return;
  addTo(explanation.money, `balance/${receipt.feeToken}/${payer}`, -receipt.fee);
  addTo(explanation.money, `pool/${receipt.feeToken}`, receipt.fee);
}

function effect(explanation: Explanation, one: Application, signed: Application["operations"][number]): void {
  const { operation, sender } = signed;
  switch (operation.kind) {
    case "payment":
      addTo(explanation.money, `balance/${operation.token}/${sender}`, -operation.value);
      addTo(explanation.money, `balance/${operation.token}/${operation.recipient}`, operation.value);
      return;
    case "mint":
      addTo(explanation.money, `balance/${operation.token}/${operation.recipient}`, operation.value);
      explanation.minted.set(operation.token, (explanation.minted.get(operation.token) ?? 0n) + operation.value);
      return;
    case "burn": {
      // A forced burn takes effect in the debited account's slot, and only with outcome `burned` (protocol 5).
      const debited = operation.recipient ?? sender;
      if (debited !== sender && one.value.type !== "burn") return;
      addTo(explanation.money, `balance/${operation.token}/${debited}`, -operation.value);
      addTo(explanation.money, `burned/${operation.token}`, operation.value);
      return;
    }
    default:
      // No other kind moves an amount.
      return;
  }
}
