/** Access to the common members of all kinds of workload orders. */
import type { MixKind, MixPart } from "./scenario.ts";
import type { Decimal, DecimalRange, Name } from "./scenario-words.ts";
import { MIX_KINDS } from "./schema/workload.ts";
import { type Mention, OPERATOR } from "./submit-parts.ts";

type Fields = Readonly<Record<string, unknown>>;

const SINGLE_FIELDS = ["from", "master"];
const LIST_FIELDS = ["to", "accounts", "addresses"];

/** The kind of an order. */
export function kindOfOrder(part: MixPart): MixKind {
  return MIX_KINDS.find((kind) => part[kind] !== undefined) ?? "payment";
}

/** The account whose wallet signs: by default the operator for an issue; drawn for the first two kinds. */
export function signerOfOrder(part: MixPart): Name | undefined {
  const kind = kindOfOrder(part);
  if (kind === "payment" || kind === "cancellation") return undefined;
  const { from } = bodyOf(part);
  return typeof from === "string" ? from : OPERATOR;
}

/** The accounts in an order. */
export function accountsInOrder(part: MixPart): readonly Mention[] {
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
export function tokenOfOrder(part: MixPart): Mention | undefined {
  const name = bodyOf(part)["token"];
  return typeof name === "string" ? { path: [kindOfOrder(part), "token"], name } : undefined;
}

/** The ranges of amounts in an order, in units of its token. */
export function rangesIn(part: MixPart): readonly { readonly path: readonly string[]; readonly text: DecimalRange }[] {
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

function bodyOf(part: MixPart): Fields {
  const body: unknown = part[kindOfOrder(part)];
  return typeof body === "object" && body !== null ? (body as Fields) : {};
}
