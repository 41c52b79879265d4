/**
 * Oracle of protocol 7.3: money is conserved at every honest node, and receipts explain every change of a balance. At
 * the end of an epoch the withdrawals from pools explain the credits (`fees` checks the shares).
 */
import { openingSums } from "../../core/base/fillers.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { nodeOracle, type Oracle, type ReportViolation } from "../fold.ts";
import { type Amounts, explainAmount, netAmounts } from "../history/balance-totals.ts";
import type { Chronicle } from "../history/chronicle.ts";
import { type Application, operationIn } from "../history/content.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import { feePayee } from "../reference/epoch.ts";
import { debitedAccount } from "../reference/operation-meaning.ts";
import { closingName, slotName, subjectName, tokenName } from "../text.ts";

type StateDifference = Pick<Application, "changes">;

/** Sums of one token at one node. `minted` and `burned` count from genesis on, `minted` by receipts. */
interface Sums {
  /** Balances at the genesis. */
  readonly opening: bigint;
  readonly balances: bigint;
  readonly pool: bigint;
  readonly minted: bigint;
  readonly burned: bigint;
  /** Excess of the node's own minted counter over `minted` when first seen. */
  readonly base: bigint | undefined;
  /** Missing amount, or surplus if negative. Reported once, when it changes. */
  readonly gap: bigint;
}

/** Sums of amounts by token. */
type TokenSums = Map<Address, Sums>;

/** Keeps running sums of applied changes, and explains each change from receipts. */
export function conservation(setting: RunSetting): Oracle {
  const opening = [...openingSums(setting.genesis)];
  const genesis: TokenSums = new Map(opening.map(([token, sum]) => [token, { ...NONE, opening: sum, balances: sum }]));
  const start = (): TokenSums => new Map(genesis);
  return nodeOracle("conservation", start, { applied: checkTokenSums, closed: checkSharing });
}

const NONE: Sums = { opening: 0n, balances: 0n, pool: 0n, minted: 0n, burned: 0n, base: undefined, gap: 0n };

function checkTokenSums(
  sums: TokenSums,
  application: Application,
  { setting }: Chronicle,
  report: ReportViolation,
): void {
  const amounts = netAmounts(application.changes);
  const minted = explainAmounts(amounts, application, setting);
  const place = (): string => `at ${application.node} after ${slotName(application.slot)}`;
  for (const amount of amounts) {
    if (amount.is === amount.owed) continue;
    report(
      `${place()} ${subjectName(setting.genesis, amount)} changed by ${amount.is}, but the receipts explain ${amount.owed}`,
    );
  }
  for (const token of touchedTokens(minted, application)) {
    const before = sums.get(token) ?? NONE;
    const counted = mintedCounter(application, token);
    const next = nextSums(before, token, amounts, minted.get(token) ?? 0n, counted);
    sums.set(token, next);
    report.judged();
    if (next.gap !== before.gap && next.gap !== 0n) {
      report(
        `${place()} ${tokenName(setting.genesis, token)} is not conserved: balances ${next.balances} + ` +
          `pool ${next.pool} = ${next.balances + next.pool}, but genesis ${next.opening} + minted ${next.minted} - ` +
          `burned ${next.burned} = ${next.opening + next.minted - next.burned}`,
      );
    }
    // The node's own minted counter starts at 0 or at the genesis balances, and follows the receipts.
    const base = next.base ?? 0n;
    if (counted === undefined || (counted - next.minted === base && (base === 0n || base === next.opening))) continue;
    report(
      `${place()} ${tokenName(setting.genesis, token)} shows ${counted} minted, but the receipts explain ${next.minted}`,
    );
  }
}

/** A closing moves money from a pool to balances, all of it. */
function checkSharing(
  sums: TokenSums,
  closed: EventOf<"closed">,
  { setting }: Chronicle,
  report: ReportViolation,
): void {
  const amounts = netAmounts(closed.changes);
  const place = `at ${closed.node} ${closingName(closed.value.epoch)}`;
  for (const amount of amounts) {
    const { of, is } = amount;
    if (of === "balance" ? is >= 0n : of === "pool" && is <= 0n) continue;
    report(`${place} changed ${subjectName(setting.genesis, amount)} by ${is}: a closing only distributes the pools`);
  }
  for (const token of new Set(closed.changes.flatMap((change) => ("token" in change ? change.token : [])))) {
    const before = sums.get(token) ?? NONE;
    const next = nextSums(before, token, amounts, 0n, mintedCounter(closed, token));
    sums.set(token, next);
    if (next.gap === before.gap) continue;
    const taken = before.pool - next.pool;
    report(
      `${place} took ${taken} from the fee pool of ${tokenName(setting.genesis, token)}, but credited ` +
        `${next.balances - before.balances}`,
    );
  }
}

