/** Access to the common members of all kinds of submissions, and of all kinds of workload orders. */
import { VERBS } from "../core/ledger/operations/kinds.ts";
import type { Decimal, DecimalRange, Name } from "./schema/scalars.ts";
import { STEP_VERBS, type Step, type StepVerb } from "./schema/step.ts";
import { SUBMIT_KINDS, type SubmitKind, type SubmitSpec } from "./schema/submit.ts";
import { MIX_KINDS, type MixEntrySpec, type MixKind } from "./schema/workload.ts";

/** The operator's account: the only one with a fixed name. */
export const OPERATOR = "operator";

/** The kind of a submission. */
export function kindOf(submit: SubmitSpec): SubmitKind {
  return SUBMIT_KINDS.find((kind) => submit[kind] !== undefined) ?? "repeat";
}

/** The verb of a step. */
export function verbOf(step: Step): StepVerb {
  return STEP_VERBS.find((verb) => step[verb] !== undefined) ?? "submit";
}

/** A member of a submission that is a name. */
interface Reference {
  /** Path from the submission. */
  readonly path: readonly (string | number)[];
  readonly name: Name;
}

type Fields = Readonly<Record<string, unknown>>;

/** The accounts in a submission. */
export function accountsIn(submit: SubmitSpec): readonly Reference[] {
  const kind = kindOf(submit);
  const body = bodyOf(submit);
  const found = accountMembers(kind).flatMap((field) =>
    typeof body[field] === "string" ? [{ path: [kind, field], name: body[field] }] : [],
  );
  if (submit.signed_by !== undefined) found.push({ path: ["signed_by"], name: submit.signed_by });
  return found;
}

/** The token of a submission. */
export function tokenIn(submit: SubmitSpec): Reference | undefined {
  const name = bodyOf(submit)["token"];
  return typeof name === "string" ? { path: [kindOf(submit), "token"], name } : undefined;
}

/** The amounts in a submission, in units of its token. */
export function amountsIn(submit: SubmitSpec): readonly { readonly path: readonly string[]; readonly text: Decimal }[] {
  const body = bodyOf(submit);
  return ["value", "allowance"].flatMap((field) =>
    typeof body[field] === "string" ? [{ path: [kindOf(submit), field], text: body[field] }] : [],
  );
}

/** The signer: by default the operator for an issue; `undefined` for a recovery or a repetition. */
export function signerOf(submit: SubmitSpec): Name | undefined {
  const kind = kindOf(submit);
  if (kind === "repeat" || kind === "recovery") return undefined;
  const from = bodyOf(submit)["from"];
  return typeof from === "string" ? from : OPERATOR;
}

function accountMembers(kind: SubmitKind): readonly string[] {
  if (kind === "recovery") return ["from", "account"];
  if (kind === "repeat") return [];
  return Object.entries(VERBS[kind].form).flatMap(([member, { type }]) => (type === "account" ? [member] : []));
}

function bodyOf(submit: SubmitSpec): Fields {
  const body: unknown = submit[kindOf(submit)];
  return typeof body === "object" && body !== null ? (body as Fields) : {};
}

const LIST_FIELDS = ["to", "accounts", "addresses"];

/** The kind of an order. */
export function kindOfOrder(part: MixEntrySpec): MixKind {
  return MIX_KINDS.find((kind) => part[kind] !== undefined) ?? "payment";
}

/** The account whose wallet signs: by default the operator for an issue; drawn for the first two kinds. */
export function signerOfOrder(part: MixEntrySpec): Name | undefined {
  const kind = kindOfOrder(part);
  if (kind === "payment" || kind === "cancellation") return undefined;
  const { from } = bodyOfOrder(part);
  return typeof from === "string" ? from : OPERATOR;
}

/** The accounts in an order. */
export function accountsInOrder(part: MixEntrySpec): readonly Reference[] {
  const kind = kindOfOrder(part);
  const body = bodyOfOrder(part);
  const single = accountMembers(kind).flatMap((field) => {
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
  const name = bodyOfOrder(part)["token"];
  return typeof name === "string" ? { path: [kindOfOrder(part), "token"], name } : undefined;
}

/** The ranges of amounts in an order, in units of its token. */
export function rangesIn(
  part: MixEntrySpec,
): readonly { readonly path: readonly string[]; readonly text: DecimalRange }[] {
  const body = bodyOfOrder(part);
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

function bodyOfOrder(part: MixEntrySpec): Fields {
  const body: unknown = part[kindOfOrder(part)];
  return typeof body === "object" && body !== null ? (body as Fields) : {};
}
