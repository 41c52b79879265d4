/** Reader of `--fees`: one amount for payments, or all three; rows for every token of the genesis. */
import { err, ok, type Result } from "../../core/base/result.ts";
import { decimalText, parseDecimal } from "../../scenario/decimal.ts";
import type { FeeRowSpec } from "../../scenario/scenario.ts";
import { quoted, readDecimal } from "./read-values.ts";

/** Decimals of the tokens, by symbol. */
export type DecimalsBySymbol = Readonly<Record<string, number>>;

const KEYS = ["payment", "cancellation", "recovery"] as const;

/** Returns the fees in the units of each token, or an error for the first token whose decimals they exceed. */
export function readFees(from: string, tokens: DecimalsBySymbol): Result<Readonly<Record<string, FeeRowSpec>>, string> {
  const amounts = from.includes("=") ? readRow(from) : readDecimal("fees", from);
  if (!amounts.ok) return amounts;
  const rows: Record<string, FeeRowSpec> = {};
  for (const [symbol, decimals] of Object.entries(tokens)) {
    const row = typeof amounts.value === "string" ? rowFrom(amounts.value, decimals) : amounts.value;
    const fault = typeof row === "string" ? row : rowFault(row, decimals);
    if (fault !== undefined) return err(`--fees: ${symbol}: ${fault}`);
    rows[symbol] = row as FeeRowSpec;
  }
  return ok(rows);
}

/** Default fees: `payment`, or the smallest unit if that is more; the others are twice as much. */
export function usualFees(payment: string, tokens: DecimalsBySymbol): Readonly<Record<string, FeeRowSpec>> {
  return Object.fromEntries(
    Object.entries(tokens).map(([symbol, decimals]) => {
      const fits = parseDecimal(payment, decimals);
      return [symbol, rowOf(typeof fits === "string" ? 1n : fits, decimals)];
    }),
  );
}

/** Returns the row, or the error in the amount. */
function rowFrom(payment: string, decimals: number): FeeRowSpec | string {
  const amount = parseDecimal(payment, decimals);
  return typeof amount === "string" ? `${amount}: it has ${decimals} decimals` : rowOf(amount, decimals);
}

/** Cancellation and recovery cost twice a payment, or the smallest unit if payments are free. */
function rowOf(payment: bigint, decimals: number): FeeRowSpec {
  const others = decimalText(payment === 0n ? 1n : payment + payment, decimals);
  return { payment: decimalText(payment, decimals), cancellation: others, recovery: others };
}

function readRow(from: string): Result<FeeRowSpec, string> {
  const row: Partial<Record<(typeof KEYS)[number], string>> = {};
  for (const part of from.split(",")) {
    const [name = "", amount = ""] = part.split("=", 2);
    const key = KEYS.find((one) => one === name.trim());
    if (key === undefined) return err(`--fees: expected ${KEYS.join(", ")}, got ${quoted(name)}`);
    if (row[key] !== undefined) return err(`--fees: ${key} is named twice`);
    const read = readDecimal(`fees: ${key}`, amount.trim());
    if (!read.ok) return read;
    row[key] = read.value;
  }
  const { payment, cancellation, recovery } = row;
  if (payment !== undefined && cancellation !== undefined && recovery !== undefined)
    return ok({ payment, cancellation, recovery });
  return err(`--fees: expected payment=…,cancellation=…,recovery=…, or one amount; got ${quoted(from)}`);
}

function rowFault(row: FeeRowSpec, decimals: number): string | undefined {
  const amounts: bigint[] = [];
  for (const key of KEYS) {
    const amount = parseDecimal(row[key], decimals);
    if (typeof amount === "string") return `${key}: ${amount}: it has ${decimals} decimals`;
    amounts.push(amount);
  }
  const [payment = 0n, ...others] = amounts;
  if (others.every((amount) => amount > payment)) return undefined;
  return `cancellation and recovery must cost more than a payment, ${row.payment}`;
}
