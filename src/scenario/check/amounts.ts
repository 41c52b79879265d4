/** Checks of amounts: at most the decimals of their token, at most 2^256 - 1. */
import { parseDecimal } from "../decimal.ts";
import { amountsIn, endsOf, tokenIn } from "../members.ts";
import { type Declared, isAddress } from "../names.ts";
import type { Issue, Path } from "../problem.ts";
import type { Scenario } from "../scenario.ts";
import type { FeeRowSpec, FeesSpec } from "../schema/epoch.ts";
import type { Decimal } from "../schema/scalars.ts";
import type { SubmitSpec } from "../schema/submit.ts";
import type { MixEntrySpec } from "../schema/workload.ts";

interface Found {
  readonly path: Path;
  readonly token: string | undefined;
  readonly text: Decimal;
}

/** The issues of all amounts in a file. */
export function checkAmounts(scenario: Scenario, declared: Declared): readonly Issue[] {
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

/** Amounts of an undeclared token address are in its smallest unit. */
function decimalsOf(declared: Declared, token: string | undefined): number | undefined {
  if (token === undefined) return undefined;
  return isAddress(token) ? 0 : declared.tokens.get(token)?.decimals;
}

function genesisAmounts({ genesis }: Scenario, declared: Declared): readonly Found[] {
  const found: Found[] = [];
  for (const [account, tokens] of Object.entries(genesis?.balances ?? {})) {
    for (const [token, text] of Object.entries(tokens))
      found.push({ path: ["genesis", "balances", account, token], token, text });
  }
  for (const [token, part] of Object.entries(genesis?.tokens ?? {})) {
    for (const [holder, text] of Object.entries(part.allowances ?? {}))
      found.push({ path: ["genesis", "tokens", token, "allowances", holder], token, text });
  }
  return [...found, ...feeAmounts(genesis?.fees, ["genesis", "fees"], declared)];
}

/** Fees of all tokens must fit the decimals of each. */
function feeAmounts(fees: FeesSpec | undefined, path: Path, declared: Declared): readonly Found[] {
  if (fees === undefined) return [];
  const { unnamed } = fees;
  const own = fees.tokens ?? {};
  const others = [...declared.tokens.keys()].filter((token) => own[token] === undefined);
  return [
    ...others.flatMap((token) => rowAmounts(fees, path, token)),
    // Amounts of a token without a name are in its smallest unit.
    ...(unnamed === undefined ? [] : rowAmounts(unnamed, [...path, "unnamed"], "0x")),
    ...Object.entries(own).flatMap(([token, row]) => rowAmounts(row, [...path, "tokens", token], token)),
  ];
}

function rowAmounts(row: FeeRowSpec, path: Path, token: string): readonly Found[] {
  return (["payment", "cancellation", "recovery"] as const).map((key) => ({
    path: [...path, key],
    token,
    text: row[key],
  }));
}

function stepAmounts({ steps }: Scenario, declared: Declared): readonly Found[] {
  return (steps ?? []).flatMap(({ submit, workload, govern }, index) => {
    const path = ["steps", index];
    const submitted = submit === undefined ? [] : partAmounts(submit, [...path, "submit"]);
    const ordered = (workload?.mix ?? []).flatMap((part, at) => partAmounts(part, [...path, "workload", "mix", at]));
    return [...submitted, ...ordered, ...feeAmounts(govern?.fees, [...path, "govern", "fees"], declared)];
  });
}

function partAmounts(part: SubmitSpec | MixEntrySpec, path: Path): readonly Found[] {
  const token = tokenIn(part)?.name;
  return amountsIn(part).flatMap((one) =>
    [...new Set(endsOf(one.text))].map((text) => ({ path: [...path, ...one.path], token, text })),
  );
}

function expectedAmounts({ expect }: Scenario): readonly Found[] {
  return (expect ?? []).flatMap((expected, index) => {
    const path = ["expect", index];
    const found: Found[] = [];
    for (const [account, tokens] of Object.entries(expected.balance ?? {})) {
      for (const [token, text] of Object.entries(tokens))
        found.push({ path: [...path, "balance", account, token], token, text });
    }
    for (const [token, text] of Object.entries(expected.pool ?? {}))
      found.push({ path: [...path, "pool", token], token, text });
    for (const [token, state] of Object.entries(expected.token ?? {})) {
      if (state.supply !== undefined)
        found.push({ path: [...path, "token", token, "supply"], token, text: state.supply });
      for (const [holder, text] of Object.entries(state.allowance ?? {}))
        found.push({ path: [...path, "token", token, "allowance", holder], token, text });
    }
    return found;
  });
}
