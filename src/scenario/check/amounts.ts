/** Checks of amounts: at most the decimals of their token, at most 2^256 - 1. */
import { definedMembers } from "../../core/base/defined-members.ts";
import type { Path, ScenarioIssue } from "../../schema/problem.ts";
import { parseDecimal } from "../decimal.ts";
import { amountsIn, endsOf, tokenIn } from "../members.ts";
import { type Declarations, isAddress } from "../names.ts";
import type { Scenario } from "../scenario.ts";
import type { FeeRowSpec, FeesSpec } from "../schema/epoch.ts";
import type { Decimal } from "../schema/scalars.ts";
import type { SubmitSpec } from "../schema/submit.ts";
import type { MixEntrySpec } from "../schema/workload.ts";

type FoundAmount = Readonly<{ path: Path; token: string | undefined; text: Decimal }>;

type AmountTable = Readonly<Record<string, Decimal>>;

/** The issues of all amounts in a file. */
export function checkAmounts(scenario: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  return [
    ...genesisAmounts(scenario, declared),
    ...stepAmounts(scenario, declared),
    ...expectedAmounts(scenario),
  ].flatMap(({ path, token, text }) => {
    const decimals = decimalsOf(declared, token);
    if (decimals === undefined) return [];
    const amount = parseDecimal(text, decimals);
    if (typeof amount !== "string") return [];
    return [{ path, message: `${amount}: ${token ?? "it"} has ${decimals} decimals; got "${text}"` }];
  });
}

/** The issues of fees by which a cancellation or a recovery is no more expensive than a payment (specification 7.1). */
export function checkFees(scenario: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  const schedules: readonly (readonly [Path, FeesSpec | undefined])[] = [
    [["genesis", "fees"], scenario.genesis?.fees],
    ...(scenario.steps ?? []).map(({ govern }, index) => [["steps", index, "govern", "fees"], govern?.fees] as const),
  ];
  return schedules.flatMap(([path, fees]) =>
    feeRows(fees, path, declared).flatMap(([at, row, token]) => rowIssues(at, row, token, declared)),
  );
}

function rowIssues(path: Path, row: FeeRowSpec, token: string, declared: Declarations): readonly ScenarioIssue[] {
  const amountOf = (text: Decimal) => parseDecimal(text, decimalsOf(declared, token) ?? 0);
  const payment = amountOf(row.payment);
  return (["cancellation", "recovery"] as const).flatMap((member): readonly ScenarioIssue[] => {
    const amount = amountOf(row[member]);
    if (typeof payment === "string" || typeof amount === "string" || amount > payment) return [];
    const message = `${token}: ${member}: expected more than the fee of a payment, "${row.payment}"; got "${row[member]}"`;
    return [{ path: [...path, member], message }];
  });
}

/** Amounts of an undeclared token address are in its smallest unit. */
function decimalsOf(declared: Declarations, token: string | undefined): number | undefined {
  if (token === undefined) return undefined;
  return isAddress(token) ? 0 : declared.tokens.get(token)?.decimals;
}

function genesisAmounts({ genesis }: Scenario, declared: Declarations): readonly FoundAmount[] {
  return [
    ...balanceAmounts(genesis?.balances, ["genesis", "balances"]),
    ...tableAmounts(genesis?.filler_accounts?.balances, ["genesis", "filler_accounts", "balances"]),
    ...Object.entries(genesis?.tokens ?? {}).flatMap(([token, { allowances }]) =>
      tableAmounts(allowances, ["genesis", "tokens", token, "allowances"], token),
    ),
    ...feeAmounts(genesis?.fees, ["genesis", "fees"], declared),
  ];
}

/** The amounts of a table, whose keys are tokens unless a token is named. */
function tableAmounts(table: AmountTable | undefined, path: Path, token?: string): readonly FoundAmount[] {
  return Object.entries(table ?? {}).map(([key, text]) => ({ path: [...path, key], token: token ?? key, text }));
}

function balanceAmounts(
  balances: Readonly<Record<string, AmountTable>> | undefined,
  path: Path,
): readonly FoundAmount[] {
  return Object.entries(balances ?? {}).flatMap(([account, tokens]) => tableAmounts(tokens, [...path, account]));
}

function feeAmounts(fees: FeesSpec | undefined, path: Path, declared: Declarations): readonly FoundAmount[] {
  return feeRows(fees, path, declared).flatMap(([at, { payment, cancellation, recovery }, token]) =>
    tableAmounts({ payment, cancellation, recovery }, at, token),
  );
}

/** Fees by the token whose decimals they must fit: one row may be that of several tokens. */
function feeRows(
  fees: FeesSpec | undefined,
  path: Path,
  declared: Declarations,
): readonly (readonly [path: Path, row: FeeRowSpec, token: string])[] {
  if (fees === undefined) return [];
  const { unnamed } = fees;
  const own = fees.tokens ?? {};
  const others = [...declared.tokens.keys()].filter((token) => own[token] === undefined);
  return [
    ...others.map((token) => [path, fees, token] as const),
    // Amounts of a token without a name are in its smallest unit.
    ...(unnamed === undefined ? [] : [[[...path, "unnamed"], unnamed, "0x"] as const]),
    ...Object.entries(own).map(([token, row]) => [[...path, "tokens", token], row, token] as const),
  ];
}

function stepAmounts({ steps }: Scenario, declared: Declarations): readonly FoundAmount[] {
  return (steps ?? []).flatMap(({ submit, workload, govern }, index) => {
    const path = ["steps", index];
    const submitted = submit === undefined ? [] : partAmounts(submit, [...path, "submit"]);
    const ordered = (workload?.mix ?? []).flatMap((part, at) => partAmounts(part, [...path, "workload", "mix", at]));
    return [...submitted, ...ordered, ...feeAmounts(govern?.fees, [...path, "govern", "fees"], declared)];
  });
}

function partAmounts(part: SubmitSpec | MixEntrySpec, path: Path): readonly FoundAmount[] {
  const token = tokenIn(part)?.name;
  return amountsIn(part).flatMap((member) =>
    [...new Set(endsOf(member.text))].map((text) => ({ path: [...path, ...member.path], token, text })),
  );
}

function expectedAmounts({ expect }: Scenario): readonly FoundAmount[] {
  return (expect ?? []).flatMap(({ balance, pool, token: tokens }, index) => {
    const path = ["expect", index];
    return [
      ...balanceAmounts(balance, [...path, "balance"]),
      ...tableAmounts(pool, [...path, "pool"]),
      ...Object.entries(tokens ?? {}).flatMap(([token, { supply, allowance }]) => [
        ...tableAmounts(definedMembers({ supply }), [...path, "token", token], token),
        ...tableAmounts(allowance, [...path, "token", token, "allowance"], token),
      ]),
    ];
  });
}
