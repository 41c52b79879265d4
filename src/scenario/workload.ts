/** Workloads: checks (wallets with keys, ascending ranges, orders that can be drawn) and compilation. */
import { requireDefined } from "../core/base/assert.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import { fillerAddress } from "../core/base/fillers.ts";
import type { Path, ScenarioIssue } from "../schema/problem.ts";
import type { AmountRange, MixEntry, OperationDraft, WorkloadPlan } from "../simulator/plan.ts";
import { checkNames } from "./check/name-check.ts";
import type { CompileContext } from "./compile/context.ts";
import { rangeOf } from "./compile/parts.ts";
import { parseDecimal, toDecimalAmount } from "./decimal.ts";
import { equivocators } from "./declarations.ts";
import type { Directory } from "./directory.ts";
import { accountsIn, amountsIn, drawnAmountsIn, endsOf, kindOfOrder, signerOf, tokenIn } from "./members.ts";
import { type Declarations, isAddress } from "./names.ts";
import type { Scenario } from "./scenario.ts";
import { checkRange, type DecimalRange, type Name } from "./schema/scalars.ts";
import type { SubmitKinds } from "./schema/submit.ts";
import type { MixEntrySpec, WorkloadSpec } from "./schema/workload.ts";
import { operationOf } from "./submissions.ts";

