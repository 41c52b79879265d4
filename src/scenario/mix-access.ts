/** Access to the common members of all kinds of workload orders. */

import type { Decimal, DecimalRange, Name } from "./scalar-types.ts";
import type { MixEntrySpec, MixKind } from "./scenario.ts";
import { MIX_KINDS } from "./schema/workload.ts";
import { OPERATOR, type Reference } from "./submit-access.ts";

type Fields = Readonly<Record<string, unknown>>;

const SINGLE_FIELDS = ["from", "master"];
const LIST_FIELDS = ["to", "accounts", "addresses"];

/** The kind of an order. */
export function kindOfOrder(part: MixEntrySpec): MixKind {
  return MIX_KINDS.find((kind) => part[kind] !== undefined) ?? "payment";
}

/** The account whose wallet signs: by default the operator for an issue; drawn for the first two kinds. */
export function signerOfOrder(part: MixEntrySpec): Name | undefined {
  const kind = kindOfOrder(part);
  if (kind === "payment" || kind === "cancellation") return undefined;
  const { from } = bodyOf(part);
  return typeof from === "string" ? from : OPERATOR;
}

/** The accounts in an order. */
export function accountsInOrder(part: MixEntrySpec): readonly Reference[] {
  const kind = kindOfOrder(part);
  const body = bodyOf(part);
  const single = SINGLE_FIELDS.flatMap((field) => {
    const name = body[field];
    return typeof name === "string" ? [{ path: [kind, field], name }] : [];
  });
  const listed = LIST_FIELDS.flatMap((field) =>
    namesIn(body[field]).map((name, index) => ({ path: [kind, field, index], name })),
  );
  return [...single, ...listed];
}

/** The token of an order. */
export function tokenOfOrder(part: MixEntrySpec): Reference | undefined {
  const name = bodyOf(part)["token"];
  return typeof name === "string" ? { path: [kindOfOrder(part), "token"], name } : undefined;
}

/** The ranges of amounts in an order, in units of its token. */
export function rangesIn(
  part: MixEntrySpec,
): readonly { readonly path: readonly string[]; readonly text: DecimalRange }[] {
  const body = bodyOf(part);
  return ["value", "allowance"].flatMap((field) => {
    const text = body[field];
    return typeof text === "string" ? [{ path: [kindOfOrder(part), field], text }] : [];
  });
}

/** The ends of a range; for a single amount, that amount twice. */
export function endsOf(range: DecimalRange): readonly [from: Decimal, to: Decimal] {
  const [from = "0", to = from] = range.split("..");
  return [from, to];
}

function namesIn(list: unknown): readonly Name[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function bodyOf(part: MixEntrySpec): Fields {
  const body: unknown = part[kindOfOrder(part)];
  return typeof body === "object" && body !== null ? (body as Fields) : {};
}
