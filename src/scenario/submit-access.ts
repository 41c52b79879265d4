/** Access to the common members of all kinds of submissions. */

import type { Decimal, Name } from "./scalar-types.ts";
import type { Step, StepVerb, SubmitKind, SubmitSpec } from "./scenario.ts";
import { STEP_VERBS } from "./schema/step.ts";
import { SUBMIT_KINDS } from "./schema/submit.ts";

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
export interface Reference {
  /** Path from the submission. */
  readonly path: readonly (string | number)[];
  readonly name: Name;
}

type Fields = Readonly<Record<string, unknown>>;

const ACCOUNT_FIELDS = ["from", "to", "account", "address", "master"];

/** The accounts in a submission. */
export function accountsIn(submit: SubmitSpec): readonly Reference[] {
  const kind = kindOf(submit);
  const body = bodyOf(submit);
  const found = ACCOUNT_FIELDS.flatMap((field) =>
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

function bodyOf(submit: SubmitSpec): Fields {
  const body: unknown = submit[kindOf(submit)];
  return typeof body === "object" && body !== null ? (body as Fields) : {};
}