/** The issues of one workload. */
export function checkWorkload(workload: WorkloadSpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const { accounts, mix, every_ms } = workload;
  const onlyCancels = mix.every((part) => kindOfOrder(part) === "cancellation");
  return [
    ...checkRange([...path, "every_ms"], every_ms),
    ...accounts.flatMap((name, index) => checkSigning(name, [...path, "accounts", index])),
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

/** The issues of scripted wallets, and of workloads without filler accounts to pay to. */
export function checkWallets(scenario: Scenario): readonly ScenarioIssue[] {
  const scripted = equivocators(scenario);
  const isScripted = (name: Name): boolean => scenario.clients?.[name]?.behaviour === "scripted" || scripted.has(name);
  return (scenario.steps ?? []).flatMap(({ workload }, index): readonly ScenarioIssue[] => {
    if (workload === undefined) return [];
    const path: Path = ["steps", index, "workload"];
    const odd: ScenarioIssue[] = [...new Set(signersOf(workload))].filter(isScripted).map((name) => ({
      path,
      message: `${name} belongs to a workload, but its client is scripted: only the wallet of a correct client takes orders`,
    }));
    const { to_fillers, recipients } = workload;
    if (to_fillers === true && (scenario.genesis?.filler_accounts === undefined || recipients !== undefined))
      odd.push({
        path,
        message: "`to_fillers` needs `filler_accounts` in the genesis, and stands without `recipients`",
      });
    return odd;
  });
}

function signersOf({ accounts, mix }: WorkloadSpec): readonly Name[] {
  return [...accounts, ...mix.flatMap((part) => signerOf(part) ?? [])];
}

function checkOrder(part: MixEntrySpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const token = tokenIn(part);
  const isUnknown = part.multisig !== undefined && !declared.multisigs.has(part.multisig.account);
  const decimals = token === undefined ? undefined : declared.tokens.get(token.name)?.decimals;
  return [
    ...(token === undefined ? [] : checkNames(declared, "token", [...path, ...token.path], token.name)),
    ...(isUnknown ? [{ path: [...path, "multisig", "account"], message: NO_MULTISIG }] : []),
    ...accountsIn(part).flatMap(({ path: at, name }) => (at[1] === "from" ? checkSigning(name, [...path, ...at]) : [])),
    ...amountsIn(part).flatMap(({ path: at, text }) => checkAscending(text, decimals ?? 0, [...path, ...at])),
  ];
}

const NO_MULTISIG = "expected a multisig account of the genesis";

function checkSigning(name: Name, path: Path): readonly ScenarioIssue[] {
  if (!isAddress(name)) return [];
  return [{ path, message: "expected a name: only named accounts have keys that can sign" }];
}

function checkAscending(range: string, decimals: number, path: Path): readonly ScenarioIssue[] {
  const [from, to] = endsOf(range).map((text) => parseDecimal(text, decimals));
  if (typeof from !== "bigint" || typeof to !== "bigint" || from <= to) return [];
  return [{ path, message: `expected an ascending range, got ${range}` }];
}

/** The workload of a step. */
export function compileWorkload(part: WorkloadSpec, index: number, context: CompileContext): WorkloadPlan {
  const { directory, chainId } = context;
  const { recipients, accounts, to_fillers } = part;
  const fillers = to_fillers === true ? (context.scenario.genesis?.filler_accounts?.count ?? 0) : 0;
  const paid =
    fillers > 0
      ? Array.from({ length: fillers }, (_, at) => fillerAddress(at + 1))
      : recipients?.map((name) => directory.account(name));
  return {
    name: part.id ?? `workload ${index + 1}`,
    clients: accounts.map((name) => ({ client: name, accounts: [directory.account(name)] })),
    ...definedMembers({ recipients: paid }),
    chainId,
    count: part.count,
    intervalMs: rangeOf(part.every_ms),
    mix: part.mix.map((order) => entryOf(order, recipients ?? accounts, context)),
  };
}

function entryOf(part: MixEntrySpec, payees: readonly Name[], { directory, chainId }: CompileContext): MixEntry {
  const weight = part.weight ?? 1;
  const range = drawnAmountsIn(part)[0]?.text;
  const token = tokenIn(part)?.name;
  const value =
    range === undefined || token === undefined ? undefined : amountsOf(range, directory.token(token).decimals);
  if (part.cancellation !== undefined) return { weight, kind: "cancellation" };
  if (part.payment !== undefined) {
    const { address } = directory.token(part.payment.token);
    return { weight, kind: "payment", token: address, value: requireDefined(value, "value of a payment") };
  }
  const client = requireDefined(signerOf(part), "signer");
  const drafts = choicesOf(part, payees).map((order) => draftOf(order, directory, chainId));
  const valued = value === undefined ? {} : { value };
  return { weight, kind: "drawn", client, account: directory.account(client), drafts, ...valued };
}

/** The possible drafts of an order; amounts are drawn later. */
function choicesOf(part: MixEntrySpec, payees: readonly Name[]): readonly SubmitKinds[] {
  const kind = kindOfOrder(part);
  switch (kind) {
    case "mint": {
      const { to, ...mint } = requireDefined(part.mint, kind);
      return (to ?? payees).map((payee) => ({ mint: { ...mint, to: payee, value: "0" } }));
    }
    case "burn": {
      const { accounts, ...burn } = requireDefined(part.burn, kind);
      if (accounts === undefined) return [{ burn: { ...burn, value: "0" } }];
      return accounts.map((account) => ({ burn: { ...burn, account, value: "0" } }));
    }
    case "clawback": {
      const { accounts, to, ...clawback } = requireDefined(part.clawback, kind);
      return accounts.flatMap((account) =>
        (to ?? payees).map((payee) => ({ clawback: { ...clawback, account, to: payee, value: "0" } })),
      );
    }
    case "blacklist":
    case "whitelist": {
      const { addresses, action, ...list } = requireDefined(part[kind], kind);
      const actions = action === undefined ? (["add", "remove"] as const) : [action];
      return (addresses ?? payees).flatMap((address) =>
        actions.map((listAction) => ({ [kind]: { ...list, address, action: listAction } })),
      );
    }
    case "grant": {
      const { to, allowance, ...grant } = requireDefined(part.grant, kind);
      return to.map((recipient) => ({
        grant: { ...grant, to: recipient, ...(allowance === undefined ? {} : { allowance: "0" }) },
      }));
    }
    case "revoke": {
      const { to, ...revoke } = requireDefined(part.revoke, kind);
      return to.map((recipient) => ({ revoke: { ...revoke, to: recipient } }));
    }
    case "payment":
    case "cancellation":
      throw new RangeError(`workload: a ${kind} has no draft of its own`);
    default:
      return [{ [kind]: part[kind] }];
  }
}

function draftOf(order: SubmitKinds, directory: Directory, chainId: number): OperationDraft {
  const { nonce: _assignedByTheWallet, ...draft } = operationOf(order, directory, chainId);
  return draft as OperationDraft;
}

function amountsOf(range: DecimalRange, decimals: number): AmountRange {
  const [from, to] = endsOf(range);
  return { from: toDecimalAmount(from, decimals), to: toDecimalAmount(to, decimals) };
}
