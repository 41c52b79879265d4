/** Access to the common members of all kinds of submissions. */
import type { Step, StepVerb, Submit, SubmitKind } from "./scenario.ts";
import type { Decimal, Name } from "./scenario-words.ts";
import { STEP_VERBS } from "./schema/step.ts";
import { SUBMIT_KINDS } from "./schema/submit.ts";

/** The operator's account: the only one with a fixed name. */
export const OPERATOR = "operator";

/** The kind of a submission. */
export function kindOf(submit: Submit): SubmitKind {
  return SUBMIT_KINDS.find((kind) => submit[kind] !== undefined) ?? "again";
}

/** The verb of a step. */
export function verbOf(step: Step): StepVerb {
  return STEP_VERBS.find((verb) => step[verb] !== undefined) ?? "submit";
}

/** A member of a submission that is a name. */
export interface Mention {
  /** Path from the submission. */
  readonly path: readonly (string | number)[];
  readonly name: Name;
}

type Fields = Readonly<Record<string, unknown>>;

const ACCOUNT_FIELDS = ["from", "to", "account", "address", "master"];

/** The accounts in a submission. */
export function accountsIn(submit: Submit): readonly Mention[] {
  const kind = kindOf(submit);
  const body = bodyOf(submit);
  const found = ACCOUNT_FIELDS.flatMap((field) =>
    typeof body[field] === "string" ? [{ path: [kind, field], name: body[field] }] : [],
  );
  if (submit.signed_by !== undefined) found.push({ path: ["signed_by"], name: submit.signed_by });
  return found;
}

/** The token of a submission. */
export function tokenIn(submit: Submit): Mention | undefined {
  const name = bodyOf(submit)["token"];
  return typeof name === "string" ? { path: [kindOf(submit), "token"], name } : undefined;
}

/** The amounts in a submission, in units of its token. */
export function amountsIn(submit: Submit): readonly { readonly path: readonly string[]; readonly text: Decimal }[] {
  const body = bodyOf(submit);
  return ["value", "allowance"].flatMap((field) =>
    typeof body[field] === "string" ? [{ path: [kindOf(submit), field], text: body[field] }] : [],
  );
}

/** The signer: by default the operator for an issue; `undefined` for a recovery or a repetition. */
export function signerOf(submit: Submit): Name | undefined {
  const kind = kindOf(submit);
  if (kind === "again" || kind === "recovery") return undefined;
  const from = bodyOf(submit)["from"];
  return typeof from === "string" ? from : OPERATOR;
}

function bodyOf(submit: Submit): Fields {
  const body: unknown = submit[kindOf(submit)];
  return typeof body === "object" && body !== null ? (body as Fields) : {};
}
