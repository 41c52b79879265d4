/** Compilation of workloads to unsigned order templates of the simulator. */
import { required, unreachable } from "../../core/base/assert.ts";
import type { AmountRange, MixEntry, OperationDraft, WorkloadPlan } from "../../simulator/plan.ts";
import { toDecimalAmount } from "../decimal.ts";
import type { Directory } from "../directory.ts";
import { endsOf, kindOfOrder, rangesIn, signerOfOrder, tokenOfOrder } from "../mix-access.ts";
import type { DecimalRange, Name } from "../scalar-types.ts";
import type { MixEntrySpec, SubmitKinds, WorkloadSpec } from "../scenario.ts";
import { operationOf } from "../submissions.ts";
import { type CompileContext, rangeOf } from "./parts.ts";

/** The workload of a step. */
export function compileWorkload(part: WorkloadSpec, index: number, context: CompileContext): WorkloadPlan {
  const { directory, chainId } = context;
  const { recipients, accounts } = part;
  return {
    name: part.id ?? `workload ${index + 1}`,
    clients: accounts.map((name) => ({ client: name, accounts: [directory.account(name)] })),
    ...(recipients === undefined ? {} : { recipients: recipients.map((name) => directory.account(name)) }),
    chainId,
    count: part.count,
    intervalMs: rangeOf(part.every_ms),
    mix: part.mix.map((order) => entryOf(order, recipients ?? accounts, context)),
  };
}

function entryOf(part: MixEntrySpec, payees: readonly Name[], { directory, chainId }: CompileContext): MixEntry {
  const weight = part.weight ?? 1;
  const range = rangesIn(part)[0]?.text;
  const token = tokenOfOrder(part)?.name;
  const value =
    range === undefined || token === undefined ? undefined : amountsOf(range, directory.token(token).decimals);
  if (part.cancellation !== undefined) return { weight, kind: "cancellation" };
  if (part.payment !== undefined) {
    const { address } = directory.token(part.payment.token);
    return { weight, kind: "payment", token: address, value: required(value, "value of a payment") };
  }
  const client = required(signerOfOrder(part), "signer");
  const drafts = choicesOf(part, payees).map((order) => draftOf(order, directory, chainId));
  const valued = value === undefined ? {} : { value };
  return { weight, kind: "drawn", client, account: directory.account(client), drafts, ...valued };
}

/** The possible drafts of an order; amounts are drawn later. */
function choicesOf(part: MixEntrySpec, payees: readonly Name[]): readonly SubmitKinds[] {
  const kind = kindOfOrder(part);
  switch (kind) {
    case "mint": {
      const { to, ...mint } = required(part.mint, kind);
      return (to ?? payees).map((one) => ({ mint: { ...mint, to: one, value: "0" } }));
    }
    case "burn": {
      const { accounts, ...burn } = required(part.burn, kind);
      if (accounts === undefined) return [{ burn: { ...burn, value: "0" } }];
      return accounts.map((account) => ({ burn: { ...burn, account, value: "0" } }));
    }
    case "blacklist":
    case "whitelist": {
      const { addresses, action, ...list } = required(part[kind], kind);
      const actions = action === undefined ? (["add", "remove"] as const) : [action];
      return (addresses ?? payees).flatMap((address) =>
        actions.map((one) => ({ [kind]: { ...list, address, action: one } })),
      );
    }
    case "grant": {
      const { to, allowance, ...grant } = required(part.grant, kind);
      return to.map((one) => ({
        grant: { ...grant, to: one, ...(allowance === undefined ? {} : { allowance: "0" }) },
      }));
    }
    case "revoke": {
      const { to, ...revoke } = required(part.revoke, kind);
      return to.map((one) => ({ revoke: { ...revoke, to: one } }));
    }
    case "metadata":
    case "pause":
    case "unpause":
    case "issue":
      return [{ [kind]: part[kind] }];
    case "payment":
    case "cancellation":
      throw new RangeError(`workload: a ${kind} has no draft of its own`);
    default:
      return unreachable(kind);
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
