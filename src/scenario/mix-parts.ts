/** What all kinds of orders of a workload share, whatever stands in them. */
import type { MixKind, MixPart } from "./scenario.ts";
import type { Decimal, DecimalRange, Name } from "./scenario-words.ts";
import { MIX_KINDS } from "./schema/workload.ts";
import { type Mention, OPERATOR } from "./submit-parts.ts";

type Fields = Readonly<Record<string, unknown>>;

const SINGLE_FIELDS = ["from", "master"];
const LIST_FIELDS = ["to", "accounts", "addresses"];

/** Which kind of order it is. */
export function kindOfOrder(part: MixPart): MixKind {
  return MIX_KINDS.find((kind) => part[kind] !== undefined) ?? "payment";
}

/** Whose wallet signs: the operator's for an issue that names nobody, that of a drawn account for the first two kinds. */
export function signerOfOrder(part: MixPart): Name | undefined {
  const kind = kindOfOrder(part);
  if (kind === "payment" || kind === "cancellation") return undefined;
  const { from } = bodyOf(part);
  return typeof from === "string" ? from : OPERATOR;
}

/** Every account that an order names. */
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

/** The token that an order names. */
export function tokenOfOrder(part: MixPart): Mention | undefined {
  const name = bodyOf(part)["token"];
  return typeof name === "string" ? { path: [kindOfOrder(part), "token"], name } : undefined;
}

/** The ranges of amounts that an order names, of its token. */
export function rangesIn(part: MixPart): readonly { readonly path: readonly string[]; readonly text: DecimalRange }[] {
  const body = bodyOf(part);
  return ["value", "allowance"].flatMap((field) => {
    const text = body[field];
    return typeof text === "string" ? [{ path: [kindOfOrder(part), field], text }] : [];
  });
}

/** The two ends of a range; of a single amount, that one twice. */
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
