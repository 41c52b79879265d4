/** Access to the common members of all kinds of submissions and of workload orders. */
import type { Decimal, DecimalRange, Name } from "./schema/scalars.ts";
import { STEP_VERBS, type Step, type StepVerb } from "./schema/step.ts";
import { SUBMIT_KINDS, type SubmitKind, type SubmitSpec } from "./schema/submit.ts";
import { MIX_KINDS, type MixEntrySpec, type MixKind } from "./schema/workload.ts";
import { VERBS } from "./verbs.ts";

/** The operator's account: the only one with a fixed name. */
export const OPERATOR = "operator";

/** A submission, or an order of a workload. */
type SubmissionPart = SubmitSpec | MixEntrySpec;

/** The kind of a submission. */
export function kindOf(submit: SubmitSpec): SubmitKind {
  return SUBMIT_KINDS.find((kind) => submit[kind] !== undefined) ?? "repeat";
}

/** The kind of an order. */
export function kindOfOrder(part: MixEntrySpec): MixKind {
  return MIX_KINDS.find((kind) => part[kind] !== undefined) ?? "payment";
}

/** The verb of a step. */
export function verbOf(step: Step): StepVerb {
  return STEP_VERBS.find((verb) => step[verb] !== undefined) ?? "submit";
}

/** A member that is a name. */
interface Reference {
  /** Path from the submission or order. */
  readonly path: readonly (string | number)[];
  readonly name: Name;
}

/** Members with lists of accounts in orders. */
const LIST_FIELDS = ["to", "accounts", "addresses"];

/** The accounts in a submission or order. */
export function accountsIn(part: SubmissionPart): readonly Reference[] {
  const [kind, body] = bodyOf(part);
  const single = accountMembers(kind).flatMap((field) => {
    const name = body[field];
    return typeof name === "string" ? [{ path: [kind, field], name }] : [];
  });
  const listed = LIST_FIELDS.flatMap((field) => {
    const names = body[field];
    return Array.isArray(names) ? names.map((name, index) => ({ path: [kind, field, index], name: String(name) })) : [];
  });
  const paid = legsIn(part).flatMap(({ path, to }) =>
    typeof to === "string" ? [{ path: [...path, "to"], name: to }] : [],
  );
  const signer = "signed_by" in part && part.signed_by !== undefined ? [part.signed_by] : [];
  const signers = "signers" in part && part.signers !== undefined ? part.signers : [];
  return [
    ...single,
    ...listed,
    ...paid,
    ...signer.map((name) => ({ path: ["signed_by"], name })),
    ...signers.map((name, index) => ({ path: ["signers", index], name })),
  ];
}

/** The token of a submission or order. */
export function tokenIn(part: SubmissionPart): Reference | undefined {
  const [kind, { token }] = bodyOf(part);
  return typeof token === "string" ? { path: [kind, "token"], name: token } : undefined;
}

/** An amount, or a range of amounts. */
interface AmountMember {
  readonly path: readonly (string | number)[];
  readonly text: DecimalRange;
}

/** The amounts in a submission, or the ranges of amounts in an order, in units of its token. */
export function amountsIn(part: SubmissionPart): readonly AmountMember[] {
  const paid = legsIn(part).flatMap(({ path, value }) =>
    typeof value === "string" ? [{ path: [...path, "value"], text: value }] : [],
  );
  return [...drawnAmountsIn(part), ...paid];
}

/** The amounts of an order that are drawn from their range. */
export function drawnAmountsIn(part: SubmissionPart): readonly AmountMember[] {
  const [kind, body] = bodyOf(part);
  return ["value", "allowance"].flatMap((field) => {
    const text = body[field];
    return typeof text === "string" ? [{ path: [kind, field], text }] : [];
  });
}

interface LegMember {
  readonly path: readonly (string | number)[];
  readonly to?: unknown;
  readonly value?: unknown;
}

/** The payments of a batch. */
function legsIn(part: SubmissionPart): readonly LegMember[] {
  const [kind, { legs }] = bodyOf(part);
  if (!Array.isArray(legs)) return [];
  return legs.map((leg: Omit<LegMember, "path">, index) => ({ ...leg, path: [kind, "legs", index] }));
}

/** The ends of a range; for a single amount, that amount twice. */
export function endsOf(range: DecimalRange): readonly [from: Decimal, to: Decimal] {
  const [from = "0", to = from] = range.split("..");
  return [from, to];
}

/** The signer: by default the operator for an issue; `undefined` for a recovery or repetition, and where it is drawn. */
export function signerOf(part: SubmissionPart): Name | undefined {
  const [kind, { from }] = bodyOf(part);
  if (kind === "recovery") return undefined;
  if (typeof from === "string") return from;
  return kind === "issue" ? OPERATOR : undefined;
}

function accountMembers(kind: SubmitKind): readonly string[] {
  if (kind === "recovery") return ["from", "account"];
  if (kind === "repeat") return [];
  return Object.entries(VERBS[kind].form).flatMap(([member, { type }]) =>
    type === "account" || type === "multisig" ? [member] : [],
  );
}

function bodyOf(part: SubmissionPart): readonly [kind: SubmitKind, body: Readonly<Record<string, unknown>>] {
  const kind = kindOf(part as SubmitSpec);
  const body: unknown = (part as SubmitSpec)[kind];
  return [kind, typeof body === "object" && body !== null ? { ...body } : {}];
}