function mintedCounter(difference: StateDifference, token: Address): bigint | undefined {
  let mintedAfter: bigint | undefined;
  for (const change of difference.changes)
    if (change.of === "token" && change.token === token) mintedAfter = change.after.minted;
  return mintedAfter;
}

function nextSums(
  { opening, balances, pool, burned, minted: mintedBefore, base: baseBefore }: Sums,
  token: Address,
  amounts: Amounts,
  mintedNow: bigint,
  counted: bigint | undefined,
): Sums {
  const after = { balances, pool, burned };
  for (const amount of amounts) {
    if (amount.token !== token) continue;
    if (amount.of === "balance") after.balances += amount.is - amount.paid;
    else after[amount.of] += amount.is;
  }
  const minted = mintedBefore + mintedNow;
  const base = baseBefore ?? (counted === undefined ? undefined : counted - minted);
  const gap = opening + minted - after.burned - after.balances - after.pool;
  return { opening, balances: after.balances, pool: after.pool, minted, burned: after.burned, base, gap };
}

function touchedTokens(minted: MintedAmounts, application: Application): readonly Address[] {
  const tokens = [...minted.keys()];
  for (const change of application.changes)
    if ("token" in change && !tokens.includes(change.token)) tokens.push(change.token);
  return tokens;
}

type MintedAmounts = ReadonlyMap<Address, bigint>;

/** Adds what the receipts explain to the amounts that changed; returns what they mint, by token. */
function explainAmounts(amounts: Amounts, application: Application, { genesis }: RunSetting): MintedAmounts {
  const minted = new Map<Address, bigint>();
  for (const { token, paid } of [...amounts]) if (paid !== 0n) explainAmount(amounts, "pool", token, undefined, paid);
  for (const receipt of application.receipts) {
    const signed = operationIn(application.value, application.operations, receipt.id);
    const payer = application.slot.kind === "account" ? application.slot.address : signed?.sender;
    explainFee(amounts, receipt, payer, signed && feePayee(signed.operation, genesis));
    if (receipt.success && signed !== undefined) explainEffect(amounts, application, signed, minted);
  }
  return minted;
}

function explainFee(amounts: Amounts, receipt: Receipt, payer: Address | undefined, payee: Address | undefined): void {
  const { fee, feeToken } = receipt;
  if (fee === 0n || feeToken === undefined || payer === undefined) return;
  explainAmount(amounts, "balance", feeToken, payer, -fee);
  if (payee === undefined) explainAmount(amounts, "pool", feeToken, undefined, fee);
  else explainAmount(amounts, "balance", feeToken, payee, fee);
}

function explainEffect(
  amounts: Amounts,
  application: Application,
  { operation, sender }: Application["operations"][number],
  minted: Map<Address, bigint>,
): void {
  switch (operation.kind) {
    case "payment":
      explainAmount(amounts, "balance", operation.token, sender, -operation.value);
      explainAmount(amounts, "balance", operation.token, operation.recipient, operation.value);
      return;
    case "batch":
      for (const { recipient, amount } of operation.legs) {
        explainAmount(amounts, "balance", operation.token, sender, -amount);
        explainAmount(amounts, "balance", operation.token, recipient, amount);
      }
      return;
    case "bridgeBurn":
      // The escrow fee is the receipt's fee.
      explainAmount(amounts, "balance", operation.token, sender, -operation.value);
      explainAmount(amounts, "burned", operation.token, undefined, operation.value);
      return;
    case "bridgeMint":
    case "mint":
      explainAmount(amounts, "balance", operation.token, operation.recipient, operation.value);
      minted.set(operation.token, (minted.get(operation.token) ?? 0n) + operation.value);
      return;
    case "burn":
    case "clawback": {
      // A forced debit takes effect in the debited account's slot, and only with outcome `burned` (protocol 5).
      const debited = debitedAccount(operation, sender);
      if (debited !== sender && application.value.type !== "burn") return;
      explainAmount(amounts, "balance", operation.token, debited, -operation.value);
      if (operation.kind === "burn") explainAmount(amounts, "burned", operation.token, undefined, operation.value);
      else explainAmount(amounts, "balance", operation.token, operation.recipient, operation.value);
      return;
    }
    default:
      // No other kind moves an amount.
      return;
  }
}
