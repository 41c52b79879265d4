/** Submissions of a scenario: built, signed (or falsely signed) and named. */
import type { Amount } from "../core/base/amount.ts";
import { requireDefined, unreachable } from "../core/base/assert.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import type { Nonce } from "../core/base/ids.ts";
import {
  isRecovery,
  type Layout,
  type Leg,
  type Memo,
  type Operation,
  type SignedOperation,
  type Submission,
} from "../core/base/operation.ts";
import { submissionId } from "../core/ledger/identity.ts";
import { completeFields, usualLayout } from "../core/ledger/layout.ts";
import type { Field } from "../core/ledger/operations/kind.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import { toDecimalAmount } from "./decimal.ts";
import type { Directory } from "./directory.ts";
import { kindOf, OPERATOR, signerOf } from "./members.ts";
import type { NamedSubmission } from "./names.ts";
import type { Scenario } from "./scenario.ts";
import type { SubmitSpec } from "./schema/submit.ts";
import { ownForm, signatureOf } from "./signing.ts";
import { fieldsOfVerb, type MemberType, type OperationForms, VERBS } from "./verbs.ts";

/** The hashes of a world: what is computed here is known when the world needs it. */
type Hashes = Pick<HashCache, "digest" | "operationId">;

/** The submission of each `submit` step, by step index; `undefined` for other steps. */
export function submissionsOf(
  scenario: Scenario,
  directory: Directory,
  chainId: number,
  hashes: Hashes,
): readonly (NamedSubmission | undefined)[] {
  const byName = new Map<string, NamedSubmission>();
  const steps = scenario.steps ?? [];
  const plain = steps.map(({ submit }) => {
    if (submit === undefined || submit.recovery !== undefined || submit.repeat !== undefined) return undefined;
    const submission = signSubmission(submit, directory, chainId, hashes);
    const named = {
      submission,
      id: submissionId(submission, hashes.operationId),
      client: signerOf(submit) ?? OPERATOR,
      name: submit.id,
    };
    if (submit.id !== undefined && !byName.has(submit.id)) byName.set(submit.id, named);
    return named;
  });
  const withRecoveries = steps.map(({ submit }, index) => {
    if (submit?.recovery === undefined) return plain[index];
    const named = recoveryOf(submit, byName, directory, chainId);
    if (submit.id !== undefined) byName.set(submit.id, named);
    return named;
  });
  return steps.map(({ submit }, index) => {
    if (submit?.repeat === undefined) return withRecoveries[index];
    const repeated = requireDefined(byName.get(submit.repeat), submit.repeat);
    if (submit.signature === undefined) return repeated;
    const earlier = requireDefined(steps.find((step) => step.submit?.id === submit.repeat)?.submit, submit.repeat);
    const again = { ...earlier, signature: submit.signature };
    return { ...repeated, submission: signSubmission(again, directory, chainId, hashes) };
  });
}

function recoveryOf(
  submit: SubmitSpec,
  byName: ReadonlyMap<string, NamedSubmission>,
  directory: Directory,
  chainId: number,
): NamedSubmission {
  const { account, evidence, from } = requireDefined(submit.recovery, "recovery");
  const [first, second] = evidence.map((name) => {
    const { submission } = requireDefined(byName.get(name), `operation ${name}`);
    return isRecovery(submission) ? undefined : submission;
  });
  const submission: Submission = {
    kind: "recovery",
    chainId: submit.chain_id ?? chainId,
    account: directory.account(account),
    nonce: (submit.nonce ?? 0) as Nonce,
    evidence: { first: requireDefined(first, "evidence"), second: requireDefined(second, "evidence") },
  };
  return { submission, id: submissionId(submission), client: from ?? account, name: submit.id };
}

function signSubmission(
  submit: SubmitSpec,
  directory: Directory,
  chainId: number,
  { digest }: Hashes,
): SignedOperation {
  const operation = operationOf(submit, directory, submit.chain_id ?? chainId);
  const owner = signerOf(submit) ?? OPERATOR;
  const { signed_by, signers, signature: defect } = submit;
  const signature = signatureOf(directory, signed_by ?? owner, digest(operation), { defect, signers });
  return { operation, sender: directory.account(owner), signature };
}

/** Returns the operation of a submission. @throws RangeError for a recovery or repetition, which has none of its own. */
export function operationOf(submit: SubmitSpec, directory: Directory, chainId: number): Operation {
  const verb = kindOf(submit);
  if (verb === "recovery" || verb === "repeat") throw new RangeError(`submit: a ${verb} has no operation of its own`);
  const layout: Layout = submit.layout ?? usualLayout(VERBS[verb].kind);
  const nonce = (submit.nonce ?? 0) as Nonce;
  const recent = definedMembers({ recentEpoch: submit.recent_epoch, recentCheckpoint: submit.recent_checkpoint });
  const common = { layout, chainId, nonce, ...recent, ...memoOf(submit) };
  const members = requireDefined(submit[verb], verb) as Readonly<Record<string, unknown>>;
  const fields = fieldsOfVerb(verb, (member, { type }, field) =>
    type === "multisig" ? partOfSet(members, member, field, directory) : fieldValue(members, member, type, directory),
  );
  const drafted = { kind: VERBS[verb].kind, ...common, ...fields } as unknown as Operation;
  const operation = completeFields(layout, drafted) as Operation;
  return submit.layout === undefined ? ownForm(operation, signerOf(submit) ?? OPERATOR, directory) : operation;
}

/** The signers, or the threshold, of the multisig account that a member names. @throws RangeError for another account. */
function partOfSet(
  members: Readonly<Record<string, unknown>>,
  member: string,
  field: Field | undefined,
  directory: Directory,
): unknown {
  const name = String(members[member]);
  const set = directory.multisig(name);
  if (set === undefined) throw new RangeError(`multisig: ${name} is no multisig account of the genesis`);
  return field?.type === "signers" ? set.signers : set.threshold;
}

function memoOf({ memo }: SubmitSpec): { readonly memo?: Memo } {
  if (memo === undefined) return {};
  const { type = "", format = "", data = "" } = memo;
  return { memo: { type, format, data } };
}

function fieldValue(
  members: Readonly<Record<string, unknown>>,
  member: string,
  type: Exclude<MemberType, "multisig">,
  directory: Directory,
): unknown {
  const value = members[member];
  if (value === undefined) return undefined;
  const amountOf = (text: string): Amount => toDecimalAmount(text, directory.token(String(members["token"])).decimals);
  switch (type) {
    case "account":
      return directory.account(String(value));
    case "token":
      return directory.token(String(value)).address;
    case "amount":
      return amountOf(String(value));
    case "time":
      return BigInt(value as number);
    case "legs":
      return (value as OperationForms["batch"]["legs"]).map(
        (leg): Leg => ({ recipient: directory.account(leg.to), amount: amountOf(leg.value) }),
      );
    case "pairs":
      return Object.entries(value as Readonly<Record<string, string>>);
    case "change":
      return value === "add" ? "Add" : "Remove";
    case "name":
    case "text":
    case "chain":
    case "count":
    case "flag":
    case "role":
      return value;
    default:
      return unreachable(type);
  }
}
