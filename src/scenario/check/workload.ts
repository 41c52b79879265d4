/** Checks of workloads: wallets with keys, ascending ranges, orders that can be drawn. */

import { parseDecimal } from "../decimal.ts";
import { type Declared, equivocators, isAddress } from "../declared.ts";
import { accountsInOrder, endsOf, kindOfOrder, rangesIn, signerOfOrder, tokenOfOrder } from "../mix-access.ts";
import type { Issue, Path } from "../problem.ts";
import type { Name } from "../scalar-types.ts";
import type { MixEntrySpec, Scenario, WorkloadSpec } from "../scenario.ts";
import { checkTokenName } from "./name-check.ts";
import { checkRange } from "./network.ts";

/** The issues of one workload. */
export function checkWorkload(workload: WorkloadSpec, path: Path, declared: Declared): readonly Issue[] {
  const { accounts, mix, every_ms } = workload;
  const onlyCancels = mix.every((part) => kindOfOrder(part) === "cancellation");
  return [
    ...checkRange([...path, "every_ms"], every_ms),
    ...accounts.flatMap((name, index) => signing(name, [...path, "accounts", index])),
    ...mix.flatMap((part, index) => checkOrder(part, [...path, "mix", index], declared)),
    ...(onlyCancels
      ? [{ path: [...path, "mix"], message: "the mix has cancellations only: expected an order that can be cancelled" }]
      : []),
  ];
}

/** Accounts of workload wallets, which assign their own nonces. */
export function walletsOf({ steps }: Scenario): ReadonlySet<Name> {
  return new Set((steps ?? []).flatMap(({ workload }) => (workload === undefined ? [] : signersOf(workload))));
}

/** The issues of scripted wallets and of duplicate workload ids. */
export function checkWallets(scenario: Scenario): readonly Issue[] {
  const scripted = equivocators(scenario);
  const isScripted = (name: Name): boolean => scenario.clients?.[name]?.behaviour === "scripted" || scripted.has(name);
  const ids = new Map<Name, number>();
  return (scenario.steps ?? []).flatMap(({ workload }, index): readonly Issue[] => {
    if (workload === undefined) return [];
    const path: Path = ["steps", index, "workload"];
    const odd = [...new Set(signersOf(workload))].filter(isScripted).map((name) => ({
      path,
      message: `${name} belongs to a workload, but its client is scripted: only the wallet of a correct client takes orders`,
    }));
    const { id } = workload;
    const first = id === undefined ? undefined : ids.get(id);
    if (id !== undefined) ids.set(id, first ?? index);
    if (first === undefined) return odd;
    return [...odd, { path: [...path, "id"], message: `the workload "${id}" is already defined in step ${first + 1}` }];
  });
}

function signersOf({ accounts, mix }: WorkloadSpec): readonly Name[] {
  return [...accounts, ...mix.flatMap((part) => signerOfOrder(part) ?? [])];
}

function checkOrder(part: MixEntrySpec, path: Path, declared: Declared): readonly Issue[] {
  const token = tokenOfOrder(part);
  const decimals = token === undefined ? undefined : declared.tokens.get(token.name)?.decimals;
  return [
    ...(token === undefined ? [] : checkTokenName(declared, [...path, ...token.path], token.name)),
    ...accountsInOrder(part).flatMap(({ path: at, name }) => (at[1] === "from" ? signing(name, [...path, ...at]) : [])),
    ...rangesIn(part).flatMap(({ path: at, text }) => risingAmounts(text, decimals ?? 0, [...path, ...at])),
  ];
}

function signing(name: Name, path: Path): readonly Issue[] {
  if (!isAddress(name)) return [];
  return [{ path, message: "expected a name: only named accounts have keys that can sign" }];
}

function risingAmounts(range: string, decimals: number, path: Path): readonly Issue[] {
  const [from, to] = endsOf(range).map((text) => parseDecimal(text, decimals));
  if (typeof from !== "bigint" || typeof to !== "bigint" || from <= to) return [];
  return [{ path, message: `expected an ascending range, got ${range}` }];
}
